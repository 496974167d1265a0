#include "interpose/openmp/openmp_team.h"

#include "base/spin_lock.h"
#include "interpose/openmp/openmp_events.h"
#include "interpose/openmp/openmp_workers.h"
#include "perturb/speedup.h"

namespace parallax::openmp {

__thread State state __attribute__((tls_model("initial-exec"))) = {};

namespace {

using format::Group;
using format::SyncKind;

Region parallelRegion("omp parallel", Group::kOpenMp);
Region teamsRegion("omp teams", Group::kOpenMp);
Region endRegionRegion("omp implicit barrier", Group::kOpenMp);

// -------------------------------------------------------------------- teams

SpinLock spareLock;
Team* spareTeams = nullptr;  // of threads that have ended

std::atomic<Team*> allTeams{nullptr};

// Into the new definitions of a forked child.
void redefineTeams() {
  for (Team* team = allTeams.load(std::memory_order_acquire); team != nullptr;
       team = team->nextOfAll) {
    const auto address = reinterpret_cast<uint64_t>(team);
    define(format::SyncObjectRecord{team->tasks, SyncKind::kOpenMpTasks, address, 0});
    define(format::SyncObjectRecord{team->taskEnds, SyncKind::kOpenMpTaskEnds, address, 0});
    define(format::SyncObjectRecord{team->barrier, SyncKind::kBarrier, address, 0});
  }
}

Team* obtainTeam() {
  Team* team = state.spare;
  if (team != nullptr) {
    state.spare = team->next;
    return team;
  }
  if (spareLock.lock()) {
    team = spareTeams;
    if (team != nullptr) spareTeams = team->next;
    spareLock.unlock();
  }
  if (team != nullptr) return team;
  team = static_cast<Team*>(allocate(sizeof(Team)));
  if (team == nullptr) return nullptr;
  const auto address = reinterpret_cast<uint64_t>(team);
  team->tasks = defineSyncObject(SyncKind::kOpenMpTasks, address);
  team->taskEnds = defineSyncObject(SyncKind::kOpenMpTaskEnds, address);
  team->barrier = defineSyncObject(SyncKind::kBarrier, address);
  team->nextOfAll = allTeams.load(std::memory_order_relaxed);
  while (!allTeams.compare_exchange_weak(team->nextOfAll, team, std::memory_order_release)) {
  }
  onRedefinition(redefineTeams);
  return team;
}

void releaseTeam(Team* team) {
  team->next = state.spare;
  state.spare = team;
}

}  // namespace

void giveSpareTeams() {
  if (state.spare == nullptr || !spareLock.lock()) return;
  while (Team* team = state.spare) {
    state.spare = team->next;
    team->next = spareTeams;
    spareTeams = team;
  }
  spareLock.unlock();
}

namespace {

// The last to arrive at the barrier that ends a region tells the others when that was. Another one
// may have read the clock later.
void arrive(State& s, Team* team, uint32_t participants, uint64_t ticks) {
  s.endedTicks.store(0, std::memory_order_relaxed);
  // A barrier that was taken for that of the region; twice in the list would be a circle.
  if (s.arrivedTeam == team && s.arrivedRegion == s.region) return;
  s.arrivedTeam = team;
  s.arrivedRegion = s.region;
  s.arrivedTicks = ticks;
  s.nextArrived = team->arrived.load(std::memory_order_relaxed);
  while (!team->arrived.compare_exchange_weak(s.nextArrived, &s, std::memory_order_release)) {
  }
  if (team->arrivedCount.fetch_add(1, std::memory_order_acq_rel) + 1 < participants) return;
  State* at = team->arrived.exchange(nullptr, std::memory_order_acquire);
  for (const State* s = at; s != nullptr; s = s->nextArrived) {
    if (s->arrivedTicks > ticks) ticks = s->arrivedTicks;
  }
  team->arrivedCount.store(0, std::memory_order_relaxed);
  while (at != nullptr) {  // none of them goes on before this thread has
    State* next = at->nextArrived;
    at->endedTicks.store(ticks, std::memory_order_release);
    at = next;
  }
}

}  // namespace

// ------------------------------------------------------------------ regions

Team* beginRegion(void (*function)(void*), void* data, const Queries& queries, const void* code,
                  RoutineFrame frame, bool league) {
  if (!recording()) return nullptr;
  Team* team = obtainTeam();
  if (team == nullptr) return nullptr;
  team->master = &state;
  team->function = function;
  team->data = data;
  team->queries = queries;
  team->code = code;
  team->region++;
  team->setAlone(true);  // so far
  team->outerTeam = state.team;
  team->outerRegion = state.region;
  team->outerParticipants = state.participants;
  team->outerBarriers = state.barriers;
  team->outerTask = state.task;
  team->path = 0;
  team->started = 0;
  team->barriersLeft.store(0, std::memory_order_relaxed);
  team->arrived.store(nullptr, std::memory_order_relaxed);
  team->arrivedCount.store(0, std::memory_order_relaxed);
  state.forks++;
  if (Thread* thread = goInside()) {
    team->path = pathOf(thread, league ? teamsRegion : parallelRegion, frame);
    const uint64_t ticks = ticksAtBegin(thread);
    open(state, thread, team->path, ticks);
    team->started = emitSignal(thread, team, ticks);
  }
  team->setAlone(false);
  return team;
}

void beginShare(Team* team, unsigned participants, unsigned number, const void* frame) {
  State& s = state;
  const bool master = team->master == &s;
  s.team = team;
  s.region = team->region;
  s.participants = participants;
  s.barriers = 0;
  // LLVM's runtime can have tasks executed by threads out of the team.
  if (master && participants == 1 && team->queries.threadCount != nullptr) team->setAlone(true);
  if (!master) endImplicitTask(s.task);
  s.task = makeTask(team, team->region, nullptr, 0);
  if (!master) {
    if (!stopWaiting(s)) local.place.end();
    nameWorker(number);
    s.shareFrame = frame;
    if (inRuntime()) beginPathsAt(frame);
  }
  if (!inRuntime() || s.open == 0) return;
  Thread* thread = local.thread;
  uint64_t ticks = thread->nowAfter();
  if (!master) writeEnd(s, thread, ticks);
  thread->checkCpuAfterWait(s.openedTicks, ticks);
  if (!master && team->started != 0) {
    thread->emit(Kind::kWake, team->tasks, ticks, &team->started, 1);
  }
  close(s, thread, ticks);
  goOutside();
}

void endShare(Team* team) {
  State& s = state;
  const bool master = team->master == &s;
  // A master inside an intercepted routine is not recorded, and there it stays.
  Thread* thread = goInside();
  uint64_t ticks = 0;
  if (thread != nullptr) {
    ticks = ticksAtBegin(thread);
    open(s, thread, endRegionRegion.path(team->path), ticks);
  } else {
    ticks = nowTicks();
  }
  if (!master) {
    s.endedTeam = team;
    s.endedRecorded = team->started != 0;
    s.endedRegion = s.region;
    s.endedParticipants = s.participants;
    s.atEnd = thread != nullptr;
  }
  arrive(s, team, s.participants, ticks);
  if (!master) {
    startWaiting(s);  // the state is no longer this thread's alone
  }
}

void endRegion(Team* team) {
  State& s = state;
  s.forks--;
  if (inRuntime() && s.open != 0 && team->started != 0) {
    Thread* thread = local.thread;
    const uint64_t ticks = ticksAtEnd(thread);
    if (s.participants > 1 && s.team == team) {
      emitBarrier(thread, team, team->region, kLastBarrier, s.participants, ticks);
    }
    emitFulfilled(thread, team, team->region, s.openedTicks, ticks);
    close(s, thread, ticks);
    goOutside();
  }
  if (s.team == team) endImplicitTask(s.task);
  s.task = team->outerTask;
  s.team = team->outerTeam;
  s.region = team->outerRegion;
  s.participants = team->outerParticipants;
  s.barriers = team->outerBarriers;
  releaseTeam(team);
}

void runShare(void* argument) {
  auto* team = static_cast<Team*>(argument);
  auto* function = team->function;
  void* data = team->data;
  const Queries queries = team->queries;
  const unsigned participants = queries.threadCount != nullptr ? queries.threadCount() : 1;
  const bool askNumber = !state.named && queries.threadNumber != nullptr;
  beginShare(team, participants, askNumber ? queries.threadNumber() : 0,
             __builtin_frame_address(0));
  {
    const speedup::Share share;
    function(data);
  }
  endShare(team);
}

// ----------------------------------------------------------------- routines

bool beginRoutine(Region& region, End end, RoutineFrame frame) {
  Thread* thread = goInside();
  if (thread == nullptr) return false;
  const uint32_t path = pathOf(thread, region, frame);
  open(state, thread, path, ticksAtBegin(thread));
  state.end = end;
  return true;
}

namespace {

// The ends that a routine waits for.
Ends* endsFor(End end, Task* task) {
  if (task == nullptr) return nullptr;
  if (end == End::kChildren) return &task->children;
  return end == End::kGroup && task->innermost != task->group ? task->innermost : nullptr;
}

// Whether there is none to tell, or this thread has told the last of them itself.
bool isOwn(const State& s, const Team* team, const Ends* ends) {
  if (ends == nullptr) return false;
  const uint64_t last = ends->last.load(std::memory_order_acquire);
  return last == ends->seen || (last == s.lastEnd && s.lastEndTeam == team);
}

}  // namespace

void endRoutine(End end, TaskList* predecessors) {
  State& s = state;
  if (!inRuntime() || s.open == 0) {
    if (predecessors != nullptr) predecessors->clear();
    return;
  }
  if (s.atEnd) {  // it was not that of the region
    if (!stopWaiting(s)) return;
    beginPathsAt(s.shareFrame);
    s.atEnd = false;
    s.arrivedTeam = nullptr;
  }
  Thread* thread = local.thread;
  Team* team = s.team;
  Ends* ends = endsFor(end, s.task);
  const uint64_t ticks = ticksAtEnd(thread, end != End::kCreation && !isOwn(s, team, ends));
  if (team != nullptr && team->started != 0) {
    if (end == End::kBarrier && s.participants > 1) {
      if (!s.barrierLeft) leaveBarrier(s, thread, team, ticks);
      emitFulfilled(thread, team, s.region, s.openedTicks, ticks);
    } else if (ends != nullptr) {
      emitLastEnd(thread, team, ends, ticks);
    }
    if (predecessors != nullptr) emitPredecessors(thread, team, predecessors, ticks);
  }
  close(s, thread, ticks);
  goOutside();
}

}  // namespace parallax::openmp
