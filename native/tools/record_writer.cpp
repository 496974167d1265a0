#include "tools/record_writer.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/sys.h"
#include "core/clock.h"
#include "format/definitions.h"
#include "format/slots.h"
#include "transport/trace_space.h"

namespace parallax::record {
namespace {

using event_rings::Owner;
using event_rings::Ring;

constexpr uint64_t kPeriodNs = 100'000'000;  // between two looks for processes that have ended
constexpr timespec kPeriod{0, kPeriodNs};
constexpr uint64_t kGrantedBlocks = 16;
constexpr int kMostBlocksAtOnce = 16;  // of one ring, before the others have their turn

void wake(std::atomic<uint32_t>* word, int count) { sys::call(SYS_futex, sys::word(word), FUTEX_WAKE, count); }

void tellChange(Ring* ring) {
  ring->change.fetch_add(1, std::memory_order_seq_cst);
  if (ring->waits.load(std::memory_order_seq_cst) != 0 && ring->waits.exchange(0) != 0) wake(&ring->change, 1);
}

// Also one that nobody has waited for. The first thread of a process can end before the others.
bool hasEnded(uint32_t pid) {
  if (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return true;
  char path[32], text[512] = "";
  snprintf(path, sizeof path, "/proc/%u/stat", pid);
  FILE* file = fopen(path, "re");
  if (file == nullptr) return false;
  const size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = '\0';
  const char* name = strrchr(text, ')');  // which may have any characters
  char state = ' ';
  long threads = 0;
  constexpr char kFields[] = ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld";
  return name != nullptr && sscanf(name, kFields, &state, &threads) == 2 && (state == 'Z' || state == 'X') &&
         threads <= 1;
}

int writeAt(int fd, const void* data, size_t bytes, uint64_t offset) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const long part = sys::pwrite(fd, from, bytes, offset);
    if (part == -EINTR) continue;
    if (part <= 0) return part == 0 ? ENOSPC : static_cast<int>(-part);
    from += part;
    offset += static_cast<uint64_t>(part);
    bytes -= static_cast<size_t>(part);
  }
  return 0;
}

uint32_t countEvents(const uint64_t* slots, uint32_t used) {
  const auto isEvent = [](uint64_t slot) { return !format::isPayload(slot); };
  return static_cast<uint32_t>(std::count_if(slots, slots + used, isEvent));
}

// A descriptor of an event file, which the name in shared memory may not lead out of the directory.
class EventFileOf {
 public:
  EventFileOf(const TraceDirectory& directory, const Ring& ring) : fd_(-EINVAL) {
    char name[sizeof ring.name];
    memcpy(name, ring.name, sizeof name);
    name[sizeof name - 1] = '\0';
    if (strchr(name, '/') == nullptr) fd_ = directory.openFile(name, O_RDWR);
  }
  ~EventFileOf() {
    if (fd_ >= 0) sys::close(fd_);
  }
  EventFileOf(const EventFileOf&) = delete;
  EventFileOf& operator=(const EventFileOf&) = delete;
  int get() const { return fd_; }  // or a negative reason

 private:
  int fd_;
};

}  // namespace

int RingWriter::beginLife() {
  static robust_list_head list;
  event_rings::Life& life = control_->writer;
  list.list.next = reinterpret_cast<robust_list*>(&life.next);
  life.next = reinterpret_cast<event_rings::Life*>(&list.list);
  list.futex_offset = reinterpret_cast<char*>(&life.word) - reinterpret_cast<char*>(&life.next);
  if (const long error = sys::call(SYS_set_robust_list, sys::word(&list), sizeof list)) return static_cast<int>(-error);
  life.word.store(static_cast<uint32_t>(sys::gettid()), std::memory_order_seq_cst);
  return 0;
}

void RingWriter::serveUntilEnd(pid_t recorder) {
  uint64_t lookedNs = 0;
  for (;;) {
    const uint32_t bell = control_->bell.load(std::memory_order_seq_cst);
    const uint64_t nowNs = readClockNs(CLOCK_MONOTONIC);
    const bool looksForEnds = nowNs - lookedNs >= kPeriodNs;
    if (looksForEnds) lookedNs = nowNs;
    const bool isIdle = !serveAll(looksForEnds);
    const bool isLast = control_->finish.load(std::memory_order_acquire) != 0 || getppid() != recorder;
    if (isLast && control_->finished.load(std::memory_order_relaxed) == 0) {
      writeAll();
      control_->finished.store(1, std::memory_order_seq_cst);
      wake(&control_->finished, 1);
    }
    if (!isIdle) continue;
    if (isLast && mayEnd()) return;
    control_->sleeps.store(1, std::memory_order_seq_cst);
    sys::call(SYS_futex, sys::word(&control_->bell), FUTEX_WAIT, bell, sys::word(&kPeriod));
    control_->sleeps.store(0, std::memory_order_seq_cst);
  }
}

