#include "tools/event_costs.h"

#include <csignal>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/sys.h"
#include "core/clock.h"
#include "core/cpu_clock.h"
#include "core/process.h"
#include "core/runnable_time.h"
#include "core/thread.h"
#include "sampler/sampler.h"

namespace parallax::costs {
namespace {

volatile uint64_t sink;
volatile double computed;
Region region("calibration", format::Group::kAgent);
Region countedRegion("MPI_Wtime", format::Group::kMpi);

constexpr int kDepth = 32;

// The optimizer must keep each frame.
template <class F>
__attribute__((noinline)) void descend(int depth, const F& f) {
  if (depth == 0) {
    f();
  } else {
    descend(depth - 1, f);
  }
  asm volatile("");
}

__attribute__((noinline)) void compute() {
  constexpr int kSteps = 1500;
  double x = 1;
  for (int i = 0; i < kSteps; i++) x = x * 1.0000001 + 0.1;
  computed = x;
}

class Stopwatch {
 public:
  // Since the last call.
  double lapNs() {
    const double now = nowNs(), ns = now - last_;
    last_ = now;
    return ns;
  }

 private:
  double last_ = nowNs();
};

// CPU time of f, in which other programs have no part.
template <class F>
double cpuNsOf(F f) {
  const uint64_t begin = CpuClock::readNs();
  f();
  return static_cast<double>(CpuClock::readNs() - begin);
}

}  // namespace

EventCosts measureEvents(Thread* thread, uint64_t calls) {
  EventCosts costs{};
  {
    const WithoutPaths without(thread);
    costs.pair = leastNs(calls, [] { const Call call(region); });
    const double withPayload = leastNs(calls, [] {
      Call call(region);
      call.emit(Kind::kSend, 1, {2, 3});
    });
    costs.payload = std::max(0.0, withPayload - costs.pair);
  }
  const auto pair = [] { const Call call(region); };
  const auto nothing = [] { sink = 1; };
  costs.pathPair = leastNs(calls, pair);
  const double deep = leastNs(calls / kDepth, [&] { descend(kDepth, pair); });
  const double plain = leastNs(calls / kDepth, [&] { descend(kDepth, nothing); });
  costs.frame = std::max(0.0, (deep - plain - costs.pathPair) / kDepth);
  costs.instant = leastNs(calls, [] {
    Instant instant;
    instant.emit(Kind::kAcquire, 1, {2});
  });
  costs.counted = leastNs(calls, [] { const Call call(countedRegion); });
  RunnableTime::Switches switches{};
  costs.cpuRead = leastNs(calls / 10, [&] {
    sink = CpuClock::readNs();
    sink = RunnableTime::readSwitches(&switches);
  });
  return costs;
}

double measureBlockNs(Thread* thread) {
  const WithoutPaths without(thread);
  // More than a cache holds: the memory of a block is new to the processor.
  constexpr uint64_t kRound = 200, kRounds = format::kBlockSlots / 2 / kRound;
  constexpr size_t kGroups = 5, kBlocks = 16;
  double leastPair = 1e18, groups[kGroups];
  for (double& group : groups) {
    group = cpuNsOf([&] {
      for (uint64_t round = 0; round < kRounds * kBlocks; round++) {
        leastPair = std::min(leastPair, meanNs(kRound, [] { const Call call(region); }));
      }
    }) / kBlocks;
  }
  std::sort(groups, groups + kGroups);
  return std::max(0.0, groups[kGroups / 2] - leastPair * static_cast<double>(kRound * kRounds));
}

double measureRefillNs(Thread* thread, double warmNs) {
  const WithoutPaths without(thread);
  constexpr long kLeast = 1 << 20, kMost = 1 << 23;
  constexpr size_t kTurns = 9, kLine = 64, kTimes = 4;
  const size_t bytes = kTimes * static_cast<size_t>(std::clamp(sysconf(_SC_LEVEL2_CACHE_SIZE), kLeast, kMost));
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  memset(memory, 1, bytes);  // else all its pages are one
  double all[kTurns];
  for (double& ns : all) {
    const timespec shortest{0, 1};
    nanosleep(&shortest, nullptr);
    const auto* const lines = static_cast<const volatile unsigned char*>(memory);
    for (size_t at = 0; at < bytes; at += kLine) sink = lines[at];
    ns = meanNs(1, [] {
      Call call(region);
      call.emit(Kind::kSend, 1, {2, 3});
    });
  }
  munmap(memory, bytes);
  std::sort(all, all + kTurns);
  return std::max(0.0, all[kTurns / 2] - warmNs);
}

double measureTimerSampleNs(Thread* thread) {
  // The signal is sent again and again instead of by the timer: its expiry costs little, as it stands in the kernel's
  // tick. On a busy machine, hundreds of milliseconds can pass without one.
  siginfo_t info = sampler::timerSignalOf(thread);
  if (info.si_signo == 0) return 0;
  const auto send = [&](int number) {
    sys::call(SYS_rt_tgsigqueueinfo, sys::getpid(), sys::gettid(), number, sys::word(&info));
  };
  constexpr int kSamples = 1000;
  constexpr int kSampleDepth = 10;
  const uint64_t before = thread->lastEventTicks();
  double withSignal = 0, without = 0;
  descend(kSampleDepth, [&] { withSignal = leastNs(kSamples, [&] { send(info.si_signo); }); });
  if (thread->lastEventTicks() == before) return 0;
  descend(kSampleDepth, [&] { without = leastNs(kSamples, [&] { send(0); }); });
  return std::max(0.0, withSignal - without);
}

double measureRealSampleNs(Thread* thread, size_t samples, double spanNs) {
  constexpr size_t kMost = 64;
  double with[kMost];  // of pieces of work with a sample
  size_t count = 0;
  double least = 1e18;
  bool isFirst = true;  // which loads tables
  Stopwatch watch;
  const uint64_t begin = CpuClock::readNs();
  while (static_cast<double>(CpuClock::readNs() - begin) < spanNs && count < std::min(samples, kMost)) {
    const uint64_t before = thread->lastEventTicks();
    watch.lapNs();
    compute();
    const double ns = watch.lapNs();
    least = std::min(least, ns);
    if (thread->lastEventTicks() == before) continue;
    if (!isFirst) with[count++] = ns;
    isFirst = false;
  }
  if (count == 0) return 0;
  std::sort(with, with + count);
  return std::max(0.0, with[(count - 1) / 4] - least);  // the upper ones are interrupted otherwise, too
}

}  // namespace parallax::costs
