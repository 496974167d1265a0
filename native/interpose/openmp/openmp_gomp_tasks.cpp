// libgomp's entry points for tasks. A task is given runTask() as its function, and its data behind
// a header that says what it really is.
//
// Called before the real function is known, without a runtime, inside an intercepted routine and
// with LLVM's runtime: as in openmp_gomp.cpp.
#include <cstddef>
#include <cstring>

#include "interpose/openmp/openmp_runtime.h"
#include "interpose/openmp/openmp_team.h"
#include "perturb/speedup.h"

namespace parallax::openmp {
namespace {

using format::Group;
using Function = void (*)(void*);
using Copy = void (*)(void*, void*);

Region taskRegion("omp task", Group::kOpenMp);
Region taskloopRegion("omp taskloop", Group::kOpenMp);
Region taskwaitRegion("omp taskwait", Group::kOpenMp);
Region taskgroupRegion("omp taskgroup", Group::kOpenMp);

constexpr unsigned kDetachFlag = 1 << 13;

// What the runtime writes into the data before, or reads from it: a taskloop's range, the event of
// a task that can be detached, the reductions of a taskloop.
constexpr size_t kSharedWords = 3;

//   +--------------+----------------------+---------+--------------------+
//   | shared words | function ... created | padding | data of the program|
//   +--------------+----------------------+---------+--------------------+
struct TaskHeader {
  void* shared[kSharedWords];
  Function function;
  Team* team;
  uint64_t created;  // the Signal
  size_t offset;     // of the program's data
  uint32_t words;    // of the shared ones that the runtime writes for each task
};

// What a task is made from; in the place of the program's data.
struct TaskSource {
  TaskHeader header;
  void* data;
  Copy copy;
  size_t bytes;
  bool detachable;
};

void copyTask(void* to, void* from) {
  const auto* source = static_cast<const TaskSource*>(from);
  memcpy(to, &source->header, sizeof source->header);
  char* data = static_cast<char*>(to) + source->header.offset;
  if (source->detachable && source->data != nullptr) {
    *static_cast<void**>(source->data) = source->header.shared[0];
  }
  if (source->copy != nullptr) {
    source->copy(data, source->data);
  } else if (source->bytes > 0) {
    memcpy(data, source->data, source->bytes);
  }
}

void runTask(void* argument) {
  const auto* header = static_cast<const TaskHeader*>(argument);
  void* data = static_cast<char*>(argument) + header->offset;
  memcpy(data, header->shared, header->words * sizeof(void*));
  auto* function = header->function;
  Team* team = header->team;
  const Suspended suspended = beginTask(team, header->created, __builtin_frame_address(0));
  {
    const speedup::OutOfWait out;
    function(data);
  }
  endTask(suspended, team);
}

size_t alignmentOf(long wanted) {
  return static_cast<size_t>(wanted) > alignof(max_align_t) ? static_cast<size_t>(wanted)
                                                            : alignof(max_align_t);
}

TaskSource describe(Function function, void* data, Copy copy, long bytes, size_t alignment) {
  TaskSource source{};
  source.header.function = function;
  source.header.team = state.team;
  source.header.created = signalTask();
  source.header.offset = (sizeof(TaskHeader) + alignment - 1) & ~(alignment - 1);
  source.data = data;
  source.copy = copy;
  source.bytes = static_cast<size_t>(bytes);
  return source;
}

}  // namespace
}  // namespace parallax::openmp

using namespace parallax;
using namespace parallax::openmp;

#define PARALLAX_RUNTIME(name) runtimeFor(__builtin_return_address(0), Entry::k##name)
#define PARALLAX_REAL(name) (runtime->get<decltype(name)>(Entry::k##name))

PARALLAX_EXPORT void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                               long bytes, long alignment, bool ifClause, unsigned flags,
                               void** depend, int priority, void* detach) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_task);
  if (runtime == nullptr) return function(data);
  auto* real = PARALLAX_REAL(GOMP_task);
  if (speedup::active) speedup::pay();
  if (!records(*runtime)) {
    return real(function, data, copy, bytes, alignment, ifClause, flags, depend, priority, detach);
  }
  Routine routine(taskRegion);
  const size_t aligned = alignmentOf(alignment);
  TaskSource source = describe(function, data, copy, bytes, aligned);
  source.detachable = (flags & kDetachFlag) != 0;
  real(runTask, &source, copyTask, static_cast<long>(source.header.offset) + bytes,
       static_cast<long>(aligned), ifClause, flags, depend, priority, detach);
}

#define PARALLAX_TASKLOOP(name, type)                                                            \
  PARALLAX_EXPORT void name(void (*function)(void*), void* data, void (*copy)(void*, void*),     \
                            long bytes, long alignment, unsigned flags, unsigned long tasks,     \
                            int priority, type start, type end, type step) {                     \
    const Runtime* runtime = PARALLAX_RUNTIME(name);                                             \
    if (runtime == nullptr) return;                                                              \
    auto* real = PARALLAX_REAL(name);                                                            \
    const speedup::Wait wait;                                                                    \
    if (!records(*runtime)) {                                                                    \
      return real(function, data, copy, bytes, alignment, flags, tasks, priority, start, end,    \
                  step);                                                                         \
    }                                                                                            \
    Routine routine(taskloopRegion, End::kTasks);                                                \
    const size_t aligned = alignmentOf(alignment);                                               \
    TaskSource source = describe(function, data, copy, bytes, aligned);                          \
    memcpy(source.header.shared, data, kSharedWords * sizeof(void*) < source.bytes               \
                                           ? kSharedWords * sizeof(void*) : source.bytes);       \
    source.header.words = 2;                                                                     \
    real(runTask, &source, copyTask, static_cast<long>(source.header.offset) + bytes,            \
         static_cast<long>(aligned), flags, tasks, priority, start, end, step);                  \
  }
PARALLAX_TASKLOOP(GOMP_taskloop, long)
PARALLAX_TASKLOOP(GOMP_taskloop_ull, unsigned long long)

PARALLAX_EXPORT void GOMP_taskwait() {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_taskwait);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_taskwait);
  const speedup::Wait wait;
  if (!records(*runtime)) return real();
  Routine routine(taskwaitRegion, End::kTasks);
  real();
}

PARALLAX_EXPORT void GOMP_taskwait_depend(void** depend) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_taskwait_depend);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_taskwait_depend);
  const speedup::Wait wait;
  if (!records(*runtime)) return real(depend);
  Routine routine(taskwaitRegion, End::kTasks);
  real(depend);
}

PARALLAX_EXPORT void GOMP_taskgroup_end() {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_taskgroup_end);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_taskgroup_end);
  const speedup::Wait wait;
  if (!records(*runtime)) return real();
  Routine routine(taskgroupRegion, End::kTasks);
  real();
}
