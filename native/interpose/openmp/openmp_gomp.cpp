// libgomp's entry points for parallel regions, barriers and work sharing. Where the runtime calls
// the program's function, it is given runShare() instead (openmp_team.h).
//
// Called before the real function is known: the runtimes are looked for at once
// (openmp_runtime.h). Without a runtime a region is run by its master alone. Called inside an
// intercepted routine, by a thread or process that is not recorded, or when LLVM's runtime is
// behind it: passes straight through. None of them calls another one of them through its symbol.
#include <cstdarg>

#include "interpose/openmp/openmp_runtime.h"
#include "interpose/openmp/openmp_team.h"
#include "perturb/speedup.h"

namespace parallax::openmp {
namespace {

using format::Group;
using Function = void (*)(void*);

Region barrierRegion("omp barrier", Group::kOpenMp);
Region endOfLoopRegion("omp implicit barrier", Group::kOpenMp);
Region copyRegion("omp single copyprivate", Group::kOpenMp);
Region doacrossRegion("omp ordered depend", Group::kOpenMp);

Team* begin(const Runtime& runtime, RoutineFrame frame, Function function, void* data) {
  if (!records(runtime)) return nullptr;
  const Queries queries{runtime.get<unsigned()>(Entry::komp_get_num_threads),
                        runtime.get<unsigned()>(Entry::komp_get_thread_num)};
  return beginRegion(function, data, queries, reinterpret_cast<const void*>(frame[1]), frame);
}

// Where nothing is recorded, for a virtual speed-up: what the runtime calls instead of the program's
// function.
struct BareShare {
  void* first;  // as in ReductionData
  Function function;
  void* data;
};
void runBareShare(void* argument) {
  const auto* bare = static_cast<const BareShare*>(argument);
  const speedup::Share share;
  bare->function(bare->data);
}

// real(function, data) runs a whole region.
template <class Real>
auto runRegion(const Runtime& runtime, RoutineFrame frame, Function function, void* data, Real real) {
  Team* team = begin(runtime, frame, function, data);
  if (team == nullptr && !speedup::active) return real(function, data);
  struct End {
    Team* team;
    ~End() {
      speedup::endShares();
      if (team != nullptr) endRegion(team);
    }
  } end{team};
  if (speedup::active) speedup::pay();
  if (team != nullptr) return real(runShare, static_cast<void*>(team));
  BareShare share{nullptr, function, data};
  return real(runBareShare, static_cast<void*>(&share));
}

// Programs of old compilers: the master runs its share itself, between two calls.
template <class Real>
void startRegion(const Runtime& runtime, RoutineFrame frame, Function function, void* data, Real real) {
  Team* team = begin(runtime, frame, function, data);
  if (team == nullptr) return real(function, data);
  real(runShare, static_cast<void*>(team));
  auto* threadCount = team->queries.threadCount;
  beginShare(team, threadCount != nullptr ? threadCount() : 1, 0, nullptr);
}

End endOfCancellable(const Runtime& runtime) {
  return canCancel(runtime) ? End::kPlain : End::kBarrier;
}

}  // namespace
}  // namespace parallax::openmp

using namespace parallax;
using namespace parallax::openmp;

#define PARALLAX_RUNTIME(name) runtimeFor(__builtin_return_address(0), Entry::k##name)
#define PARALLAX_REAL(name) (runtime->get<decltype(name)>(Entry::k##name))

// -------------------------------------------------------------------- regions

PARALLAX_EXPORT void GOMP_parallel(void (*function)(void*), void* data, unsigned threads,
                                   unsigned flags) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_parallel);
  if (runtime == nullptr) return function(data);
  auto* real = PARALLAX_REAL(GOMP_parallel);
  runRegion(*runtime, PARALLAX_FRAME, function, data,
            [=](Function f, void* d) { real(f, d, threads, flags); });
  keepFrame();
}

PARALLAX_EXPORT unsigned GOMP_parallel_reductions(void (*function)(void*), void* data,
                                                  unsigned threads, unsigned flags);

namespace {

// libgomp reads the first word of the data, and each thread its share of what that points to.
struct ReductionData {
  void* first;
  Team* team;
};

void runReductionShare(void* data) { runShare(static_cast<ReductionData*>(data)->team); }

}  // namespace

