// What a walk costs, in nanoseconds, beside glibc's backtrace and beside reading the clock.
//
//   parallax-bench-unwind [REPETITIONS]
#include <execinfo.h>
#include <time.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"

namespace parallax {
namespace {

constexpr int kRounds = 7;
constexpr size_t kMost = Unwinder::kMaxFrames;

Unwinder* unwinder;
int repetitions = 20000;
volatile uint64_t sink;

uint64_t nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

// The median of several rounds, each of `count` calls.
template <class Work>
double nsPerCall(int count, Work&& work) {
  std::vector<double> rounds;
  work();
  for (int r = 0; r < kRounds; ++r) {
    const uint64_t start = nowNs();
    for (int i = 0; i < count; ++i) work();
    rounds.push_back(static_cast<double>(nowNs() - start) / count);
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

__attribute__((noinline)) WalkStart captured() {
  WalkStart start;
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
               : "=&r"(start.pc), "=&r"(start.rsp), "=&r"(start.rbp));
  return start;
}

struct Row {
  double walk, same, changed, backtrace;
};

__attribute__((noinline)) uint32_t pathHere() {
  WalkStart start;
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
               : "=&r"(start.pc), "=&r"(start.rsp), "=&r"(start.rbp));
  return unwinder->path(start, true);
}

__attribute__((noinline)) Row measure() {
  Row row;
  row.walk = nsPerCall(repetitions, [] {
    WalkStart start;
    asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
                 : "=&r"(start.pc), "=&r"(start.rsp), "=&r"(start.rbp));
    uint64_t pcs[1];
    WalkEnd end;
    sink = unwinder->walk(start, true, pcs, 1, &end);
  });
  row.same = nsPerCall(repetitions, [] { sink = pathHere(); });
  row.changed = nsPerCall(repetitions / 2, [] {
    sink = pathHere();
    asm volatile("" ::: "memory");
    sink = pathHere();
  }) / 2;
  row.backtrace = nsPerCall(repetitions / 20 + 1, [] {
    void* pcs[kMost];
    sink = static_cast<uint64_t>(backtrace(pcs, kMost));
  });
  return row;
}

// Frames as optimised code has them: no frame pointer, some registers saved.
__attribute__((noinline)) Row descend(int depth, long a, long b) {
  if (depth <= 0) return measure();
  Row row = depth % 3 == 0 ? descend(depth - 1, a * 3 + b, b ^ a)
                           : descend(depth - 1, a - b, a + 7);
  sink = static_cast<uint64_t>(a * b);
  return row;
}

int run(int argc, char** argv) {
  if (argc > 1) repetitions = std::max(100, atoi(argv[1]));
  const uint64_t start = nowNs();
  refreshModules();
  const double buildMs = static_cast<double>(nowNs() - start) / 1e6;
  unwinder = Unwinder::create();
  unwinder->attach(stackOfThread());
  TableReader reader;
  const UnwindTable* table = reader.begin();
  printf("tables: %zu rows of %zu modules, %zu KiB, made in %.2f ms\n", table->rowCount(),
         table->moduleCount(), table->rowCount() * (sizeof(uint32_t) + sizeof(Rule)) / 1024,
         buildMs);
  reader.end();
  printf("unchanged modules looked at again: %.0f ns\n",
         nsPerCall(repetitions, [] { refreshModules(); }));
  printf("clock: rdtsc %.1f ns, clock_gettime %.1f ns\n",
         nsPerCall(repetitions * 10, [] { sink = __rdtsc(); }),
         nsPerCall(repetitions * 10, [] { sink = nowNs(); }));
  printf("%8s %12s %14s %16s %16s\n", "frames", "walk ns", "same place ns", "other place ns",
         "backtrace ns");
  uint64_t pcs[1];
  WalkEnd end;
  const int outer = static_cast<int>(unwinder->walk(captured(), true, pcs, 1, &end));
  for (const int depth : {10, 30, 100, 1000}) {
    const Row row = descend(depth - outer - 1, depth, 3);
    printf("%8d %12.0f %14.0f %16.0f %16.0f\n", depth, row.walk, row.same, row.changed,
           row.backtrace);
  }
  const WalkCounts& counts = unwinder->counts();
  printf("%llu walks, %llu ended in the last one, %llu failed\n",
         static_cast<unsigned long long>(counts.walks),
         static_cast<unsigned long long>(counts.reused),
         static_cast<unsigned long long>(counts.failed));
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) { return parallax::run(argc, argv); }
