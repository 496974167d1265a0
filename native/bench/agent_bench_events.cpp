#include <cstdio>

#include "bench/agent_bench.h"
#include "core/agent.h"
#include "core/clock.h"
#include "core/cpu_clock.h"
#include "core/process.h"
#include "core/runnable_time.h"
#include "core/thread.h"
#include "sampler/sampler.h"

namespace parallax::bench {

namespace {
volatile uint64_t sink;
Region region("bench", format::Group::kAgent);
Region innerRegion("bench inner", format::Group::kAgent);

int tellOfNoTrace() {
  fprintf(stderr, "parallax-bench-agent: the trace directory cannot be written\n");
  return 1;
}

void pair() { Call call(region); }
void waitingPair() {
  Call call(region);
  call.returned();
}

// Least and mean of the same calls: the mean, by CPU time, has the new blocks of the file.
template <class F>
void printPairs(const char* name, uint64_t calls, F f) {
  constexpr uint64_t kRounds = 100;
  double least = 1e18;
  const uint64_t begin = CpuClock::readNs();
  for (uint64_t round = 0; round < kRounds; round++) {
    const double ns = meanNs(calls / kRounds, f);
    if (ns < least) least = ns;
  }
  printf("%s_least_ns %.3f\n%s_mean_ns %.3f\n", name, least, name,
         static_cast<double>(CpuClock::readNs() - begin) / static_cast<double>(calls));
}

}  // namespace

int benchPairs(uint64_t calls) {
  calls = calls / 100 * 100;
  process.start();
  Thread* thread = currentThread();
  if (thread == nullptr) return tellOfNoTrace();
  printf("clock_begin_ns %.3f\n", leastNs(calls, [] { sink = readTicks(); }));
  printf("clock_end_ns %.3f\n", leastNs(calls, [] { sink = readTicksAfter(); }));
  {
    costs::WithoutPaths without(thread);
    printPairs("pair", calls, [] { pair(); });
    printPairs("waiting_pair", calls, [] { waitingPair(); });
  }
  printPairs("path_pair", calls, [] { pair(); });
  printf("events %llu\n", static_cast<unsigned long long>(6 * calls));
  process.end(format::EndReason::kExit, 0);
  return 0;
}

int benchEvents(uint64_t calls) {
  process.start();
  Thread* thread = currentThread();
  if (thread == nullptr) return tellOfNoTrace();
  const double clockNs = leastNs(calls, [] { sink = readTicks(); });
  const double clockAfterNs = leastNs(calls, [] { sink = readTicksAfter(); });
  const costs::EventCosts events = costs::measureEvents(thread, calls);
  const double sustainedNs = meanNs(calls, [] { Call call(region); });
  double nestedNs = 0, pathNs = 0;
  {
    Guard guard;
    pathNs = leastNs(calls, [thread] { sink = sampler::callerPath(thread, nullptr, region); });
    nestedNs = leastNs(calls, [] { Call call(innerRegion); });
  }
  CpuClock mark{};
  const bool marked = mark.open() && mark.kind() == format::CpuClock::kSwitchMark;
  const double markNs = leastNs(calls, [&] { sink = mark.changed(); });
  mark.close();
  CpuClock page{};
  const bool paged = page.openPerfPage();
  const double pageNs = leastNs(calls, [&] { sink = page.changed(); });
  page.close();
  const double cpuReadNs = leastNs(calls / 10, [] { sink = CpuClock::readNs(); });
  RunnableTime::Switches switches{};
  const double switchesNs = leastNs(calls / 10, [&] { sink = RunnableTime::readSwitches(&switches); });
  uint64_t delayNs = 0;
  const double delayReadNs = leastNs(calls / 10, [&] { sink = RunnableTime::readDelayNs(&delayNs); });

  printf("%-52s %8.1f\n", "clock read (beginning of a routine)", clockNs);
  printf("%-52s %8.1f\n", "clock read (end of a routine)", clockAfterNs);
  printf("%-52s %8.1f\n", "Enter and Leave, two clock reads, 16 bytes", events.pair);
  printf("%-52s %8.1f\n", "the same with the call path", events.pathPair);
  printf("%-52s %8.1f\n", "  of which the call path, from the same place", pathNs);
  printf("%-52s %8.1f\n", "  mean of all, with new blocks and interruptions", sustainedNs);
  printf("%-52s %8.1f\n", "Enter, Send and Leave, 40 bytes", events.pathPair + events.payload);
  printf("%-52s %8.1f\n", "one event without a routine, 16 bytes", events.instant);
  printf("%-52s %8.1f\n", "a routine that is only counted", events.counted);
  printf("%-52s %8.1f\n", "a routine nested in another, no event", nestedNs);
  printf("%-52s %8.1f%s\n", "CPU time looked at, switch mark", markNs,
         marked ? "" : "  (not to be had here)");
  printf("%-52s %8.1f%s\n", "CPU time looked at, perf page", pageNs,
         paged ? "" : "  (denied here)");
  printf("%-52s %8.1f\n", "CPU time read by a system call", cpuReadNs);
  printf("%-52s %8.1f\n", "context switches read", switchesNs);
  printf("%-52s %8.1f\n", "wait for a processor read", delayReadNs);
  benchMeasured(calls);
  process.end(format::EndReason::kExit, 0);
  return 0;
}

}  // namespace parallax::bench