PARALLAX_EXPORT unsigned GOMP_parallel_reductions(void (*function)(void*), void* data,
                                                  unsigned threads, unsigned flags) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_parallel_reductions);
  if (runtime == nullptr) {
    function(data);
    return 1;
  }
  auto* real = PARALLAX_REAL(GOMP_parallel_reductions);
  const unsigned count = runRegion(*runtime, PARALLAX_FRAME, function, data, [=](Function f, void* d) {
    if (f == runBareShare) static_cast<BareShare*>(d)->first = *static_cast<void**>(data);
    if (f != runShare) return real(f, d, threads, flags);
    ReductionData reduction{*static_cast<void**>(data), static_cast<Team*>(d)};
    return real(runReductionShare, &reduction, threads, flags);
  });
  keepFrame();
  return count;
}

#define PARALLAX_PARALLEL_LOOP(name)                                                             \
  PARALLAX_EXPORT void name(void (*function)(void*), void* data, unsigned threads, long start,   \
                            long end, long increment, long chunk, unsigned flags) {              \
    const Runtime* runtime = PARALLAX_RUNTIME(name);                                             \
    if (runtime == nullptr) return function(data);                                               \
    auto* real = PARALLAX_REAL(name);                                                            \
    runRegion(*runtime, PARALLAX_FRAME, function, data, [=](Function f, void* d) {  \
      real(f, d, threads, start, end, increment, chunk, flags);                                  \
    });                                                                                          \
    keepFrame();                                                                                 \
  }
#define PARALLAX_PARALLEL_RUNTIME_LOOP(name)                                                     \
  PARALLAX_EXPORT void name(void (*function)(void*), void* data, unsigned threads, long start,   \
                            long end, long increment, unsigned flags) {                          \
    const Runtime* runtime = PARALLAX_RUNTIME(name);                                             \
    if (runtime == nullptr) return function(data);                                               \
    auto* real = PARALLAX_REAL(name);                                                            \
    runRegion(*runtime, PARALLAX_FRAME, function, data, [=](Function f, void* d) {  \
      real(f, d, threads, start, end, increment, flags);                                         \
    });                                                                                          \
    keepFrame();                                                                                 \
  }

PARALLAX_PARALLEL_LOOP(GOMP_parallel_loop_static)
PARALLAX_PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
PARALLAX_PARALLEL_LOOP(GOMP_parallel_loop_guided)
PARALLAX_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
PARALLAX_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
PARALLAX_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
PARALLAX_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLAX_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

PARALLAX_EXPORT void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads,
                                            unsigned count, unsigned flags) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_parallel_sections);
  if (runtime == nullptr) return function(data);
  auto* real = PARALLAX_REAL(GOMP_parallel_sections);
  runRegion(*runtime, PARALLAX_FRAME, function, data,
            [=](Function f, void* d) { real(f, d, threads, count, flags); });
  keepFrame();
}

PARALLAX_EXPORT void GOMP_parallel_start(void (*function)(void*), void* data, unsigned threads) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_parallel_start);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_parallel_start);
  startRegion(*runtime, PARALLAX_FRAME, function, data,
              [=](Function f, void* d) { real(f, d, threads); });
  keepFrame();
}

PARALLAX_EXPORT void GOMP_parallel_sections_start(void (*function)(void*), void* data,
                                                  unsigned threads, unsigned count) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_parallel_sections_start);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_parallel_sections_start);
  startRegion(*runtime, PARALLAX_FRAME, function, data,
              [=](Function f, void* d) { real(f, d, threads, count); });
  keepFrame();
}

#define PARALLAX_LOOP_START(name)                                                                \
  PARALLAX_EXPORT void name(void (*function)(void*), void* data, unsigned threads, long start,   \
                            long end, long increment, long chunk) {                              \
    const Runtime* runtime = PARALLAX_RUNTIME(name);                                             \
    if (runtime == nullptr) return;                                                              \
    auto* real = PARALLAX_REAL(name);                                                            \
    startRegion(*runtime, PARALLAX_FRAME, function, data,                           \
                [=](Function f, void* d) { real(f, d, threads, start, end, increment, chunk); });\
    keepFrame();                                                                                 \
  }
PARALLAX_LOOP_START(GOMP_parallel_loop_static_start)
PARALLAX_LOOP_START(GOMP_parallel_loop_dynamic_start)
PARALLAX_LOOP_START(GOMP_parallel_loop_guided_start)

PARALLAX_EXPORT void GOMP_parallel_loop_runtime_start(void (*function)(void*), void* data,
                                                      unsigned threads, long start, long end,
                                                      long increment) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_parallel_loop_runtime_start);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_parallel_loop_runtime_start);
  startRegion(*runtime, PARALLAX_FRAME, function, data,
              [=](Function f, void* d) { real(f, d, threads, start, end, increment); });
  keepFrame();
}

