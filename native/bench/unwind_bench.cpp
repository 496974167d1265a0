// What a call path costs, in nanoseconds, at an intercepted call: with none of what makes walks
// cheap, with each of them added to those before it, and beside glibc's backtrace; then what a whole
// routine costs that is recorded with its call path, without it, or only counted. All variants of
// a column take turns in one run; printed is the least of the rounds, as whatever disturbs adds.
//
//   parallax-bench-unwind [REPETITIONS]
//
// same place     the same call again and again
// other place    two calls of one function in turns
// new subtree    a frame in the middle returns and is called again: the cost for each frame below it,
//                the calls of the program included (row "calls alone")
#include <execinfo.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/agent.h"
#include "core/process.h"
#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"
#include "tests/temporary_directory.h"

namespace parallax {
namespace {

constexpr int kRounds = 15;
constexpr size_t kMost = Unwinder::kMaxFrames;
constexpr int kDepths[] = {10, 30, 100, 300, 1000};
constexpr size_t kDepthCount = sizeof kDepths / sizeof kDepths[0];

int repetitions = 4000;
volatile uint64_t sink;
// The return addresses of benchmarks must not depend on which variant runs.
using Visit = void();

uint64_t nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

template <class Work>
double nsPerCall(int count, Work&& work) {
  double least = 1e18;
  for (int r = 0; r < kRounds; ++r) {
    const uint64_t start = nowNs();
    for (int i = 0; i < count; ++i) work();
    least = std::min(least, static_cast<double>(nowNs() - start) / count);
  }
  return least;
}

// ---------------------------------------------------------------------- variants

struct Variant {
  const char* name;
  Economy economy;
  bool markAll;
  Visit* visit;
  int every;  // measured with so many times fewer repetitions
  Unwinder* unwinder;
};

Unwinder* unwinder;  // of the variant that runs

#define CAPTURE(start)                                         \
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2" \
               : "=&r"((start).pc), "=&r"((start).rsp), "=&r"((start).rbp))

__attribute__((noinline)) void walkHere() {
  WalkStart start;
  CAPTURE(start);
  sink = unwinder->pathOfCall({start.pc, start.rsp, start.rbp, true});
}

__attribute__((noinline)) void backtraceHere() {
  void* pcs[kMost];
  sink = static_cast<uint64_t>(backtrace(pcs, kMost));
}

// What frame pointers would give if all code had them, without a look at what code it is.
__attribute__((noinline, optimize("no-omit-frame-pointer"))) void framePointersHere() {
  auto* frame = static_cast<uint64_t*>(__builtin_frame_address(0));
  uint32_t path = 0;
  uint64_t pcs[kMost];
  size_t count = 0;
  while (count < kMost) {
    auto* next = reinterpret_cast<uint64_t*>(*frame);
    pcs[count++] = frame[1];
    if (next <= frame || reinterpret_cast<uint64_t>(next) - reinterpret_cast<uint64_t>(frame) > 65536) {
      break;
    }
    frame = next;
  }
  while (count-- > 0) path = callPath(path, format::PathKind::kReturnAddress, pcs[count]);
  sink = path;
}

__attribute__((noinline)) void nothingHere() { sink = 0; }

// Whole routines, as the agent records them; names by which they are measured differently.
Region fullRegion("bench", format::Group::kAgent);
Region flatRegion("MPI_Wtick", format::Group::kMpi);
Region countedRegion("MPI_Wtime", format::Group::kMpi);
__attribute__((noinline)) void fullCall() { Call call(fullRegion); }
__attribute__((noinline)) void flatCall() { Call call(flatRegion); }
__attribute__((noinline)) void countedCall() { Call call(countedRegion); }

Variant variants[] = {
    {"calls alone", Economy::kNone, false, nothingHere, 1, nullptr},
    {"no economies", Economy::kNone, false, walkHere, 8, nullptr},
    {"+ rule cache", Economy::kRuleCache, false, walkHere, 4, nullptr},
    {"+ last walk", Economy::kLastWalk, false, walkHere, 2, nullptr},
    {"+ markers", Economy::kMarkers, false, walkHere, 1, nullptr},
    {"all frames marked", Economy::kMarkers, true, walkHere, 1, nullptr},
    {"frame pointers", Economy::kNone, false, framePointersHere, 4, nullptr},
    {"glibc backtrace", Economy::kNone, false, backtraceHere, 40, nullptr},
    {"routine with call path", Economy::kMarkers, false, fullCall, 1, nullptr},
    {"routine without", Economy::kNone, false, flatCall, 1, nullptr},
    {"routine only counted", Economy::kNone, false, countedCall, 1, nullptr},
};
constexpr size_t kVariantCount = sizeof variants / sizeof variants[0];
constexpr size_t kMarkersVariant = 4, kFramePointerVariant = 6, kFullVariant = 8, kFlatVariant = 9;
constexpr double kGoalNs = 100;

// ------------------------------------------------------------------------ columns

enum Column { kSamePlace, kOtherPlace, kNewSubtree, kColumns };
const char* const kColumnNames[kColumns] = {"same place", "other place", "new subtree, each frame"};

double least[kColumns][kDepthCount][kVariantCount];

// What a column does at its depth: some calls to get used to it, and `count` of them.
using Loop = void(Visit* visit, int count);
double loopNs;

template <class Work>
__attribute__((always_inline)) inline void timed(int count, Work&& work) {
  for (int i = 0; i < count / 8; ++i) work();
  const uint64_t start = nowNs();
  for (int i = 0; i < count; ++i) work();
  loopNs = static_cast<double>(nowNs() - start) / count;
}

#define WITH_FRAME_POINTER __attribute__((noinline, optimize("no-omit-frame-pointer")))

WITH_FRAME_POINTER void once(Visit* visit, int) {
  visit();
  asm volatile("" ::: "memory");
}

WITH_FRAME_POINTER void samePlace(Visit* visit, int count) {
  timed(count, [&] { visit(); });
}

WITH_FRAME_POINTER void otherPlace(Visit* visit, int count) {
  timed(count / 2, [&] {
    visit();
    asm volatile("" ::: "memory");
    visit();
    asm volatile("nop" ::: "memory");
  });
  loopNs /= 2;
}

// Frames as optimised code has them, without and with frame pointers.
template <bool framePointer>
struct Frames;

#define FRAMES(framePointer, options)                                                         \
  template <>                                                                                 \
  struct Frames<framePointer> {                                                               \
    options static long descend(int depth, long a, Loop* loop, Visit* visit, int count) {     \
      if (depth <= 0) {                                                                       \
        loop(visit, count);                                                                   \
        return a;                                                                             \
      }                                                                                       \
      long result = depth % 3 == 0 ? descend(depth - 1, a * 3, loop, visit, count)            \
                                   : descend(depth - 1, a + 7, loop, visit, count);           \
      asm volatile("" : "+r"(result));                                                        \
      return result + a;                                                                      \
    }                                                                                         \
    options static long subtrees(int depth, int below, long a, Visit* visit, int count) {     \
      if (depth > 0) {                                                                        \
        long result = subtrees(depth - 1, below, a + 5, visit, count);                        \
        asm volatile("" : "+r"(result));                                                      \
        return result + a;                                                                    \
      }                                                                                       \
      timed(count, [&] { a += descend(below, a, once, visit, 1); });                          \
      return a;                                                                               \
    }                                                                                         \
  }
FRAMES(false, __attribute__((noinline)));
FRAMES(true, WITH_FRAME_POINTER);

template <bool framePointer>
void runColumn(Column column, int frames, Visit* visit, int count) {
  if (column == kNewSubtree) {
    Frames<framePointer>::subtrees(frames - frames / 2, frames / 2 - 1, 1, visit, count);
  } else {
    Frames<framePointer>::descend(frames, 1, column == kSamePlace ? samePlace : otherPlace, visit,
                                  count);
  }
}

// Frames of the process beyond those of a column and inside of them.
int framesBeyond() {
  static size_t count;
  static Unwinder* counting = Unwinder::create();
  counting->attach(stackOfThread());
  runColumn<false>(kSamePlace, 0, [] {
    WalkStart start;
    CAPTURE(start);
    WalkEnd end;
    uint64_t pcs[1];
    count = counting->walk(start, true, pcs, 1, &end);
  }, 1);
  return static_cast<int>(count);
}

void measure(Column column, size_t depth, size_t number) {
  const Variant& variant = variants[number];
  const int frames = kDepths[depth] - framesBeyond();
  const int below = column == kNewSubtree ? frames / 2 : 1;
  const int scale = column == kNewSubtree ? std::max(1, below / 4) : 1;
  // Those that look at every frame: short enough not to be interrupted each time.
  const int longer = variant.every > 1 && column != kNewSubtree ? 1 + frames / 30 : 1;
  const int count = std::max(8, repetitions / variant.every / scale / longer);
  unwinder = variant.unwinder;
  const auto run = number == kFramePointerVariant ? runColumn<true> : runColumn<false>;
  run(column, frames, variant.visit, count);
  double& cell = least[column][depth][number];
  if (cell == 0 || loopNs / below < cell) cell = loopNs / below;
}

// The whole routine with its call path beside the one without.
void printGoal() {
  printf("\nWhat the call path adds to a routine, goal: at most %.0f ns at any depth\n", kGoalNs);
  for (const Column column : {kSamePlace, kOtherPlace}) {
    double most = 0;
    printf("%-24s", kColumnNames[column]);
    for (size_t depth = 0; depth < kDepthCount; ++depth) {
      const double added =
          least[column][depth][kFullVariant] - least[column][depth][kFlatVariant];
      most = std::max(most, added);
      printf("%10.1f", added);
    }
    printf("  %s\n", most <= kGoalNs
                          ? "reached"
                          : "not reached: the innermost frames are walked again, and a busy or slow "
                            "machine shows");
  }
}

bool record(const char* trace) {
  setenv("PARALLAX_TRACE", trace, 1);
  setenv("PARALLAX_SAMPLE_HZ", "0", 1);
  setenv("PARALLAX_FLAT", flatRegion.name(), 1);
  setenv("PARALLAX_COUNT", countedRegion.name(), 1);
  process.start();
  return currentThread() != nullptr;
}

int measureAll() {
  const uint64_t start = nowNs();
  refreshModules();
  const double buildMs = static_cast<double>(nowNs() - start) / 1e6;
  const TemporaryDirectory trace;
  if (trace.path().empty() || !record(trace.path().c_str())) {
    fprintf(stderr, "parallax-bench-unwind: no trace can be written\n");
    return 1;
  }
  for (Variant& variant : variants) {
    variant.unwinder = Unwinder::create();
    variant.unwinder->attach(stackOfThread());
    variant.unwinder->setEconomy(variant.economy);
    variant.unwinder->setMarkAll(variant.markAll);
  }
  TableReader reader;
  const UnwindTable* table = reader.begin();
  printf("tables: %zu functions of %zu modules, found in %.2f ms\n", table->functionCount(),
         table->moduleCount(), buildMs);
  reader.end();
  printf("unchanged modules looked at again: %.0f ns\n",
         nsPerCall(repetitions, [] { refreshModules(); }));
  printf("clock: rdtsc %.1f ns, clock_gettime %.1f ns\n",
         nsPerCall(repetitions, [] { sink = __rdtsc(); }),
         nsPerCall(repetitions, [] { sink = nowNs(); }));
  for (int round = 0; round < kRounds; ++round) {
    for (int column = 0; column < kColumns; ++column) {
      for (size_t depth = 0; depth < kDepthCount; ++depth) {
        for (size_t i = 0; i < kVariantCount; ++i) measure(static_cast<Column>(column), depth, i);
      }
    }
  }
  process.end(format::EndReason::kExit, 0);
  return 0;
}

int run(int argc, char** argv) {
  if (argc > 1) repetitions = std::max(40, atoi(argv[1]));
  if (const int status = measureAll()) return status;
  for (int column = 0; column < kColumns; ++column) {
    printf("\n%-24s", kColumnNames[column]);
    for (const int depth : kDepths) printf("%10d", depth);
    printf("\n");
    for (size_t i = 0; i < kVariantCount; ++i) {
      printf("%-24s", variants[i].name);
      for (size_t depth = 0; depth < kDepthCount; ++depth) {
        printf("%10.1f", least[column][depth][i]);
      }
      printf("\n");
    }
  }
  printGoal();
  const WalkCounts& counts = variants[kMarkersVariant].unwinder->counts();
  printf("\nwith markers: %llu walks, %llu ended in the last one, %llu failed, %llu markers put\n",
         static_cast<unsigned long long>(counts.walks),
         static_cast<unsigned long long>(counts.reused),
         static_cast<unsigned long long>(counts.failed),
         static_cast<unsigned long long>(counts.marked));
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace parallax

int main(int argc, char** argv) { return parallax::run(argc, argv); }
