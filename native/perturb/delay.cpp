// Compiled for general registers only, because the caller saves no others: code here must not call
// functions that are compiled otherwise.
#include "perturb/delay.h"

#include <time.h>

#include "base/sys.h"
#include "core/clock.h"

namespace parallax::perturb {

Calibration calibration;

namespace {

inline uint64_t ticksNow() {
  return __builtin_expect(clockSettings.readsTsc, true) ? __builtin_ia32_rdtsc()
                                                        : ticksAt(sys::clockNs(CLOCK_MONOTONIC));
}

inline uint64_t nsOf(uint64_t ticks) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ticks) * calibration.nsPerTick32 >> 32);
}


// Each round waits for the one before it, and touches no memory.
inline void work(uint64_t rounds) {
  uint64_t value = rounds;
  asm volatile(
      "1: imul $0x5bd1e995, %0, %0\n\t"
      "sub $1, %1\n\t"
      "jnz 1b"
      : "+r"(value), "+r"(rounds) : : "cc");
}

// Returns the ticks since `start`. Reading the clock takes a fifth of the shortest delays: the last bit
// is work. Without `pause`: it takes 10 to 140 cycles, and in virtual machines may end the time slice.
inline uint64_t spin(uint64_t start, uint64_t ticks) {
  uint64_t past;
  do {
    past = ticksNow() - start;
  } while (past + calibration.clockTicks < ticks);
  if (past >= ticks) return past;
  const uint64_t rounds = (ticks - past) * calibration.roundsPerTick20 >> 20;
  if (rounds > 0) work(rounds);
  return ticks;
}

inline void sleep(uint64_t ns) {
  const uint64_t end = sys::clockNs(CLOCK_MONOTONIC) + ns;
  timespec until;
  until.tv_sec = static_cast<time_t>(end / 1000000000u);
  until.tv_nsec = static_cast<long>(end % 1000000000u);
  constexpr long kInterrupted = -4;
  while (sys::call(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, sys::word(&until), 0) ==
         kInterrupted) {
  }
}

// Returns the ticks that the program has lost.
inline uint64_t delay(const DelayPoint& point) {
  const uint64_t start = ticksNow();
  switch (point.delay) {
    case DelayKind::kTime:
      return spin(start, point.ticks) + calibration.timeTicks;
    case DelayKind::kWork:
      if (point.rounds > 0) work(point.rounds);
      return ticksNow() - start + calibration.workTicks;
    case DelayKind::kSleep:
      sleep(point.amount);
      break;
  }
  return ticksNow() - start;
}

// A temporary buffer: mapped, touched, given back.
inline bool useBuffer(uint64_t sizeBytes) {
  constexpr uint64_t kPageBytes = 4096;
  const auto size = static_cast<long>(sizeBytes > 0 ? sizeBytes : 1);
  const long address = sys::call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address < 0 && address > -4096) return false;
  auto* bytes = reinterpret_cast<volatile char*>(address);
  for (uint64_t at = 0; at < sizeBytes; at += kPageBytes) bytes[at] = 1;
  sys::call(SYS_munmap, address, size);
  return true;
}

struct Wish {
  const DelayPoint* point;
  bool done;
};

void treatWithStateKept(void* argument) {
  auto* wish = static_cast<Wish*>(argument);
  const DelayPoint& point = *wish->point;
  wish->done = point.action == Action::kLock ? takeLock(reinterpret_cast<void*>(point.amount))
                                             : sendDummyMessage(point.amount);
}

// Applies treatments that call library functions. These functions, or a signal handler that
// interrupts them, can reach a delay point themselves: such points only count.
bool treatByLibrary(const DelayPoint& point) {
  if (threadCells.treated || !calibration.canKeepState) return false;
  threadCells.treated = true;
  Wish wish{&point, false};
  parallaxKeepState(treatWithStateKept, &wish);
  threadCells.treated = false;
  return wish.done;
}

__attribute__((noinline)) void treat(const DelayPoint& point, Cell* cell, bool shared) {
  bool done = true;
  uint64_t start = 0;
  switch (point.action) {
    case Action::kNone:
    case Action::kSpeedup:
      return;
    case Action::kDelay: {
      add(&cell->requestedNs, point.amount, shared);
      add(&cell->achievedNs, nsOf(delay(point)), shared);
      return;
    }
    case Action::kBuffer:
      start = ticksNow();
      done = useBuffer(point.amount);
      break;
    case Action::kLock:
    case Action::kMessage:
      start = ticksNow();
      done = treatByLibrary(point);
      break;
  }
  if (done) {
    add(&cell->achievedNs, nsOf(ticksNow() - start), shared);
  } else {
    add(&cell->skipped, 1, shared);
  }
}

}  // namespace

extern "C" void parallaxDelayPoint(const DelayPoint* point) {
  const uint32_t generation = wipedForkGeneration.number.load(std::memory_order_relaxed);
  if (__builtin_expect(threadCells.generation != generation || generation == 0, false)) claimCells();
  const bool shared = threadCells.shared;
  Cell* cell = threadCells.cells + point->id;
  add(&cell->count, 1, shared);
  if (point->action == Action::kNone || point->action == Action::kSpeedup) return;
  const bool before = threadCells.treats;
  threadCells.treats = true;
  asm volatile("" ::: "memory");  // a sample that interrupts here must see the store before
  treat(*point, cell, shared);
  asm volatile("" ::: "memory");
  threadCells.treats = before;
}

}  // namespace parallax::perturb