// A thread takes a ring first, and then looks whether the writer lives.
bool RingWriter::mayEnd() {
  serveAll(true);
  if (anyOwner()) return false;
  const uint32_t self = control_->writer.word.exchange(0, std::memory_order_seq_cst);
  if (!anyOwner()) return true;
  control_->writer.word.store(self, std::memory_order_seq_cst);
  return false;
}

bool RingWriter::anyOwner() const {
  const uint32_t used = control_->used.load(std::memory_order_seq_cst);
  for (uint32_t i = 0; i < used; i++) {
    if (ring(i)->owner.load(std::memory_order_seq_cst) != 0) return true;
  }
  return false;
}

// Returns whether there was anything to do.
bool RingWriter::serveAll(bool looksForEnds) {
  bool any = false, ended = false;
  uint32_t asked = 0;
  const uint32_t used = control_->used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; i++) {
    Ring* each = ring(i);
    uint64_t owner = each->owner.load(std::memory_order_acquire);
    Owner kind = event_rings::ownerOf(owner);
    const uint32_t pid = event_rings::pidOf(owner);
    if (kind == Owner::kNobody) continue;
    const bool isHeld = kind == Owner::kTakes || kind == Owner::kFills;
    if (looksForEnds && isHeld && pid != asked) {
      ended = hasEnded(pid);
      asked = pid;
    }
    if (looksForEnds && isHeld && ended) {
      const Owner next = kind == Owner::kTakes ? Owner::kNobody : Owner::kGone;
      if (each->owner.compare_exchange_strong(owner, event_rings::ownerWord(pid, next))) kind = next;
    }
    if (kind == Owner::kNobody || kind == Owner::kTakes) continue;
    const bool isLeft = kind != Owner::kFills;
    any = serve(each, i, isLeft) || any;
    if (isLeft) {
      release(each, i);
      any = true;
    }
  }
  return any;
}

void RingWriter::writeAll() {
  serveAll(true);
  const uint32_t used = control_->used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; i++) {
    if (event_rings::ownerOf(ring(i)->owner.load(std::memory_order_acquire)) == Owner::kFills) serve(ring(i), i, true);
  }
}

bool RingWriter::serve(Ring* ring, uint32_t number, bool alsoOpen) {
  free(ring, number);
  bool any = false;
  for (int i = 0; i < kMostBlocksAtOnce || alsoOpen; i++) {
    const uint64_t at = ring->stored.load(std::memory_order_relaxed);
    if (!alsoOpen && at >= ring->closed.load(std::memory_order_acquire)) break;
    Block block;
    if (!find(*ring, number, at, &block) || (!block.isClosed && !alsoOpen)) break;
    store(ring, at, block);
    if (!block.isClosed) break;
    any = true;
    ring->stored.store(at + 1, std::memory_order_release);
    free(ring, number);
  }
  const bool isFilled = event_rings::ownerOf(ring->owner.load(std::memory_order_acquire)) == Owner::kFills;
  if (isFilled && ring->refused.load(std::memory_order_acquire) == 0) grant(ring);
  return any;
}

bool RingWriter::find(const Ring& ring, uint32_t number, uint64_t at, Block* block) const {
  if (at >= ring.freed.load(std::memory_order_relaxed) + event_rings::kBlocks) return false;
  block->header = reinterpret_cast<format::BlockHeader*>(placeOf(number, at));
  if (__atomic_load_n(&block->header->magic, __ATOMIC_ACQUIRE) != format::kBlockMagic) return false;
  block->isClosed = (__atomic_load_n(&block->header->flags, __ATOMIC_ACQUIRE) & format::kBlockClosed) != 0;
  block->used = block->isClosed ? std::min<uint32_t>(block->header->used, format::kBlockSlots) : 0;
  if (block->isClosed) return true;
  const auto* slots = reinterpret_cast<const uint64_t*>(block->header + 1);
  const auto isFilled = [slots](uint32_t at) { return __atomic_load_n(slots + at, __ATOMIC_ACQUIRE) != 0; };
  while (block->used < format::kBlockSlots && isFilled(block->used)) block->used++;
  return true;
}

