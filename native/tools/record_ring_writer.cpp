#include "tools/record_writer.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/sys.h"
#include "core/clock.h"
#include "format/definitions.h"
#include "format/slots.h"
#include "transport/ended.h"
#include "transport/trace_space.h"

namespace parallax::record {
namespace {

using event_rings::Owner;
using event_rings::Ring;

constexpr uint64_t kPeriodNs = 100'000'000;  // between two looks for processes that have ended
constexpr timespec kPeriod{0, kPeriodNs};
constexpr uint64_t kMovePeriodNs = 1'000'000'000, kCopyPeriodNs = 3'000'000'000;  // of definitions
constexpr size_t kMostMoves = 8;  // before the rings have their turn
constexpr uint64_t kGrantedBlocks = 16;
constexpr uint64_t kMostBlocksInTurn = 16;  // of one ring, before the others have their turn
constexpr uint64_t kFewPeriodNs = kCopyPeriodNs;  // after which closed blocks are written even if there are few
constexpr size_t kMostGapBytes = 4096;  // at the end of a block that is written with the next one

void tellChange(Ring* ring) {
  ring->change.fetch_add(1, std::memory_order_seq_cst);
  if (ring->waits.load(std::memory_order_seq_cst) != 0 && ring->waits.exchange(0) != 0) {
    sys::call(SYS_futex, sys::word(&ring->change), FUTEX_WAKE, 1);
  }
}

}  // namespace

void RingWriter::serveUntilEnd(pid_t recorder) {
  uint64_t lookedNs = 0;
  for (;;) {
    const uint32_t bell = control_->bell.load(std::memory_order_seq_cst);
    const uint64_t nowNs = readClockNs(CLOCK_MONOTONIC);
    const bool looksForEnds = nowNs - lookedNs >= kPeriodNs;
    if (looksForEnds) lookedNs = nowNs;
    const bool alsoFew = nowNs - servedFewNs_ >= kFewPeriodNs;
    if (alsoFew) servedFewNs_ = nowNs;
    const bool anyServed = serveAll(looksForEnds, alsoFew);
    const bool isIdle = !moveDefinitions(nowNs) && !anyServed;
    const bool ends = isLast(recorder);
    if (ends && control_->finished.load(std::memory_order_relaxed) == 0) {
      writeAll();
      tellFinished();
    }
    if (ends && (isIdle || looksForEnds) && mayEnd()) return;
    if (!isIdle) continue;
    control_->sleeps.store(1, std::memory_order_seq_cst);
    sys::call(SYS_futex, sys::word(&control_->bell), FUTEX_WAIT, bell, sys::word(&kPeriod));
    control_->sleeps.store(0, std::memory_order_seq_cst);
  }
}

// A thread takes a ring first, and a process makes its file of definitions, and then they look whether the writer lives.
bool RingWriter::mayEnd() {
  serveAll(true, true);
  definitions_.moveEnded(SIZE_MAX);
  if (definitions_.anyLeft() || anyOwner()) return false;
  definitions_.moveAllEnded();  // for the last time
  const uint32_t self = control_->writer.word.exchange(0, std::memory_order_seq_cst);
  if (!definitions_.anyLeft() && !anyOwner()) return true;
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
bool RingWriter::serveAll(bool looksForEnds, bool alsoFew) {
  bool any = false;
  uint32_t asked = 0;
  uint64_t beginMs = 0;
  const uint64_t self = event_rings::RingLock::self();
  const uint32_t used = control_->used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; i++) {
    Ring* each = ring(i);
    uint64_t owner = each->owner.load(std::memory_order_acquire);
    Owner kind = event_rings::ownerOf(owner);
    const uint32_t pid = event_rings::pidOf(owner);
    if (kind == Owner::kNobody) continue;
    const bool isHeld = kind == Owner::kTakes || kind == Owner::kFills;
    if (looksForEnds && isHeld && pid != asked) {
      beginMs = beginMsOf(pid);
      asked = pid;
    }
    if (looksForEnds && isHeld && isAnother(beginMs, event_rings::sinceMsOf(owner))) {
      const Owner next = kind == Owner::kTakes ? Owner::kNobody : Owner::kGone;
      if (each->owner.compare_exchange_strong(owner, event_rings::withOwner(owner, next))) kind = next;
    }
    if (kind == Owner::kNobody || kind == Owner::kTakes) continue;
    const bool isLeft = kind != Owner::kFills;
    // Of a thread that is just leaving it: later.
    const event_rings::RingLock lock(each, self, hasEnded, 0);
    if (!lock.isHeld()) continue;
    any = serve(each, i, alsoFew || isLeft, isLeft) || any;
    if (isLeft) {
      release(each, i);
      any = true;
    }
  }
  return any;
}

void RingWriter::writeAll() {
  serveAll(true, true);
  const uint32_t used = control_->used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; i++) {
    if (event_rings::ownerOf(ring(i)->owner.load(std::memory_order_acquire)) != Owner::kFills) continue;
    const event_rings::RingLock lock(ring(i), event_rings::RingLock::self(), hasEnded);
    if (lock.isHeld()) serve(ring(i), i, true, true);
  }
  files_.closeAll();
  // Of processes that run on, too: those are copied again when they end.
  definitions_.moveAllEnded();
  definitions_.copyAlive();
  control_->definitionsFailure.store(static_cast<uint32_t>(definitions_.failure()));
  control_->failedDefinitions.store(definitions_.failed());
}