PARALLAX_EXPORT void GOMP_parallel_end() {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_parallel_end);
  if (runtime == nullptr) return;
  Team* team = state.team;
  const bool ours = records(*runtime) && team != nullptr && team->master == &state;
  if (ours) endShare(team);
  PARALLAX_REAL(GOMP_parallel_end)();
  if (ours) endRegion(team);
}

// ------------------------------------------------------------------- barriers

// Calls the routine, within Enter and Leave where it is recorded.
#define PARALLAX_ROUTINE(name, region, end)                \
  PARALLAX_EXPORT void name() {                            \
    const Runtime* runtime = PARALLAX_RUNTIME(name);       \
    if (runtime == nullptr) return;                        \
    auto* real = PARALLAX_REAL(name);                      \
    const speedup::Wait wait;                              \
    if (!records(*runtime)) return real();                 \
    Routine routine(PARALLAX_FRAME, region, end);                          \
    real();                                                \
  }
// The same; true: the region was cancelled. Where that can happen some may have passed the barrier
// when others are told so: who took part is not known.
#define PARALLAX_CANCELLABLE(name, region)                 \
  PARALLAX_EXPORT bool name() {                            \
    const Runtime* runtime = PARALLAX_RUNTIME(name);       \
    if (runtime == nullptr) return false;                  \
    auto* real = PARALLAX_REAL(name);                      \
    const speedup::Wait wait;                              \
    if (!records(*runtime)) return real();                 \
    Routine routine(PARALLAX_FRAME, region, endOfCancellable(*runtime));   \
    return real();                                         \
  }

PARALLAX_ROUTINE(GOMP_barrier, barrierRegion, End::kBarrier)
PARALLAX_CANCELLABLE(GOMP_barrier_cancel, barrierRegion)
PARALLAX_ROUTINE(GOMP_loop_end, endOfLoopRegion, End::kBarrier)
PARALLAX_CANCELLABLE(GOMP_loop_end_cancel, endOfLoopRegion)
PARALLAX_ROUTINE(GOMP_sections_end, endOfLoopRegion, End::kBarrier)
PARALLAX_CANCELLABLE(GOMP_sections_end_cancel, endOfLoopRegion)

// One thread gets null and executes the block; the others wait for its GOMP_single_copy_end.
PARALLAX_EXPORT void* GOMP_single_copy_start() {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_single_copy_start);
  if (runtime == nullptr) return nullptr;
  auto* real = PARALLAX_REAL(GOMP_single_copy_start);
  const speedup::Wait wait;
  if (!records(*runtime)) return real();
  Routine routine(PARALLAX_FRAME, copyRegion, End::kBarrier);
  void* data = real();
  if (data == nullptr) routine.endAs(End::kPlain);
  return data;
}

PARALLAX_EXPORT void GOMP_single_copy_end(void* data) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_single_copy_end);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_single_copy_end);
  const speedup::Wait wait;
  if (!records(*runtime)) return real(data);
  Routine routine(PARALLAX_FRAME, copyRegion, End::kBarrier);
  real(data);
}

// The number of arguments, one for each loop, is known to the runtime alone. More than there are
// may be passed: they are words further up on the stack.
#define PARALLAX_DOACROSS_WAIT(name, type)                                                       \
  PARALLAX_EXPORT void name(type first, ...) {                                                   \
    const Runtime* runtime = PARALLAX_RUNTIME(name);                                             \
    if (runtime == nullptr) return;                                                              \
    auto* real = PARALLAX_REAL(name);                                                            \
    type rest[15];                                                                               \
    va_list list;                                                                                \
    va_start(list, first);                                                                       \
    for (type& word : rest) word = va_arg(list, type);                                           \
    va_end(list);                                                                                \
    const speedup::Wait wait;                                                                    \
    const auto call = [&] {                                                                      \
      real(first, rest[0], rest[1], rest[2], rest[3], rest[4], rest[5], rest[6], rest[7],        \
           rest[8], rest[9], rest[10], rest[11], rest[12], rest[13], rest[14]);                  \
    };                                                                                           \
    if (!records(*runtime)) return call();                                                       \
    Routine routine(PARALLAX_FRAME, doacrossRegion);                                                             \
    call();                                                                                      \
  }
PARALLAX_DOACROSS_WAIT(GOMP_doacross_wait, long)
PARALLAX_DOACROSS_WAIT(GOMP_doacross_ull_wait, unsigned long long)
