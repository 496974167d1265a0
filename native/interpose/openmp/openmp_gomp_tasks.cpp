// libgomp's entry points for tasks. A task is given runTask() as its function, and its data behind
// a header that says what it really is.
//
// libgomp copies the data of a task bytewise, or by a function of the program. A task that it has
// copied by a function is executed even if its taskgroup or region is cancelled before it begins;
// any other is then discarded. Here all are copied by copyTask(), so runTask() discards those that
// libgomp would have discarded, by asking as libgomp does: GOMP_cancellation_point() tells in the
// task what libgomp looks at before a task begins.
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
Region endOfLoopRegion("omp implicit barrier", Group::kOpenMp);
Region fulfillRegion("omp_fulfill_event", Group::kOpenMp);

constexpr int kCancelTaskgroup = 8;
constexpr unsigned kDependFlag = 1 << 3, kNoGroupFlag = 1 << 11, kDetachFlag = 1 << 13;

// What the runtime writes into the data before, or reads from it: a taskloop's range, the event of
// a task that can be detached, the reductions of a taskloop.
constexpr size_t kSharedWords = 3;

//   +--------------+----------------------+---------+--------------------+
//   | shared words | function ... words   | padding | data of the program|
//   +--------------+----------------------+---------+--------------------+
struct TaskHeader {
  void* shared[kSharedWords];
  Function function;
  Work work;
  size_t offset;     // of the program's data
  uint32_t words;    // of the shared ones that the runtime writes for each task
  bool (*isCancelled)(int);  // null for a task that begins in any case
  void (*fulfill)(void*);    // null for a task that cannot be detached; its event is shared[0]
};

// What a task, or each task of a taskloop, is made from; in the place of the program's data.
struct TaskSource {
  TaskHeader header;
  void* data;
  Copy copy;
  size_t bytes;
  bool copied;
  Task* loopParent;  // of the tasks of a taskloop, which the runtime creates by copies
};

// Its event is not known: nobody could fulfill it if the task were discarded, and nobody tells when it is fulfilled.
void beginInAnyCase(TaskHeader* header) {
  header->isCancelled = nullptr;
  if (header->work.task != nullptr) header->work.task->awaitsEvent.store(false, std::memory_order_relaxed);
}

void copyTask(void* to, void* from) {
  auto* source = static_cast<TaskSource*>(from);
  source->copied = true;
  auto* header = static_cast<TaskHeader*>(to);
  memcpy(static_cast<void*>(header), &source->header, sizeof source->header);
  // A task that is not deferred begins here. Its data is on this stack, as the source is.
  if (to > __builtin_frame_address(0) && to < from) header->isCancelled = nullptr;
  Task* task = source->header.work.task;
  if (source->loopParent != nullptr) {
    const Work& loop = source->header.work;
    header->work.task =
        makeTask(loop.team, state.region, source->loopParent, loop.created);
  } else if (header->fulfill != nullptr && task != nullptr) {
    if (!rememberEvent(header->shared[0], task)) beginInAnyCase(header);
  }
  char* data = static_cast<char*>(to) + source->header.offset;
  if (header->fulfill != nullptr && source->data != nullptr) {
    *static_cast<void**>(source->data) = source->header.shared[0];
  }
  if (source->copy != nullptr) {
    source->copy(data, source->data);
  } else if (source->bytes > 0) {
    memcpy(data, source->data, source->bytes);
  }
}

void discard(const TaskHeader& header) {
  if (header.fulfill != nullptr) {
    if (Task* task = takeEvent(header.shared[0])) {
      releaseTask(task);
      header.fulfill(header.shared[0]);
    }
  }
  discardTask(header.work.task);
}

void runTask(void* argument) {
  const auto* header = static_cast<const TaskHeader*>(argument);
  if (header->isCancelled != nullptr && header->isCancelled(kCancelTaskgroup)) return discard(*header);
  void* data = static_cast<char*>(argument) + header->offset;
  memcpy(data, header->shared, header->words * sizeof(void*));
  auto* function = header->function;
  const Work work = header->work;
  const Suspended suspended = beginTask(work, __builtin_frame_address(0));
  {
    const speedup::OutOfWait out;
    function(data);
  }
  endTask(suspended, work);
}

struct GroupAtEnd {
  Task* task;
  ~GroupAtEnd() { endGroup(task); }
};

size_t alignmentOf(long wanted) {
  return static_cast<size_t>(wanted) > alignof(max_align_t) ? static_cast<size_t>(wanted)
                                                            : alignof(max_align_t);
}

TaskSource describe(const Runtime& runtime, Function function, void* data, Copy copy, long bytes,
                    size_t alignment) {
  TaskSource source{};
  if (copy == nullptr && canCancel(runtime)) {
    source.header.isCancelled = runtime.get<bool(int)>(Entry::kGOMP_cancellation_point);
  }
  source.header.function = function;
  source.header.offset = (sizeof(TaskHeader) + alignment - 1) & ~(alignment - 1);
  source.data = data;
  source.copy = copy;
  source.bytes = static_cast<size_t>(bytes);
  return source;
}

