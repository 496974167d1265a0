#include "transport/event_ring.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

#include <cstring>

#include "base/signals_blocked.h"
#include "base/sys.h"
#include "base/text.h"
#include "format/slots.h"
#include "transport/ended.h"
#include "transport/file_write.h"
#include "transport/trace_space.h"
#include "transport/transport_mode.h"

namespace parallax {
namespace {

using event_rings::Control;
using event_rings::Owner;
using event_rings::Ring;

void storeInOrder() { std::atomic_signal_fence(std::memory_order_seq_cst); }

constexpr char kNoFile[] =
    "There is no writer of the transport on this host, or in this container: the threads wrote their events by themselves.";
constexpr char kNoMoreRings[] =
    "There was no shared memory for more rings of the transport shared: further threads were written as mapped.";
constexpr char kNoWriter[] =
    "The writer of the transport has ended before the program: the threads wrote later events by themselves.";
constexpr char kSilentWriter[] =
    "The writer of the transport did nothing for too long: the threads wrote later events by themselves.";

// Constant-initialised: usable before any constructor.
struct Attached {
  std::atomic<Control*> control{nullptr};
  uint64_t deviceOfFile = 0;
  std::atomic<const char*> note{nullptr}, said{nullptr};
  std::atomic<bool> isForeign{false};  // the writer does not know this process
  std::atomic<bool> isSilent{false};   // the writer has been waited for in vain
  const TraceDirectory* directory = nullptr;
  char path[256] = {};
  std::atomic<char*> blocks[event_rings::kMostRings] = {};  // of the rings that threads of this process have
} attached;

// Each only once.
void say(const char* note) {
  if (attached.said.exchange(note, std::memory_order_acq_rel) == note) return;
  attached.note.store(note, std::memory_order_release);
}

void sayNoFile() {
  if (!transportMode.isUsual) say(kNoFile);
}

int statAt(const char* path, struct stat* status) {
  return static_cast<int>(sys::call(SYS_newfstatat, AT_FDCWD, sys::word(path), sys::word(status), 0));
}

int statOf(int fd, struct stat* status) {
  return static_cast<int>(sys::call(SYS_fstat, fd, sys::word(status)));
}

int openFile() { return sys::openat(AT_FDCWD, attached.path, O_RDWR | O_NOFOLLOW); }

uint32_t ownPid() { return static_cast<uint32_t>(sys::getpid()); }

Ring* ringOf(Control* control, uint32_t number) {
  return reinterpret_cast<Ring*>(reinterpret_cast<char*>(control) + event_rings::ringOffset(number));
}

void wake(std::atomic<uint32_t>* word) { sys::call(SYS_futex, sys::word(word), FUTEX_WAKE, 1); }

void ringBell(Control* control) {
  control->bell.fetch_add(1, std::memory_order_seq_cst);
  if (control->sleeps.load(std::memory_order_seq_cst) != 0 && control->sleeps.exchange(0) != 0) wake(&control->bell);
}

// The memory of ring `number`, which stays the file's; null when there is none.
char* mapBlocks(Control* control, uint32_t number) {
  const int fd = openFile();
  if (fd < 0) return nullptr;
  struct stat status {};
  const uint64_t offset = event_rings::blocksOffset(number);
  void* memory = nullptr;
  // A store to a page without memory would raise SIGBUS.
  if (statOf(fd, &status) == 0 && status.st_ino == control->inode && status.st_dev == attached.deviceOfFile &&
      sys::fallocate(fd, offset, event_rings::kRingBytes) == 0) {
    memory = sys::mmap(event_rings::kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  }
  sys::close(fd);
  if (memory != nullptr) sys::madvise(memory, event_rings::kRingBytes, MADV_DONTFORK);
  return static_cast<char*>(memory);
}

uint32_t numberOf(const Ring* ring) {
  const char* first = reinterpret_cast<const char*>(ringOf(attached.control.load(std::memory_order_relaxed), 0));
  return static_cast<uint32_t>(static_cast<size_t>(reinterpret_cast<const char*>(ring) - first) / sizeof(Ring));
}

bool isHolderGone(uint32_t thread, uint64_t sinceMs) {
  return event_rings::isGone(*attached.control.load(std::memory_order_relaxed), thread, sinceMs);
}

// Makes the file of a ring, if the writer did not, with space for a block; 0 or a negative reason.
int reserveBlock(Ring* ring, uint64_t at) {
  const bool isMade = ring->isMade.load(std::memory_order_acquire) != 0;
  const int fd = isMade ? attached.directory->openFile(ring->name, O_RDWR) : attached.directory->openShared(ring->name);
  if (fd < 0) return fd;
  ring->isMade.store(1, std::memory_order_release);
  const int error = reserveFileSpace(fd, at * format::kBlockBytes, format::kBlockBytes);
  if (error == 0) ring->reserved.store(at + 1, std::memory_order_release);
  sys::close(fd);
  return error;
}

// What its writer has left in a ring, of which the caller has the lock: who has it else writes it. Returns the number of events
// that are lost: they will not be tried again. Who leaves the ring (`leaves`) closes the last block, else it can be tried again.
uint32_t writeLeft(Ring* ring, const char* blocks, bool leaves) {
  uint32_t lost = 0;
  const uint64_t closed = ring->closed.load(std::memory_order_acquire);
  for (uint64_t at = ring->stored.load(std::memory_order_acquire); at <= closed; at++) {
    const char* memory = blocks + at % event_rings::kBlocks * format::kBlockBytes;
    const auto* block = reinterpret_cast<const format::BlockHeader*>(memory);
    if (__atomic_load_n(&block->magic, __ATOMIC_ACQUIRE) != format::kBlockMagic || block->number < at) break;
    const bool isClosed = (__atomic_load_n(&block->flags, __ATOMIC_ACQUIRE) & format::kBlockClosed) != 0;
    format::BlockHeader header = *block;
    const auto* slots = reinterpret_cast<const uint64_t*>(block + 1);
    uint32_t used = isClosed ? header.used : 0;
    if (!isClosed) {  // it may be closed by now
      header.flags = 0;
      header.used = header.crc = 0;
      while (used < format::kBlockSlots && __atomic_load_n(slots + used, __ATOMIC_ACQUIRE) != 0) used++;
    }
    const uint64_t bytes = sizeof header + used * sizeof(uint64_t), offset = at * format::kBlockBytes;
    uint64_t done;
    const bool isKept = at == closed && !isClosed && !leaves;
    int error = 0;
    if (at >= ring->reserved.load(std::memory_order_acquire)) error = reserveBlock(ring, at);
    if (error == 0) error = writeBlocks(*attached.directory, ring->name, memory, sizeof header, bytes, offset, &done);
    if (error == 0) {
      error = writeBlockHeader(*attached.directory, ring->name, reinterpret_cast<const char*>(&header), 0, offset);
    }
    if (error != 0 && !isKept) {
      lost += format::countEvents(slots, used);
      ring->failure.store(static_cast<uint32_t>(-error), std::memory_order_relaxed);
    } else if (error == 0) {
      ring->endBytes.store(isClosed ? offset + bytes : offset + format::kBlockBytes);
    }
    if (isKept) break;
    ring->stored.store(at + 1, std::memory_order_release);
  }
  return lost;
}

// A ring without an owner, which is then this process; its number, or -1.
int takeFree(Control* control) {
  const uint64_t mine = event_rings::ownerWord(ownPid(), Owner::kTakes, event_rings::nowMs());
  for (uint32_t i = 0; i < control->ringCount; i++) {
    uint64_t free = 0;
    std::atomic<uint64_t>& owner = ringOf(control, i)->owner;
    if (owner.load(std::memory_order_relaxed) != 0) continue;
    if (!owner.compare_exchange_strong(free, mine, std::memory_order_seq_cst)) continue;
    uint32_t used = control->used.load(std::memory_order_relaxed);
    while (used <= i && !control->used.compare_exchange_weak(used, i + 1, std::memory_order_seq_cst)) {
    }
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

namespace event_rings {

// The kernel marks the end of the writer before it is one that others see.
bool isGone(const Control& control, uint32_t thread, uint64_t sinceMs) {
  return (thread == control.writerThread.load(std::memory_order_relaxed) && control.writer.ends()) || hasEnded(thread, sinceMs);
}

void attach(const char* path, const TraceDirectory& directory) {
  const size_t length = strlen(path);
  if (length == 0 || length >= sizeof attached.path) return;
  memcpy(attached.path, path, length + 1);
  const int fd = openFile();
  if (fd < 0) return;
  struct stat status {}, trace {};
  void* head = nullptr;
  if (statOf(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_uid == static_cast<uid_t>(sys::call(SYS_geteuid)) &&
      static_cast<uint64_t>(status.st_size) >= kHeadBytes) {
    head = sys::mmap(kHeadBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
  }
  sys::close(fd);
  auto* control = static_cast<Control*>(head);
  if (control == nullptr) return;
  if (control->magic == kMagic && control->version == kVersion && control->inode == status.st_ino &&
      control->ringCount <= kMostRings && statAt(directory.path(), &trace) == 0 &&
      trace.st_dev == control->directoryDevice && trace.st_ino == control->directoryInode) {
    attached.deviceOfFile = status.st_dev;
    attached.directory = &directory;
    attached.control.store(control, std::memory_order_release);
  } else {
    sys::munmap(head, kHeadBytes);
  }
}

// The writer would take a process of another name space for one that has ended, and of other clocks for one that began later.
void beginProcess() {
  Control* control = attached.control.load(std::memory_order_acquire);
  attached.said.store(nullptr, std::memory_order_release);
  for (auto& blocks : attached.blocks) blocks.store(nullptr, std::memory_order_relaxed);
  if (control == nullptr) return sayNoFile();
  struct stat space {}, clocks {};
  if (!transportMode.isShared()) return;
  const uint64_t timeNamespace = statAt("/proc/self/ns/time", &clocks) == 0 ? clocks.st_ino : 0;
  const bool isForeign = statAt("/proc/self/ns/pid", &space) != 0 || space.st_ino != control->pidNamespace ||
                         timeNamespace != control->timeNamespace;
  attached.isForeign.store(isForeign, std::memory_order_release);
  if (isForeign) return sayNoFile();
  const uint32_t pid = ownPid(), used = control->used.load(std::memory_order_acquire);
  bool any = false;
  for (uint32_t i = 0; i < used && i < control->ringCount; i++) {
    Ring* ring = ringOf(control, i);
    uint64_t owner = ring->owner.load(std::memory_order_acquire);
    const Owner held = ownerOf(owner);
    if (pidOf(owner) != pid || (held != Owner::kFills && held != Owner::kTakes)) continue;
    // What is not ready yet still has the name of a file of its last owner.
    const uint64_t next = withOwner(owner, held == Owner::kTakes ? Owner::kNobody : Owner::kGone);
    any = ring->owner.compare_exchange_strong(owner, next, std::memory_order_acq_rel) || any;
  }
  if (any) ringBell(control);
}

const Control* control() { return attached.control.load(std::memory_order_acquire); }

const char* path() { return attached.path; }

bool writerLives() {
  const bool ends = control()->writer.ends();
  if (!ends && !attached.isSilent.load(std::memory_order_relaxed)) return true;
  say(ends ? kNoWriter : kSilentWriter);
  return false;
}

int mostWaits() { return static_cast<int>(control()->patienceMs / kWaitMs); }

void giveUp() {
  attached.isSilent.store(true, std::memory_order_relaxed);
  say(kSilentWriter);
}

uint64_t writeOwn() {
  Control* control = attached.control.load(std::memory_order_acquire);
  uint64_t lost = 0;
  if (control == nullptr || !transportMode.isShared() || !control->writer.ends()) return lost;
  const SignalsBlocked blocked;
  const uint32_t pid = ownPid();
  for (uint32_t i = 0; i < kMostRings && control->writer.ends(); i++) {
    // The thread that leaves it meanwhile finds no blocks, and unmaps none.
    char* blocks = attached.blocks[i].exchange(nullptr, std::memory_order_acq_rel);
    if (blocks == nullptr) continue;
    Ring* ring = ringOf(control, i);
    const uint64_t owner = ring->owner.load(std::memory_order_acquire);
    if (pidOf(owner) == pid && ownerOf(owner) == Owner::kFills) {
      const RingLock lock(ring, RingLock::self(), isHolderGone);
      if (lock.isHeld() && control->writer.ends()) lost += writeLeft(ring, blocks, false);
    }
    attached.blocks[i].store(blocks, std::memory_order_release);
  }
  return lost;
}

bool mayBeTaken() {
  return control() != nullptr && !attached.isForeign.load(std::memory_order_acquire) && writerLives();
}

const char* takeNote() {
  const char* note = attached.note.load(std::memory_order_acquire);
  return note == nullptr ? nullptr : attached.note.exchange(nullptr, std::memory_order_acq_rel);
}

}  // namespace event_rings

// A handler that left it by longjmp would leave a ring which no thread fills, and a descriptor. Once for each ring.
bool EventRing::take(const char* name, bool isMade, uint64_t block, uint64_t usedBytes) {
  const SignalsBlocked blocked;
  Control* control = attached.control.load(std::memory_order_acquire);
  const int number = takeFree(control);
  char* const blocks = number < 0 ? nullptr : mapBlocks(control, static_cast<uint32_t>(number));
  if (blocks == nullptr) {
    if (number >= 0) ringOf(control, static_cast<uint32_t>(number))->owner.store(0, std::memory_order_release);
    say(kNoMoreRings);
    return false;
  }
  Ring* ring = ringOf(control, static_cast<uint32_t>(number));
  for (auto* count : {&ring->closed, &ring->stored, &ring->freed, &ring->reserved}) count->store(block, std::memory_order_relaxed);
  ring->granted.store(block + event_rings::kBlocks, std::memory_order_relaxed);
  ring->isMade.store(isMade ? 1 : 0, std::memory_order_relaxed);
  ring->endBytes.store(usedBytes, std::memory_order_relaxed);
  for (auto* word : {&ring->refused, &ring->lost, &ring->waits}) word->store(0, std::memory_order_relaxed);
  ring->name[appendText(ring->name, 0, sizeof ring->name - 1, name)] = 0;
  attached.blocks[number].store(blocks, std::memory_order_release);
  ring->owner.store(event_rings::withOwner(ring->owner.load(std::memory_order_relaxed), Owner::kFills), std::memory_order_seq_cst);
  blocks_ = blocks;
  storeInOrder();
  ring_ = ring;
  // The writer ends when there is no owner: it has seen this one, or has ended by now.
  if (event_rings::writerLives()) return true;
  int reason;
  leave(true, &reason);
  return false;
}

int EventRing::place(uint64_t block, char** memory, uint32_t* dropped, int* reason) {
  Control* control = attached.control.load(std::memory_order_acquire);
  if (ring_->lost.load(std::memory_order_acquire) != 0) {
    *dropped += ring_->lost.exchange(0);
    *reason = -static_cast<int>(ring_->failure.load(std::memory_order_relaxed));
  }
  for (int waits = 0;;) {
    // Later blocks in the ring of a writer that has ended would stay there.
    if (!event_rings::writerLives()) return -kNoRing;
    const uint32_t change = ring_->change.load(std::memory_order_seq_cst);
    const bool isFree = block < ring_->freed.load(std::memory_order_acquire) + event_rings::kBlocks;
    const bool isGranted = block < ring_->granted.load(std::memory_order_acquire);
    if (isFree && isGranted) break;
    if (isFree) {
      if (const uint32_t refused = ring_->refused.exchange(0)) {  // the writer tries again until the next time
        ringBell(control);
        return -static_cast<int>(refused);
      }
    }
    if (control->drops != 0) return -kWriterBehind;
    if (waits >= event_rings::mostWaits()) {
      event_rings::giveUp();
      continue;
    }
    ring_->waits.store(1, std::memory_order_seq_cst);
    if (ring_->change.load(std::memory_order_seq_cst) != change) continue;
    // Not for ever: of the writer's end nobody tells.
    const timespec most{0, event_rings::kWaitMs * 1'000'000};
    const long error = sys::call(SYS_futex, sys::word(&ring_->change), FUTEX_WAIT, change, sys::word(&most));
    if (error != 0 && error != -EAGAIN && error != -EINTR && error != -ETIMEDOUT) return static_cast<int>(error);
    waits += error == -ETIMEDOUT ? 1 : 0;
  }
  *memory = blocks_ + block % event_rings::kBlocks * format::kBlockBytes;
  return 0;
}

void EventRing::close(uint64_t end) {
  ring_->closed.store(end, std::memory_order_release);
  // The writer finds fewer blocks by itself, some seconds later.
  if (end - ring_->stored.load(std::memory_order_acquire) < event_rings::kWakingBlocks) return;
  ringBell(attached.control.load(std::memory_order_acquire));
}

uint32_t EventRing::leave(bool moves, int* reason) {
  const SignalsBlocked blocked;
  Control* control = attached.control.load(std::memory_order_acquire);
  Ring* ring = ring_;
  char* blocks = blocks_;
  ring_ = nullptr;
  uint32_t lost = 0;
  if (control->writer.ends()) {
    const event_rings::RingLock lock(ring, event_rings::RingLock::self(), isHolderGone);
    if (control->writer.ends()) {  // and not another one meanwhile
      lost = (lock.isHeld() ? writeLeft(ring, blocks, true) : 0) + ring->lost.exchange(0);
      *reason = -static_cast<int>(ring->failure.load(std::memory_order_relaxed));
    }
  }
  const bool isMapped = attached.blocks[numberOf(ring)].exchange(nullptr, std::memory_order_acq_rel) != nullptr;
  if (isMapped) sys::munmap(blocks, event_rings::kRingBytes);
  const uint64_t owner = ring->owner.load(std::memory_order_relaxed);
  if (event_rings::pidOf(owner) == ownPid()) {
    ring->owner.store(event_rings::withOwner(owner, moves ? Owner::kMoved : Owner::kGone), std::memory_order_release);
  }
  ringBell(control);
  return lost;
}

}  // namespace parallax