// The header last: without it, a reader takes the block for one that was never used.
void RingWriter::store(Ring* ring, uint64_t at, const Block& block) {
  format::BlockHeader header = *block.header;
  const auto* slots = reinterpret_cast<const uint64_t*>(block.header + 1);
  if (!block.isClosed) {
    header.flags = 0;
    header.used = header.crc = 0;
  }
  const uint64_t offset = at * format::kBlockBytes, bytes = block.used * sizeof(uint64_t);
  const EventFileOf file(directory_, *ring);
  int error = file.get() < 0 ? -file.get() : writeAt(file.get(), slots, bytes, offset + sizeof header);
  if (error == 0) error = writeAt(file.get(), &header, sizeof header, offset);
  if (error == 0) {
    ring->endBytes.store(block.isClosed ? offset + sizeof header + bytes : offset + format::kBlockBytes);
    return;
  }
  const uint32_t events = countEvents(slots, block.used);
  ring->lost.fetch_add(events);
  control_->failedEvents.fetch_add(events);
  ring->failure.store(static_cast<uint32_t>(error));
  uint32_t none = 0;
  control_->failure.compare_exchange_strong(none, static_cast<uint32_t>(error));
}

// Space for the blocks that can follow is there before they can be begun.
void RingWriter::free(Ring* ring, uint32_t number) {
  bool any = false;
  for (uint64_t at = ring->freed.load(); at < ring->stored.load(); at++) {
    memset(placeOf(number, at), 0, format::kBlockBytes);
    ring->freed.store(at + 1, std::memory_order_release);
    any = true;
  }
  if (any) tellChange(ring);
}

void RingWriter::grant(Ring* ring) {
  const uint64_t granted = ring->granted.load(std::memory_order_relaxed);
  if (granted >= ring->freed.load(std::memory_order_relaxed) + event_rings::kBlocks) return;
  const EventFileOf file(directory_, *ring);
  int error = file.get() < 0 ? file.get() : -ENOSPC;
  for (uint64_t blocks = kGrantedBlocks; file.get() >= 0 && blocks > 0; blocks = blocks > 1 ? 1 : 0) {
    error = reserveFileSpace(file.get(), granted * format::kBlockBytes, blocks * format::kBlockBytes);
    if (error == 0) {
      ring->granted.store(granted + blocks, std::memory_order_release);
      break;
    }
    sys::ftruncate(file.get(), granted * format::kBlockBytes);  // a part may have been reserved
  }
  if (error != 0) ring->refused.store(static_cast<uint32_t>(-error), std::memory_order_release);
  tellChange(ring);
}

// After all of it is written.
void RingWriter::release(Ring* ring, uint32_t number) {
  const uint64_t end = ring->endBytes.load();
  const uint64_t blocks = (end + format::kBlockBytes - 1) / format::kBlockBytes;
  const uint64_t granted = ring->granted.load();
  if (event_rings::ownerOf(ring->owner.load()) == Owner::kGone) {
    const EventFileOf file(directory_, *ring);
    struct stat status {};
    if (file.get() >= 0 && fstat(file.get(), &status) == 0 && static_cast<uint64_t>(status.st_size) > end) {
      sys::ftruncate(file.get(), end);
    }
  }
  if (const uint32_t events = ring->lost.exchange(0)) tellLost(*ring, events);
  if (granted > blocks) giveBackFileSpace((granted - blocks) * format::kBlockBytes);
  memset(memory_ + event_rings::blocksOffset(number), 0, event_rings::kRingBytes);
  ring->owner.store(0, std::memory_order_seq_cst);
}

// A process that runs counts them itself.
void RingWriter::tellLost(const Ring& ring, uint32_t events) const {
  char name[sizeof ring.name];
  memcpy(name, ring.name, sizeof name);
  name[sizeof name - 1] = '\0';
  std::string definitions = name;  // HOST.PID.SEQ.THREAD.evt
  definitions.resize(std::min(definitions.size(), definitions.rfind('.')));
  definitions.resize(std::min(definitions.size(), definitions.rfind('.')));
  definitions += ".def";
  const int fd = directory_.openFile(definitions.c_str(), O_RDWR);
  if (fd < 0) return;
  struct stat status {};
  const size_t size = fstat(fd, &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
  void* memory = size > 0 ? sys::mmap(size, PROT_READ | PROT_WRITE, MAP_SHARED, fd) : nullptr;
  sys::close(fd);
  if (memory == nullptr) return;
  constexpr size_t kFileHeaderBytes = 16;
  for (size_t at = kFileHeaderBytes; at + sizeof(format::RecordHeader) + sizeof(format::LossesBody) <= size;) {
    auto* header = reinterpret_cast<format::RecordHeader*>(static_cast<char*>(memory) + at);
    if (static_cast<format::Record>(header->type) == format::Record::kLosses) {
      const auto error = static_cast<int>(ring.failure.load());
      format::addLosses(reinterpret_cast<format::LossesBody*>(header + 1), &format::LossesBody::events, events,
                        lossCause(-error), static_cast<uint32_t>(error), readTicks());
      break;
    }
    if (header->size < sizeof *header || header->size % 8 != 0) break;
    at += header->size;
  }
  sys::munmap(memory, size);
}

}  // namespace parallax::record
