// The OMPT tool of the agent, which LLVM's runtime finds by the symbol ompt_start_tool
// (OpenMP 5.0, chapter 4). The declarations are those that it needs of omp-tools.h, which few
// systems have.
//
// It gives way to another tool: one that is loaded into the program or named in
// OMP_TOOL_LIBRARIES; OpenMP is then not recorded, and a Note says so. Called more than once (by
// several runtimes): each gets the same tool.
#include <link.h>

#include <cstdlib>

#include "interpose/openmp/openmp_events.h"
#include "interpose/openmp/openmp_runtime.h"
#include "interpose/openmp/openmp_team.h"
#include "perturb/speedup.h"

namespace parallax::openmp {
namespace {

using format::Group;

// ------------------------------------------------------------------- of OMPT

union Data {
  uint64_t value;
  void* pointer;
};
struct Frame;
using Callback = void (*)();
using Lookup = Callback (*)(const char*);
using SetCallback = int (*)(int which, Callback);

struct StartToolResult {
  int (*initialize)(Lookup, int device, Data*);
  void (*finalize)(Data*);
  Data data;
};

enum : int {  // ompt_callbacks_t
  kParallelBegin = 3, kParallelEnd = 4, kTaskCreate = 5, kTaskSchedule = 6, kImplicitTask = 7,
  kSyncRegionWait = 16, kDependences = 18, kSyncRegion = 23,
};
enum : int { kScopeBegin = 1, kScopeEnd = 2 };
enum : int { kTaskExplicit = 4 };
enum : int { kParallelLeague = 0x40000000 };
enum : int {  // ompt_task_status_t
  kTaskComplete = 1, kTaskYield = 2, kTaskCancel = 3, kTaskDetach = 4, kTaskEarlyFulfill = 5,
  kTaskLateFulfill = 6, kTaskSwitch = 7,
};
enum : int {  // ompt_dependence_type_t
  kIn = 1, kMutexInOutSet = 4, kInOutSet = 7, kLeastOfAllMemory = 34,
};
enum : int {  // ompt_sync_region_t
  kBarrier = 1, kBarrierImplicit = 2, kBarrierExplicit = 3, kBarrierImplementation = 4,
  kTaskwait = 5, kTaskgroup = 6, kReduction = 7, kBarrierImplicitParallel = 9,
};

// ---------------------------------------------------------------- callbacks

Region barrierRegion("omp barrier", Group::kOpenMp);
Region implicitBarrierRegion("omp implicit barrier", Group::kOpenMp);
Region taskRegion("omp task", Group::kOpenMp);
Region taskwaitRegion("omp taskwait", Group::kOpenMp);
Region taskgroupRegion("omp taskgroup", Group::kOpenMp);
Region taskyieldRegion("omp taskyield", Group::kOpenMp);
Region fulfillRegion("omp_fulfill_event", Group::kOpenMp);

constexpr uint32_t kMostSuspended = 1024;  // tasks within tasks of one thread

// The runtime's word of a task: its record; of an explicit task, which may have none, also this bit.
constexpr uint64_t kExplicit = 1;

bool isExplicit(const Data* task) { return task != nullptr && (task->value & kExplicit) != 0; }

Task* taskOf(const Data* task) {
  return task != nullptr ? reinterpret_cast<Task*>(task->value & ~kExplicit) : nullptr;
}

Work workOf(const Data* data) {
  Task* task = taskOf(data);
  return task != nullptr ? Work{task, task->team, task->created} : Work{};
}

void onParallelBegin(Data*, const Frame*, Data* parallel, unsigned, int flags, const void* code) {
  parallel->pointer =
      beginRegion(nullptr, nullptr, {}, code, PARALLAX_FRAME, (flags & kParallelLeague) != 0);
}

void onParallelEnd(Data* parallel, Data*, int, const void*) {
  if (parallel == nullptr) return;
  if (auto* team = static_cast<Team*>(parallel->pointer)) endRegion(team);
}

void onImplicitTask(int scope, Data* parallel, Data* task, unsigned threads, unsigned number,
                    int) {
  // Nothing is known of the implicit region around the program.
  if (scope != kScopeBegin || parallel == nullptr) return;
  if (auto* team = static_cast<Team*>(parallel->pointer)) {
    beginShare(team, threads, number, __builtin_frame_address(0));
    if (task != nullptr) task->pointer = state.task;
  }
}

// The barrier that ends a region has no place in the program but that of the region. LLVM 14 knows
// it as implicit only, and says of its end, to others than the master, when it is long over.
bool isEndOfRegion(int kind, const void* code) {
  if (kind == kBarrierImplicitParallel) return true;
  const Team* team = state.team;
  return kind == kBarrierImplicit && team != nullptr && (code == nullptr || code == team->code);
}

End endOf(int kind) {
  return kind == kTaskwait ? End::kChildren : kind == kTaskgroup ? End::kGroup : End::kBarrier;
}

void onWait(int kind, int scope, Data* parallel, Data*, const void* code) {
  if (kind == kReduction) return;
  if (scope == kScopeBegin) {
    if (inRuntime()) {
      state.innerWaits++;
      return;
    }
    if (isEndOfRegion(kind, code)) {
      if (state.team != nullptr) endShare(state.team);
      return;
    }
    beginRoutine(kind == kTaskwait          ? taskwaitRegion
                 : kind == kTaskgroup       ? taskgroupRegion
                 : kind == kBarrierExplicit || kind == kBarrierImplementation
                     ? barrierRegion
                     : implicitBarrierRegion,
                 endOf(kind), PARALLAX_FRAME);
    keepFrame();
    return;
  }
  // That of a region ends with onParallelEnd, or with the worker's next share.
  if (state.innerWaits > 0) {
    state.innerWaits--;
    return;
  }
  if (parallel == nullptr || kind == kBarrierImplicitParallel) return;
  endRoutine(endOf(kind));
}

// A taskgroup, from its begin on.
void onSyncRegion(int kind, int scope, Data*, Data*, const void*) {
  if (kind != kTaskgroup) return;
  if (scope == kScopeBegin) {
    beginGroup(state.task);
  } else {
    endGroup(state.task);
  }
}

void onTaskCreate(Data* creator, const Frame*, Data* task, int flags, int, const void*) {
  if ((flags & kTaskExplicit) == 0) return;
  Task* parent = taskOf(creator);
  const bool begun = beginRoutine(taskRegion, End::kCreation, PARALLAX_FRAME);
  const Work work = createTask(parent != nullptr ? parent : state.task);
  task->value = reinterpret_cast<uint64_t>(work.task) | kExplicit;
  if (begun) endRoutine(End::kCreation);
}

struct DependenceOfOmpt {
  Data memory;
  int type;
};

void onDependences(Data* data, const DependenceOfOmpt* dependences, int count) {
  Task* task = isExplicit(data) ? taskOf(data) : nullptr;
  for (int i = 0; task != nullptr && i < count; i++) {
    const int type = dependences[i].type;
    depend(task, type >= kLeastOfAllMemory ? nullptr : dependences[i].memory.pointer,
           type == kIn              ? Dependence::kIn
           : type == kMutexInOutSet ? Dependence::kExclusive
           : type == kInOutSet      ? Dependence::kSet
                                    : Dependence::kOut);
  }
}

Suspended* suspendedAt(uint32_t depth) {
  if (state.tasks == nullptr) {
    state.tasks = static_cast<Suspended*>(allocatePages(kMostSuspended * sizeof(Suspended)));
  }
  return state.tasks != nullptr && depth < kMostSuspended ? &state.tasks[depth] : nullptr;
}

void onFulfilled(const Data* data, bool late) {
  Task* task = taskOf(data);
  if (task == nullptr) return;
  const bool begun = beginRoutine(fulfillRegion, End::kPlain, nullptr);
  fulfillEvent(task);
  if (begun) endRoutine(End::kPlain);
  if (late) releaseTask(task);
}

// Whether the thread goes on with what it had suspended for its present task: a part of that has ended.
bool goesBackTo(const Data* task) {
  if (!isExplicit(task) || state.taskDepth == 0) return true;
  const Suspended* suspended = suspendedAt(state.taskDepth - 1);
  return suspended != nullptr && suspended->task != nullptr && suspended->task == taskOf(task);
}

// Whether a task that begins out of the program's code is executed where its parent creates it. Nobody
// else waits for it then: later siblings are created when it has ended.
bool isPartOfParent(const Work& work) {
  return work.task != nullptr && work.task->parent == state.task &&
         work.task->predecessors.isEmpty() && work.task->exclusive[0] == nullptr;
}

// A task of a cancelled taskgroup that did not begin, or whose end is told once more: LLVM's runtime tells all ends in
// such a group as cancellations.
void discardTask(Data* data, bool detached) {
  Task* task = taskOf(data);
  if (task == nullptr) return;
  if (detached) return finishTask(task, Task::kUnrecorded);
  data->value = kExplicit;  // so that nobody releases it again
  discardTask(task);
}

// A task ends, or waits; another one goes on. Those that wait are a stack: LLVM's runtime executes
// a task as a call out of the one that it found waiting.
void onTaskSchedule(Data* before, int status, Data* after) {
  if (status == kTaskEarlyFulfill || status == kTaskLateFulfill) {
    return onFulfilled(before, status == kTaskLateFulfill);
  }
  const bool ends = status == kTaskComplete || status == kTaskCancel || status == kTaskDetach;
  if (isExplicit(before) && ends && taskOf(before) != state.task && state.taskDepth <= kMostSuspended) {
    return discardTask(before, status == kTaskDetach);
  }
  if (isExplicit(before) && (ends || goesBackTo(after))) {
    if (state.taskDepth == 0) return;
    const Suspended* suspended = suspendedAt(--state.taskDepth);
    if (suspended == nullptr) return;
    if (ends) {
      const Work work = workOf(before);
      if (status != kTaskDetach) before->value = kExplicit;
      endTask(*suspended, work, status == kTaskDetach);
    } else {
      leaveTask(*suspended, workOf(before));
    }
    if (after != nullptr) state.task = taskOf(after);
  } else if ((status == kTaskSwitch || status == kTaskYield) && isExplicit(after)) {
    Suspended* place = suspendedAt(state.taskDepth++);
    if (place == nullptr) return;
    const Work work = workOf(after);
    *place = beginTask(work, __builtin_frame_address(0),
                       status == kTaskYield   ? &taskyieldRegion
                       : isPartOfParent(work) ? nullptr
                                              : &taskRegion);
  }
}

// What the compiler writes before a task that is not deferred, and for a taskwait with depend.
struct DependenceOfLlvm {
  const void* memory;
  size_t bytes;
  uint8_t flags;
};

void addPredecessors(const void* dependences, int32_t count, TaskList* predecessors) {
  constexpr unsigned kInFlag = 1, kOutFlag = 2, kMutexFlag = 4, kSetFlag = 8;
  const auto* list = static_cast<const DependenceOfLlvm*>(dependences);
  for (int32_t i = 0; i < count; i++) {
    const unsigned flags = list[i].flags;
    addPredecessors(state.task, list[i].memory,
                    (flags & kOutFlag) != 0     ? Dependence::kOut
                    : (flags & kInFlag) != 0    ? Dependence::kIn
                    : (flags & kMutexFlag) != 0 ? Dependence::kExclusive
                    : (flags & kSetFlag) != 0   ? Dependence::kSet
                                                : Dependence::kOut,
                    predecessors);
  }
}

template <class Real>
void waitForDependences(const void* dependences, int32_t count, const void* others,
                        int32_t otherCount, Real real) {
  const speedup::Wait wait;
  if (!adapterEnabled(Adapter::kOpenMp) || !beginRoutine(taskwaitRegion, End::kPlain, nullptr)) return real();
  TaskList predecessors{};
  addPredecessors(dependences, count, &predecessors);
  addPredecessors(others, otherCount, &predecessors);
  real();
  endRoutine(End::kPlain, &predecessors);
}

// --------------------------------------------------------------------- tool

// Finds the module of an address.
int findModule(dl_phdr_info* info, size_t, void* data) {
  auto* range = static_cast<uintptr_t*>(data);  // in: the address; out: start, end
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || range[0] - start >= segment.p_memsz) continue;
    range[0] = start;
    range[1] = start + segment.p_memsz;
    return 1;
  }
  return 0;
}

