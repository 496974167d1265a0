#include "transport/definitions_file.h"

#include <errno.h>

#include <cstring>
#include <new>

#include "base/file_size_signal.h"
#include "base/memory.h"
#include "base/signals_blocked.h"
#include "base/sys.h"
#include "base/text.h"
#include "format/definitions.h"
#include "transport/definitions_stage.h"
#include "transport/file_cache.h"
#include "transport/trace_space.h"

namespace parallax {
namespace {

constexpr uint64_t kFirstBytes = 64 << 10;
constexpr uint64_t kFilledBytes = 8 << 10;  // what a process of few events needs
constexpr uint64_t kLargestBytes = 4 << 20;
constexpr uint64_t kPageBytes = 4096;
constexpr size_t kFileHeaderBytes = 16;

uint64_t wholePages(uint64_t bytes) { return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

}  // namespace

// Takes less than what is wanted where there is no space for it, but at least what is needed.
int DefinitionsFile::makeSegment(int fd, uint64_t offset, uint64_t wantedBytes,
                                 uint64_t neededBytes, Segment** made) {
  const uint64_t least = wholePages(neededBytes);
  uint64_t size = wantedBytes > least ? wantedBytes : least;
  const auto reserve = [&] {
    if (directory_ != definitions_stage::directory()) return reserveFileSpace(fd, offset, size);
    return definitions_stage::hasRoomToGrow(fd, size) ? reserveStagedSpace(fd, offset, size) : -ENOMEM;
  };
  int error;
  while ((error = reserve()) != 0 && size / 2 >= least) size = wholePages(size / 2);
  if (error != 0) return error;
  void* memory = allocate(sizeof(Segment));
  void* base = memory != nullptr
                   ? sys::mmap(size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, offset)
                   : nullptr;
  if (base == nullptr) return -ENOMEM;
  sys::madvise(base, size, MADV_DONTFORK);
  auto* segment = new (memory) Segment{};
  segment->base = static_cast<char*>(base);
  segment->offset = offset;
  segment->sizeBytes = size;
  segment->users.store(1, std::memory_order_relaxed);  // until the next one takes its place
  segment->mapped.store(true, std::memory_order_relaxed);
  *made = segment;
  return 0;
}

int DefinitionsFile::open(const TraceDirectory& directory, const char* name, size_t firstBytes) {
  const SignalsBlocked blocked;
  const bool again = leftEmpty_ && strcmp(name, name_) == 0;
  const int fd = directory.openFile(name, again ? O_RDWR : O_RDWR | O_CREAT | O_EXCL);
  if (fd < 0) return fd;
  directory_ = &directory;
  name_[appendText(name_, 0, sizeof name_ - 1, name)] = 0;
  // The header first: a kill before it would leave a file that is none.
  char header[kFileHeaderBytes];
  memcpy(header, format::kDefinitionsMagic, sizeof format::kDefinitionsMagic);
  memcpy(header + 8, &format::kVersion, 4);
  memcpy(header + 12, &format::kByteOrderMark, 4);
  withoutFileSizeSignal([&] { return sys::pwrite(fd, header, sizeof header, 0); });
  Segment* first = nullptr;
  const int error = makeSegment(fd, 0, kFirstBytes, kFileHeaderBytes + firstBytes, &first);
  leftEmpty_ = error != 0;
  if (leftEmpty_) {
    sys::ftruncate(fd, 0);
    sys::call(SYS_fchmod, fd, format::kNoSpaceMode);
  } else {
    if (again) sys::call(SYS_fchmod, fd, 0600);
    fillCache(fd, sizeof header, kFilledBytes - sizeof header);
  }
  sys::close(fd);
  if (error != 0) return error;
  first->stays = true;
  first->end.store(kFileHeaderBytes, std::memory_order_relaxed);
  current_.store(first, std::memory_order_release);
  return 0;
}

// The current segment, which stays mapped until release(). Null when the file is not open.
DefinitionsFile::Segment* DefinitionsFile::use() {
  for (;;) {
    Segment* segment = current_.load(std::memory_order_acquire);
    if (segment == nullptr) return nullptr;
    segment->users.fetch_add(1, std::memory_order_acq_rel);
    if (current_.load(std::memory_order_acquire) == segment) return segment;
    release(segment);  // it was replaced meanwhile, and may be unmapped
  }
}

// A handler that jumps out of an append leaves its segment mapped, which does no harm.
void DefinitionsFile::release(Segment* segment) {
  if (segment->users.fetch_sub(1, std::memory_order_acq_rel) != 1 || segment->stays) return;
  if (segment->mapped.exchange(false, std::memory_order_acq_rel)) {
    sys::munmap(segment->base, segment->sizeBytes);
  }
}

// Takes the next `sizeBytes` of a segment, or its rest when `filler`: then returns null once nothing is
// left. Without, null when so many are not left.
void* DefinitionsFile::reserve(Segment* segment, size_t sizeBytes, bool filler) {
  for (;;) {
    uint64_t at = segment->end.load(std::memory_order_acquire);
    const uint64_t left = segment->sizeBytes - at;
    const uint64_t taken = filler ? left : sizeBytes;
    if (left == 0 || taken > left) return nullptr;
    auto* sizeWord = reinterpret_cast<uint32_t*>(segment->base + at);
    uint32_t found = 0;
    const bool reserved =
        __atomic_compare_exchange_n(sizeWord, &found, static_cast<uint32_t>(taken), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    segment->end.compare_exchange_strong(at, at + (reserved ? taken : found),
                                         std::memory_order_acq_rel);
    if (reserved) return sizeWord;
  }
}

// Puts a segment with room for a record in the place of one that has none, unless somebody has.
int DefinitionsFile::extend(Segment* full, size_t neededBytes) {
  const SignalsBlocked blocked;  // a handler that left it by longjmp would leave a descriptor
  const int fd = directory_->openFile(name_, O_RDWR);
  if (fd < 0) return fd;
  const uint64_t doubled = full->sizeBytes * 2;
  Segment* next = nullptr;
  const int error = makeSegment(fd, full->offset + full->sizeBytes,
                                doubled < kLargestBytes ? doubled : kLargestBytes, neededBytes,
                                &next);
  sys::close(fd);
  if (error != 0) return error;  // smaller records may still fit
  if (void* rest = reserve(full, 0, true)) {
    __atomic_store_n(static_cast<uint32_t*>(rest) + 1,
                     static_cast<uint32_t>(format::Record::kReserved), __ATOMIC_RELEASE);
  }
  Segment* known = full;
  const bool replaced = current_.compare_exchange_strong(known, next, std::memory_order_acq_rel);
  release(replaced ? full : next);
  return 0;
}

bool DefinitionsFile::provide(uint64_t bytes) {
  Segment* segment = use();
  if (segment == nullptr) return false;
  const bool isEnough =
      segment->sizeBytes - segment->end.load(std::memory_order_acquire) >= bytes;
  const bool done = isEnough || extend(segment, bytes) == 0;
  release(segment);
  return done;
}

int DefinitionsFile::append(const void* record, size_t sizeBytes) {
  for (;;) {
    Segment* segment = use();
    if (segment == nullptr) return -EBADF;
    void* place = reserve(segment, sizeBytes, false);
    if (place != nullptr) format::publishRecord(place, record, sizeBytes);
    const int error = place == nullptr ? extend(segment, sizeBytes) : 0;
    release(segment);
    if (place != nullptr || error != 0) return error;
  }
}

void* DefinitionsFile::appendZeros(format::Record type, size_t sizeBytes, void** hold) {
  for (;;) {
    Segment* segment = use();
    if (segment == nullptr) return nullptr;
    auto* header = static_cast<format::RecordHeader*>(reserve(segment, sizeBytes, false));
    if (header != nullptr) {
      __atomic_store_n(&header->type, static_cast<uint16_t>(type), __ATOMIC_RELEASE);
      *hold = segment;
      return header + 1;
    }
    const int error = extend(segment, sizeBytes);
    release(segment);
    if (error != 0) return nullptr;
  }
}

void DefinitionsFile::letGo(void* hold) {
  if (hold != nullptr) release(static_cast<Segment*>(hold));
}

void* DefinitionsFile::appendFixed(const void* record, size_t sizeBytes) {
  Segment* first = use();
  if (first == nullptr) return nullptr;
  void* place = reserve(first, sizeBytes, false);
  if (place != nullptr) format::publishRecord(place, record, sizeBytes);
  release(first);
  return place;
}

}  // namespace parallax
