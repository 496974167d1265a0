// The OMPT tool of the agent, which LLVM's runtime finds by the symbol ompt_start_tool
// (OpenMP 5.0, chapter 4). The declarations are those that it needs of omp-tools.h, which few
// systems have.
//
// It gives way to another tool: one that is loaded into the program or named in
// OMP_TOOL_LIBRARIES; OpenMP is then not recorded, and a Note says so. Called more than once (by
// several runtimes): each gets the same tool.
#include <link.h>

#include <cstdlib>

#include "interpose/openmp/openmp_runtime.h"
#include "interpose/openmp/openmp_team.h"

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
  kSyncRegionWait = 16,
};
enum : int { kScopeBegin = 1, kScopeEnd = 2 };
enum : int { kTaskExplicit = 4 };
enum : int { kParallelLeague = 0x40000000 };
enum : int {  // ompt_task_status_t
  kTaskComplete = 1, kTaskYield = 2, kTaskCancel = 3, kTaskDetach = 4, kTaskSwitch = 7,
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

constexpr uint32_t kMostSuspended = 1024;  // tasks within tasks of one thread
constexpr uint64_t kNoSignal = ~uint64_t{0};

bool isExplicit(const Data* task) { return task != nullptr && task->value != 0; }

void onParallelBegin(Data*, const Frame*, Data* parallel, unsigned, int flags, const void* code) {
  parallel->pointer =
      beginRegion(nullptr, nullptr, {}, code, (flags & kParallelLeague) != 0);
}

void onParallelEnd(Data* parallel, Data*, int, const void*) {
  if (parallel == nullptr) return;
  if (auto* team = static_cast<Team*>(parallel->pointer)) endRegion(team);
}

void onImplicitTask(int scope, Data* parallel, Data*, unsigned threads, unsigned number,
                    int) {
  // Nothing is known of the implicit region around the program.
  if (scope != kScopeBegin || parallel == nullptr) return;
  if (auto* team = static_cast<Team*>(parallel->pointer)) {
    beginShare(team, threads, number, __builtin_frame_address(0));
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
  return kind == kTaskwait || kind == kTaskgroup ? End::kTasks : End::kBarrier;
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
                 endOf(kind));
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

void onTaskCreate(Data*, const Frame*, Data* task, int flags, int, const void*) {
  if ((flags & kTaskExplicit) == 0) return;
  task->value = kNoSignal;
  if (!beginRoutine(taskRegion, End::kPlain)) return;
  if (const uint64_t signal = signalTask()) task->value = signal;
  endRoutine(End::kPlain);
}

Suspended* suspendedAt(uint32_t depth) {
  if (state.tasks == nullptr) {
    state.tasks = static_cast<Suspended*>(allocatePages(kMostSuspended * sizeof(Suspended)));
  }
  return state.tasks != nullptr && depth < kMostSuspended ? &state.tasks[depth] : nullptr;
}

// A task ends, or waits; another one goes on. Those that wait are a stack: LLVM's runtime executes
// a task as a call out of the one that it found waiting.
void onTaskSchedule(Data* before, int status, Data* after) {
  const bool ends = status == kTaskComplete || status == kTaskCancel || status == kTaskDetach;
  if (ends && isExplicit(before)) {
    if (state.taskDepth == 0) return;
    if (const Suspended* suspended = suspendedAt(--state.taskDepth)) {
      endTask(*suspended, state.team);
    }
  } else if ((status == kTaskSwitch || status == kTaskYield) && isExplicit(after)) {
    Suspended* place = suspendedAt(state.taskDepth++);
    if (place == nullptr) return;
    *place = beginTask(state.team, after->value != kNoSignal ? after->value : 0,
                       __builtin_frame_address(0));
  }
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
  set(kTaskCreate, reinterpret_cast<Callback>(onTaskCreate));
  set(kTaskSchedule, reinterpret_cast<Callback>(onTaskSchedule));
  return 1;
}

void finalize(Data*) {}

StartToolResult tool = {initialize, finalize, {0}};

}  // namespace
}  // namespace parallax::openmp

using namespace parallax;

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
  return &openmp::tool;
}