// Now and then. A kill of all processes at once takes what is in memory alone. Returns whether there is more to do.
bool RingWriter::moveDefinitions(uint64_t nowNs) {
  if (movedNs_ == 0) movedNs_ = copiedNs_ = nowNs;
  if (nowNs - movedNs_ < kMovePeriodNs) return false;
  if (definitions_.moveEnded(kMostMoves)) return true;
  movedNs_ = nowNs;
  if (nowNs - copiedNs_ < kCopyPeriodNs) return false;
  copiedNs_ = nowNs;
  definitions_.copyAlive();
  return false;
}

bool RingWriter::serve(Ring* ring, uint32_t number, bool alsoFew, bool alsoOpen) {
  ring->name[sizeof ring->name - 1] = '\0';
  free(ring, number);
  bool any = false;
  // A thread may fill blocks as fast as they are written here: what it has closed by now is enough.
  const uint64_t closed = ring->closed.load(std::memory_order_acquire);
  const uint64_t first = ring->stored.load(std::memory_order_relaxed);
  const bool mayWrite = alsoFew || (closed > first && closed - first >= event_rings::kWakingBlocks);
  if (mayGrant(ring)) grant(ring);
  while (mayWrite) {
    const uint64_t at = ring->stored.load(std::memory_order_relaxed);
    if (at - first >= kMostBlocksInTurn && !alsoOpen) break;
    if (alsoOpen ? at > closed : at >= closed) break;
    if (const uint64_t stored = storeAtOnce(ring, number, at, closed)) {
      any = true;
      ring->stored.store(at + stored, std::memory_order_release);
      free(ring, number);
      continue;
    }
    Block block;
    if (!find(*ring, number, at, &block)) break;
    const bool isOpen = at >= closed && !block.isClosed;  // one below was left by a signal handler, and stays open
    store(ring, at, block, !isOpen || event_rings::ownerOf(ring->owner.load(std::memory_order_acquire)) != Owner::kFills);
    if (isOpen) break;
    any = true;
    ring->stored.store(at + 1, std::memory_order_release);
    free(ring, number);
  }
  if (mayGrant(ring)) grant(ring);
  return any;
}

bool RingWriter::mayGrant(const Ring* ring) const {
  const bool isFilled = event_rings::ownerOf(ring->owner.load(std::memory_order_acquire)) == Owner::kFills;
  return isFilled && !replacesWriter() && ring->refused.load(std::memory_order_acquire) == 0;
}

