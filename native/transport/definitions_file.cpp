#include "transport/definitions_file.h"

#include <errno.h>
#include <sys/resource.h>

#include <cstring>

#include "agent/sys.h"
#include "agent/text.h"
#include "format/definitions.h"
#include "transport/file_cache.h"

namespace parallax {
namespace {

constexpr uint64_t kFirstBytes = 64 << 10;
constexpr uint64_t kFilledBytes = 8 << 10;  // what a process of few events needs
constexpr uint64_t kLargestStepBytes = 4 << 20;
constexpr size_t kFileHeaderBytes = 16;

// How much address space to take for the mapping: only numbers, no memory, but the program may
// run under a limit of them.
uint64_t addressSpace() {
  constexpr uint64_t kUsualBytes = 256 << 20;
  rlimit limit{};
  sys::call(SYS_prlimit64, 0, RLIMIT_AS, 0, sys::word(&limit));
  const uint64_t share = limit.rlim_cur / 64 / kFirstBytes * kFirstBytes;
  return share >= kUsualBytes ? kUsualBytes : share < kFirstBytes ? kFirstBytes : share;
}

}  // namespace

int DefinitionsFile::open(const TraceDirectory& directory, const char* name) {
  const int fd = directory.openFile(name, O_RDWR | O_CREAT | O_EXCL);
  if (fd < 0) return fd;
  // The header first: a kill before it would leave a file that is none.
  char header[kFileHeaderBytes];
  memcpy(header, format::kDefinitionsMagic, sizeof format::kDefinitionsMagic);
  memcpy(header + 8, &format::kVersion, 4);
  memcpy(header + 12, &format::kByteOrderMark, 4);
  sys::pwrite(fd, header, sizeof header, 0);
  int error = reserveFileSpace(fd, 0, kFirstBytes);
  if (error == 0) fillCache(fd, sizeof header, kFilledBytes - sizeof header);
  void* mapped = nullptr;
  uint64_t capacity = addressSpace();
  for (; error == 0 && capacity >= kFirstBytes; capacity /= 2) {
    mapped = sys::mmap(capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd);
    if (mapped != nullptr) break;
  }
  sys::close(fd);
  if (error != 0) return error;
  if (mapped == nullptr) return -ENOMEM;
  sys::madvise(mapped, capacity, MADV_DONTFORK);

  char* base = static_cast<char*>(mapped);
  memcpy(base, header, sizeof header);
  directory_ = &directory;
  name_[appendText(name_, 0, sizeof name_ - 1, name)] = 0;
  capacity_ = capacity;
  lost_.store(0, std::memory_order_relaxed);
  grown_.store(kFirstBytes, std::memory_order_relaxed);
  end_.store(kFileHeaderBytes, std::memory_order_relaxed);
  base_ = base;
  return 0;
}

void DefinitionsFile::forget() {
  base_ = nullptr;
  capacity_ = 0;
}

bool DefinitionsFile::grow(uint64_t neededBytes) {
  uint64_t grown = grown_.load(std::memory_order_acquire);
  while (grown < neededBytes) {
    uint64_t target = grown * 2;
    if (target - grown > kLargestStepBytes) target = grown + kLargestStepBytes;
    if (target < neededBytes) target = (neededBytes + kFirstBytes - 1) / kFirstBytes * kFirstBytes;
    if (target > capacity_) target = capacity_;
    if (target < neededBytes) return false;
    const int fd = directory_->openFile(name_, O_RDWR);
    if (fd < 0) return false;
    const int error = reserveFileSpace(fd, grown, target - grown);
    sys::close(fd);
    if (error != 0) return false;
    // Several threads may have reserved; the space of the largest holds.
    while (grown < target &&
           !grown_.compare_exchange_weak(grown, target, std::memory_order_acq_rel)) {
    }
    grown = grown_.load(std::memory_order_acquire);
  }
  return true;
}

// Zeros of this size, of which only the size is written.
void* DefinitionsFile::reserve(size_t sizeBytes) {
  if (base_ == nullptr) return nullptr;
  for (;;) {
    uint64_t at = end_.load(std::memory_order_acquire);
    // The size word after this record must be readable for the next one.
    if (!grow(at + sizeBytes + sizeof(uint64_t))) {
      lost_.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    auto* sizeWord = reinterpret_cast<uint32_t*>(base_ + at);
    uint32_t found = 0;
    const bool reserved =
        __atomic_compare_exchange_n(sizeWord, &found, static_cast<uint32_t>(sizeBytes), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    end_.compare_exchange_strong(at, at + (reserved ? sizeBytes : found),
                                 std::memory_order_acq_rel);
    if (reserved) return sizeWord;
  }
}

void* DefinitionsFile::append(const void* record, size_t sizeBytes) {
  void* place = reserve(sizeBytes);
  if (place != nullptr) format::publishRecord(place, record, sizeBytes);
  return place;
}

void* DefinitionsFile::appendZeros(format::Record type, size_t sizeBytes) {
  auto* header = static_cast<format::RecordHeader*>(reserve(sizeBytes));
  if (header == nullptr) return nullptr;
  __atomic_store_n(&header->type, static_cast<uint16_t>(type), __ATOMIC_RELEASE);
  return header + 1;
}

void DefinitionsFile::retract(void* record) {
  auto* header = static_cast<format::RecordHeader*>(record);
  __atomic_store_n(&header->type, static_cast<uint16_t>(format::Record::kPending),
                   __ATOMIC_RELEASE);
}

}  // namespace parallax