int initialize(Lookup lookup, int, Data*) {
  auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  if (set == nullptr) return 0;
  uintptr_t code[2] = {reinterpret_cast<uintptr_t>(lookup), 0};
  if (dl_iterate_phdr(findModule, code) != 0) setCallingCode(code[0], code[1]);
  set(kParallelBegin, reinterpret_cast<Callback>(onParallelBegin));
  set(kParallelEnd, reinterpret_cast<Callback>(onParallelEnd));
  set(kImplicitTask, reinterpret_cast<Callback>(onImplicitTask));
  set(kSyncRegionWait, reinterpret_cast<Callback>(onWait));
  set(kSyncRegion, reinterpret_cast<Callback>(onSyncRegion));
  set(kDependences, reinterpret_cast<Callback>(onDependences));
  set(kTaskCreate, reinterpret_cast<Callback>(onTaskCreate));
  set(kTaskSchedule, reinterpret_cast<Callback>(onTaskSchedule));
  return 1;
}

void finalize(Data*) {}

StartToolResult tool = {initialize, finalize, {0}};

}  // namespace
}  // namespace parallax::openmp

using namespace parallax;
using namespace parallax::openmp;

PARALLAX_EXPORT void __kmpc_omp_wait_deps(void* place, int32_t thread, int32_t count, void* list,
                                          int32_t otherCount, void* others) {
  const Runtime* runtime = runtimeFor(__builtin_return_address(0), Entry::k__kmpc_omp_wait_deps);
  if (runtime == nullptr) return;
  auto* real = runtime->get<decltype(__kmpc_omp_wait_deps)>(Entry::k__kmpc_omp_wait_deps);
  waitForDependences(list, count, others, otherCount,
                     [=] { real(place, thread, count, list, otherCount, others); });
}