// Calls a function for each entry of the list that gcc makes of a depend clause: the number of all;
// of those that write; addresses. Or, if the first number is 0: numbers of all; of those that write;
// that exclude each other; that read; addresses; the rest are objects of an address and a kind.
// libgomp takes mutexinoutset like inout.
template <class Each>
void eachDependence(void** list, Each each) {
  const auto number = [&](size_t at) { return reinterpret_cast<size_t>(list[at]); };
  if (number(0) != 0) {
    for (size_t i = 0; i < number(0); i++) {
      each(list[2 + i], i < number(1) ? Dependence::kOut : Dependence::kIn);
    }
    return;
  }
  const size_t writes = number(2) + number(3), plain = writes + number(4);
  for (size_t i = 0; i < number(1); i++) {
    if (i < plain) {
      each(list[5 + i], i < writes ? Dependence::kOut : Dependence::kIn);
      continue;
    }
    constexpr uintptr_t kIn = 1, kSet = 5;
    void* const* object = static_cast<void**>(list[5 + i]);
    const auto kind = reinterpret_cast<uintptr_t>(object[1]);
    each(object[0], kind == kIn ? Dependence::kIn : kind == kSet ? Dependence::kSet : Dependence::kOut);
  }
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
  // A task that is executed at once and has an event ends here: the thread waits for the event.
  Routine routine(PARALLAX_FRAME, taskRegion, (flags & kDetachFlag) != 0 ? End::kPlain : End::kCreation);
  const size_t aligned = alignmentOf(alignment);
  TaskSource source = describe(*runtime, function, data, copy, bytes, aligned);
  source.header.work = createTask(state.task);
  if ((flags & kDetachFlag) != 0) {
    if (state.team != nullptr && state.participants == 1) state.team->setAlone(false);  // any thread may end it
    source.header.fulfill = runtime->get<void(void*)>(Entry::komp_fulfill_event);
    if (source.header.work.task == nullptr) beginInAnyCase(&source.header);
  }
  if (Task* task = source.header.work.task) {
    if (source.header.fulfill != nullptr) task->awaitsEvent.store(true, std::memory_order_relaxed);
    if ((flags & kDependFlag) != 0) {
      eachDependence(depend, [=](const void* memory, Dependence dependence) {
        openmp::depend(task, memory, dependence);
      });
    }
  }
  real(runTask, &source, copyTask, static_cast<long>(source.header.offset) + bytes,
       static_cast<long>(aligned), ifClause, flags, depend, priority, detach);
  if (!source.copied) discardTask(source.header.work.task);
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
    const bool group = (flags & kNoGroupFlag) == 0;                                              \
    if (group) beginGroup(state.task);                                                           \
    const GroupAtEnd groupAtEnd{group ? state.task : nullptr};                                   \
    Routine routine(PARALLAX_FRAME, taskloopRegion, group ? End::kGroup : End::kPlain);                          \
    const size_t aligned = alignmentOf(alignment);                                               \
    TaskSource source = describe(*runtime, function, data, copy, bytes, aligned);                \
    memcpy(source.header.shared, data, kSharedWords * sizeof(void*) < source.bytes               \
                                           ? kSharedWords * sizeof(void*) : source.bytes);       \
    source.header.words = 2;                                                                     \
    source.header.work = Work{nullptr, state.team, signalTasks()};                               \
    source.loopParent = state.task;                                                              \
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
  Routine routine(PARALLAX_FRAME, taskwaitRegion, End::kChildren);
  real();
}

PARALLAX_EXPORT void GOMP_taskwait_depend(void** depend) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_taskwait_depend);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_taskwait_depend);
  const speedup::Wait wait;
  if (!records(*runtime)) return real(depend);
  TaskList predecessors{};
  eachDependence(depend, [&](const void* memory, Dependence dependence) {
    addPredecessors(state.task, memory, dependence, &predecessors);
  });
  const bool begun = beginRoutine(taskwaitRegion, End::kPlain, PARALLAX_FRAME);
  real(depend);
  if (begun) {
    endRoutine(End::kPlain, &predecessors);
  } else {
    predecessors.clear();
  }
}

PARALLAX_EXPORT void GOMP_taskgroup_start() {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_taskgroup_start);
  if (runtime == nullptr) return;
  if (records(*runtime)) beginGroup(state.task);
  PARALLAX_REAL(GOMP_taskgroup_start)();
}

PARALLAX_EXPORT void GOMP_taskgroup_end() {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_taskgroup_end);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_taskgroup_end);
  const speedup::Wait wait;
  if (!records(*runtime)) return real();
  const GroupAtEnd group{state.task};
  Routine routine(PARALLAX_FRAME, taskgroupRegion, End::kGroup);
  real();
}

// The end of a loop or of sections with a reduction over tasks: waits for these, then for the team.
PARALLAX_EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  const Runtime* runtime = PARALLAX_RUNTIME(GOMP_workshare_task_reduction_unregister);
  if (runtime == nullptr) return;
  auto* real = PARALLAX_REAL(GOMP_workshare_task_reduction_unregister);
  const speedup::Wait wait;
  if (!records(*runtime)) return real(cancelled);
  Routine routine(PARALLAX_FRAME, endOfLoopRegion, cancelled ? End::kPlain : End::kBarrier);
  real(cancelled);
}

// By any thread.
#define PARALLAX_FULFILL(name)                                     \
  PARALLAX_EXPORT void name(void* event) {                         \
    const Runtime* runtime = PARALLAX_RUNTIME(name);               \
    if (runtime == nullptr) return;                                \
    auto* real = PARALLAX_REAL(name);                              \
    Task* task = records(*runtime) ? takeEvent(event)  : nullptr;  \
    if (task == nullptr) return real(event);                       \
    Routine routine(PARALLAX_FRAME, fulfillRegion);                                \
    fulfillEvent(task);                                            \
    releaseTask(task);                                             \
    real(event);                                                   \
  }
PARALLAX_FULFILL(omp_fulfill_event)
PARALLAX_FULFILL(omp_fulfill_event_)