uint64_t RingWriter::storeAtOnce(Ring* ring, uint32_t number, uint64_t at, uint64_t end) {
  ClosedBlock blocks[kMostBlocksAtOnce];
  size_t count = 0;
  end = std::min({end, at + kMostBlocksAtOnce, ring->reserved.load(std::memory_order_relaxed)});
  for (uint64_t each = at; each < end; each++) {
    Block block;
    if (!find(*ring, number, each, &block) || !block.isClosed) break;
    const auto* slots = reinterpret_cast<const uint64_t*>(block.header + 1);
    const size_t bytes = sizeof(format::BlockHeader) + block.used * sizeof(uint64_t);
    blocks[count++] = {reinterpret_cast<const char*>(block.header), static_cast<uint32_t>(bytes), format::countEvents(slots, block.used)};
    if (bytes + kMostGapBytes < format::kBlockBytes) break;
  }
  if (count == 0) return 0;
  const size_t stored = writeAtOnce(ring->name, blocks, count, at * format::kBlockBytes);
  if (stored > 0) ring->endBytes.store((at + stored - 1) * format::kBlockBytes + blocks[stored - 1].bytes);
  return stored;
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

void RingWriter::store(Ring* ring, uint64_t at, const Block& block, bool isLast) {
  const size_t bytes = sizeof(format::BlockHeader) + block.used * sizeof(uint64_t);
  const char* data = reinterpret_cast<const char*>(block.header);
  if (!block.isClosed) {  // it may be closed by now
    memcpy(copy_, data, bytes);
    data = copy_;
    auto* header = reinterpret_cast<format::BlockHeader*>(copy_);
    header->flags = 0;
    header->used = header->crc = 0;
  }
  const uint64_t offset = at * format::kBlockBytes;
  const uint32_t events =
      format::countEvents(reinterpret_cast<const uint64_t*>(data + sizeof(format::BlockHeader)), block.used);
  int error = at < ring->reserved.load(std::memory_order_relaxed) ? 0 : reserve(ring, at, 1);
  if (error == 0) error = write(ring->name, data, bytes, offset, sizeof(format::BlockHeader), events);
  if (error == 0) {
    ring->endBytes.store(block.isClosed ? offset + bytes : offset + format::kBlockBytes);
    return;
  }
  if (!isLast) return;
  ring->lost.fetch_add(events);
  ring->failure.store(static_cast<uint32_t>(error));
  tellFailure(events, error);
}

void RingWriter::lost(const std::string& name, uint32_t events, int error) {
  const uint32_t used = control_->used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; i++) {
    if (ring(i)->owner.load(std::memory_order_acquire) == 0 || name != ring(i)->name) continue;
    ring(i)->failure.store(static_cast<uint32_t>(error));
    ring(i)->lost.fetch_add(events);
    break;
  }
  tellFailure(events, error);
}

// Space for the blocks that can follow is there before they can be begun, but for those of a new ring.
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
  const uint64_t reserved = ring->reserved.load(std::memory_order_relaxed);
  const uint64_t freed = ring->freed.load(std::memory_order_relaxed), owed = freed + event_rings::kBlocks;
  // What is stored has been written, or is lost.
  const uint64_t first = std::max(reserved, ring->stored.load(std::memory_order_relaxed));
  if (first >= owed) return;
  const bool isFirst = reserved < ring->granted.load(std::memory_order_relaxed);
  if (const int error = reserve(ring, first, isFirst ? owed - first : kGrantedBlocks)) ring->refused.store(static_cast<uint32_t>(error), std::memory_order_release);
  tellChange(ring);
}

int RingWriter::reserve(Ring* ring, uint64_t first, uint64_t most) {
  const bool makes = ring->isMade.load(std::memory_order_acquire) == 0;
  const int fd = files_.open(ring->name, makes);
  if (fd < 0) return -fd;
  ring->isMade.store(1, std::memory_order_release);
  int error = -ENOSPC;
  for (uint64_t blocks = most; blocks > 0; blocks = blocks > 1 ? 1 : 0) {
    error = reserveSpaceBesideOthers(fd, first * format::kBlockBytes, blocks * format::kBlockBytes);
    if (error == 0) {
      const uint64_t end = first + blocks;
      ring->reserved.store(end, std::memory_order_release);
      if (end > ring->granted.load(std::memory_order_relaxed)) ring->granted.store(end, std::memory_order_release);
      break;
    }
    // A part may have been reserved. It stays: the thread may have left the ring, and have mapped it.
  }
  return -error;
}

// After all of it is written.
void RingWriter::release(Ring* ring, uint32_t number) {
  const uint64_t end = ring->endBytes.load();
  const uint64_t blocks = (end + format::kBlockBytes - 1) / format::kBlockBytes;
  const uint64_t reserved = ring->reserved.load();
  if (event_rings::ownerOf(ring->owner.load()) == Owner::kGone) {
    const int fd = files_.open(ring->name);
    struct stat status {};
    if (fd >= 0 && fstat(fd, &status) == 0 && static_cast<uint64_t>(status.st_size) > end) sys::ftruncate(fd, end);
  }
  files_.close(ring->name);
  if (const uint32_t events = ring->lost.exchange(0)) tellLost(ring->name, events, static_cast<int>(ring->failure.load()));
  if (reserved > blocks) giveBackFileSpace((reserved - blocks) * format::kBlockBytes);
  memset(memory_ + event_rings::blocksOffset(number), 0, event_rings::kRingBytes);
  ring->owner.store(0, std::memory_order_seq_cst);
}

}  // namespace parallax::record