PARALLAX_EXPORT void __kmpc_omp_taskwait_deps_51(void* place, int32_t thread, int32_t count,
                                                 void* list, int32_t otherCount, void* others,
                                                 int32_t noWait) {
  const Runtime* runtime =
      runtimeFor(__builtin_return_address(0), Entry::k__kmpc_omp_taskwait_deps_51);
  if (runtime == nullptr) return;
  auto* real =
      runtime->get<decltype(__kmpc_omp_taskwait_deps_51)>(Entry::k__kmpc_omp_taskwait_deps_51);
  waitForDependences(list, count, others, otherCount,
                     [=] { real(place, thread, count, list, otherCount, others, noWait); });
}

PARALLAX_EXPORT void* ompt_start_tool(unsigned version, const char* runtime) {
  using Start = void*(unsigned, const char*);
  if (auto* next = reinterpret_cast<Start*>(nextSymbol("ompt_start_tool"))) {
    if (void* other = next(version, runtime)) {
      note("Another OMPT tool is part of the program: OpenMP regions are not recorded.");
      return other;
    }
  }
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  if (libraries != nullptr && libraries[0] != '\0') {
    note("OMP_TOOL_LIBRARIES names another OMPT tool: OpenMP regions are not recorded.");
    return nullptr;
  }
  if (!adapterEnabled(Adapter::kOpenMp) || !recording()) return nullptr;
  return &tool;
}
