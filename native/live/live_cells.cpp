// Counting in the cells of the calling thread. Inside a Guard, so that no handler of a signal counts in between.
#include <initializer_list>

#include "base/fork_generation.h"
#include "base/signals_blocked.h"
#include "base/sys.h"
#include "live/live_agent.h"
#include "live/live_files.h"
#include "transport/trace_space.h"

namespace parallax::live {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

struct OwnShard {
  uint32_t index;
  uint32_t generation;  // of forks, in which it was claimed; 0: none
};
__thread OwnShard ownShard __attribute__((tls_model("initial-exec")));

uint32_t shardOf(const Page& page) {
  if (__builtin_expect(ownShard.generation == forkGeneration(), true)) return ownShard.index;
  const auto tid = static_cast<uint32_t>(sys::gettid());
  ownShard.index = kSharedShard;
  for (uint32_t i = 0; i < kOwnShards && ownShard.index == kSharedShard; i++) {
    auto& owner = page.header().owners[i];
    uint32_t nobody = 0;
    if (owner.load(kRelaxed) == 0 && owner.compare_exchange_strong(nobody, tid, std::memory_order_acq_rel)) ownShard.index = i;
  }
  ownShard.generation = forkGeneration();
  return ownShard.index;
}

// False where the disk is full, say: touching the row would end the program. Then it is tried again after a while, and not at each
// visit.
__attribute__((noinline)) bool reserveRow(const Page& page, uint32_t shard, uint32_t point) {
  constexpr uint64_t kAgainNs = 1000000000;
  static std::atomic<uint64_t> againNs{0};
  const uint64_t now = sys::clockNs(CLOCK_MONOTONIC);
  if (now < againNs.load(kRelaxed)) return false;
  const SignalsBlocked blocked;  // a handler that left it by longjmp would leave a descriptor
  const int fd = files.openFile(fileName, O_RDWR | O_NOFOLLOW);
  const bool reserved = fd >= 0 && reserveFileSpace(fd, Page::rowOffset(shard, point), kRowBytes) == 0;
  if (fd >= 0) sys::close(fd);
  if (!reserved) againNs.store(now + kAgainNs, kRelaxed);
  if (reserved) page.header().usedRows[shard].fetch_or(uint64_t{1} << point, std::memory_order_acq_rel);
  return reserved;
}

// The cell of a key; a cell of a former point is free. The last one is for all peers that find no other. Only the writer of the
// row looks for one, or those that share it, of which two may take the same: take() finds that out.
Cell* findPeer(Cell* row, uint32_t epoch, uint32_t peer) {
  constexpr uint32_t kPeers = kCells - 1, kProbes = 8;
  for (uint32_t i = 0; i < kProbes; i++) {
    Cell& cell = row[(peer + i) % kPeers];
    if (cell.epoch.load(kRelaxed) != epoch || cell.key.load(kRelaxed) == peer) return &cell;
  }
  return &row[kPeers];
}

// Whether a thread that writes the cell will not end it: it had the same sequence when another visit found it so a second ago. Then a
// handler of a signal has left it by longjmp, or its thread has been cancelled.
__attribute__((noinline)) bool isAbandoned(const Cell& cell, uint32_t sequence) {
  constexpr uint64_t kPatienceNs = 1000000000;
  constexpr size_t kCount = 16;
  static struct {
    std::atomic<const Cell*> cell;
    std::atomic<uint32_t> sequence;
    std::atomic<uint64_t> sinceNs;
  } seen[kCount];
  auto& own = seen[reinterpret_cast<uintptr_t>(&cell) / sizeof(Cell) % kCount];
  const uint64_t now = sys::clockNs(CLOCK_MONOTONIC);
  if (own.cell.load(kRelaxed) == &cell && own.sequence.load(kRelaxed) == sequence) return now - own.sinceNs.load(kRelaxed) > kPatienceNs;
  own.sinceNs.store(now, kRelaxed);
  own.sequence.store(sequence, kRelaxed);
  own.cell.store(&cell, kRelaxed);
  return false;
}

// Makes `sequence` odd and returns it; 0 if the cell, one of the shared shard, is another thread's at the moment. A cell of one's own
// that is odd already was left by longjmp.
uint32_t take(Cell& cell, bool shared) {
  constexpr int kTries = 200;
  uint32_t sequence = cell.sequence.load(kRelaxed);
  if (!shared) {
    const uint32_t taken = (sequence + 1) | 1;
    cell.sequence.store(taken, kRelaxed);
    std::atomic_thread_fence(std::memory_order_release);
    return taken;
  }
  for (int i = 0; i < kTries; i++) {
    if ((sequence & 1) == 0 && cell.sequence.compare_exchange_weak(sequence, sequence + 1, std::memory_order_acq_rel)) return sequence + 1;
    __builtin_ia32_pause();
    sequence = cell.sequence.load(kRelaxed);
  }
  const bool isFree = (sequence & 1) != 0 && isAbandoned(cell, sequence) &&
                      cell.sequence.compare_exchange_strong(sequence, sequence + 2, std::memory_order_acq_rel);
  return isFree ? sequence + 2 : 0;
}

// A cell that was taken as abandoned is the other thread's.
void give(Cell& cell, uint32_t taken, bool shared) {
  if (!shared) return cell.sequence.store(taken + 1, std::memory_order_release);
  cell.sequence.compare_exchange_strong(taken, taken + 1, std::memory_order_acq_rel);
}

template <class T>
void add(std::atomic<T>& number, T value) {
  number.store(number.load(kRelaxed) + value, kRelaxed);
}

// What happens is either counted or lost.
bool countIn(const Page& own, uint32_t shard, uint32_t place, uint32_t peer, uint64_t bytes, uint64_t ticks, bool timed) {
  const Point& point = own.point(place);
  const uint32_t epoch = point.epoch.load(kRelaxed);
  const bool isUsed = (own.header().usedRows[shard].load(std::memory_order_acquire) >> place & 1) != 0;
  if (__builtin_expect(!isUsed, false) && !reserveRow(own, shard, place)) return false;
  Cell* const row = own.row(shard, place);
  const auto keyKind = static_cast<Key>(point.key);
  Cell* cell = &row[0];
  uint32_t key = 0;
  if (keyKind == Key::kSize) {
    key = sizeClass(bytes);
    cell = &row[key];
  } else if (keyKind == Key::kPeer) {
    cell = findPeer(row, epoch, peer);
    key = cell == &row[kCells - 1] ? kOthers : peer;
  }
  const bool isShared = shard == kSharedShard;
  const uint32_t taken = take(*cell, isShared);
  if (taken == 0) return false;
  if (__builtin_expect(cell->epoch.load(kRelaxed) != epoch, false)) {
    cell->epoch.store(epoch, kRelaxed);
    cell->key.store(key, kRelaxed);
    for (auto* number : {&cell->count, &cell->bytes, &cell->ticks, &cell->leastTicks, &cell->mostTicks}) number->store(0, kRelaxed);
    cell->squares.store(0, kRelaxed);
  } else if (__builtin_expect(cell->key.load(kRelaxed) != key, false)) {
    // Of another peer, which has just come to the same cell.
    give(*cell, taken, isShared);
    return false;
  }
  const auto size = static_cast<double>(bytes);
  add<uint64_t>(cell->count, 1);
  add(cell->bytes, bytes);
  add(cell->squares, size * size);
  if (timed) {
    const uint64_t some = ticks > 0 ? ticks : 1, least = cell->leastTicks.load(kRelaxed);
    add(cell->ticks, ticks);
    if (least == 0 || some < least) cell->leastTicks.store(some, kRelaxed);
    if (some > cell->mostTicks.load(kRelaxed)) cell->mostTicks.store(some, kRelaxed);
  }
  give(*cell, taken, isShared);
  return true;
}

}  // namespace

void count(RoutinePoints points, uint32_t peer, uint64_t bytes, uint64_t ticks, bool timed) {
  const Page own = page();
  if (!own) return;
  const uint32_t shard = shardOf(own);
  for (uint64_t rest = points.word << (64 - RoutinePoints::kGenerationShift) >> (64 - RoutinePoints::kGenerationShift); rest != 0;
       rest >>= 8) {
    const auto place = static_cast<uint32_t>(rest & 0xFF) - 1;
    // Since then the place may have got another point.
    constexpr int kUnused = 32 - (64 - RoutinePoints::kGenerationShift);
    const uint32_t age = points.generation() - own.point(place).since.load(kRelaxed);
    if (static_cast<int32_t>(age << kUnused) < 0) continue;
    if (!countIn(own, shard, place, peer, bytes, ticks, timed)) own.header().lost.fetch_add(1, kRelaxed);
  }
}

void leaveShard() {
  const Page own = page();
  if (own && ownShard.generation == forkGeneration() && ownShard.index != kSharedShard) {
    own.header().owners[ownShard.index].store(0, std::memory_order_release);
  }
  ownShard = {};
}

}  // namespace parallax::live
