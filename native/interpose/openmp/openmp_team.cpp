#include "interpose/openmp/openmp_team.h"

#include "base/fork_generation.h"
#include "base/spin_lock.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/process.h"
#include "perturb/speedup.h"
#include "sampler/sampler.h"

namespace parallax::openmp {

__thread State state __attribute__((tls_model("initial-exec"))) = {};

namespace {

using format::Group;
using format::SyncKind;

Region parallelRegion("omp parallel", Group::kOpenMp);
Region teamsRegion("omp teams", Group::kOpenMp);
Region endRegionRegion("omp implicit barrier", Group::kOpenMp);
Region idleRegion("[OpenMP idle]", Group::kOpenMp);

constexpr uint64_t kRegionBits = 20;  // generations of the barriers of one region
constexpr uint64_t kLastBarrier = (1u << kRegionBits) - 1;

// -------------------------------------------------------------- in and out

Thread* goInside() {
  Thread* thread;
  {
    Guard guard;
    if (!guard) return nullptr;
    thread = guard.thread();
  }
  local.place.enterRuntime();
  return thread;
}

void goOutside() { local.place.returnToProgram(); }

void open(State& s, Thread* thread, uint32_t path, uint64_t ticks) {
  thread->emit(Kind::kEnter, path, ticks, nullptr, 0);
  thread->openPath = path;
  s.open = path;
  s.openedTicks = ticks;
  s.end = End::kPlain;
  s.barrierLeft = false;
}

void close(State& s, Thread* thread, uint64_t ticks) {
  thread->emit(Kind::kLeave, s.open, ticks, nullptr, 0);
  thread->openPath = thread->functionPath;
  s.open = 0;
}

std::atomic<uintptr_t> callingCodeStart{0}, callingCodeEnd{0};

void beginPathsAt(const void* frame) {
  sampler::beginPathsAt(local.thread, reinterpret_cast<uintptr_t>(frame),
                        callingCodeStart.load(std::memory_order_relaxed),
                        callingCodeEnd.load(std::memory_order_relaxed));
}

// The path of a routine that the program calls; the states of its threads need each of them, so
// that none can be counted only.
uint32_t pathOf(Thread* thread, Region& region) {
  return enterPath(thread, region, region.relevance());
}

uint64_t ticksAtBegin(Thread* thread) {
  uint64_t ticks = thread->now();
  thread->checkCpu(ticks);
  return ticks;
}

uint64_t ticksAtEnd(Thread* thread) {
  uint64_t ticks = thread->nowAfter();
  thread->checkCpuAfterWait(state.openedTicks, ticks);
  return ticks;
}

void emitBarrier(Thread* thread, Team* team, uint64_t region, uint64_t barrier,
                 uint32_t participants, uint64_t ticks) {
  const uint64_t payload[] = {region << kRegionBits | barrier, participants};
  thread->emit(Kind::kBarrier, team->barrier, ticks, payload, 2);
}

void leaveBarrier(State& s, Thread* thread, Team* team, uint64_t ticks) {
  emitBarrier(thread, team, s.region, s.barriers++, s.participants, ticks);
  team->barriersLeft.store(s.region << kRegionBits | s.barriers, std::memory_order_release);
}

uint64_t emitSignal(Thread* thread, Team* team, uint64_t ticks) {
  const uint64_t sequence = team->signals.fetch_add(1, std::memory_order_relaxed) + 1;
  thread->emit(Kind::kSignal, team->tasks, ticks, &sequence, 1);
  return sequence;
}

uint64_t emitEnd(Thread* thread, Team* team, uint64_t ticks) {
  const uint64_t sequence = team->endSignals.fetch_add(1, std::memory_order_relaxed) + 1;
  thread->emit(Kind::kSignal, team->taskEnds, ticks, &sequence, 1);
  return sequence;
}

// The thread has waited for the end of a task.
void emitEndSeen(Thread* thread, const Team* team, uint64_t sequence, uint64_t ticks) {
  if (sequence == 0 || sequence == Task::kUnrecorded) return;
  thread->emit(Kind::kWake, team->taskEnds, ticks, &sequence, 1);
}

void emitLastEnd(Thread* thread, const Team* team, Ends* ends, uint64_t ticks) {
  const uint64_t last = ends->last.load(std::memory_order_acquire);
  if (last == ends->seen) return;
  ends->seen = last;
  emitEndSeen(thread, team, last, ticks);
}

void emitPredecessors(Thread* thread, const Team* team, TaskList* predecessors, uint64_t ticks) {
  predecessors->each([&](const Task* task) {
    emitEndSeen(thread, team, task->ended.load(std::memory_order_acquire), ticks);
    emitEndSeen(thread, team, task->fulfilled.load(std::memory_order_acquire), ticks);
  });
  predecessors->clear();
}

// A barrier waits for detached tasks, too.
void emitFulfilled(Thread* thread, Team* team, uint64_t region, uint64_t since, uint64_t ticks) {
  const Team::LastEnd& end = team->lastEnds[region % Team::kLastEnds];
  const uint64_t fulfilledTicks = end.fulfilledTicks.load(std::memory_order_acquire);
  if (end.region.load(std::memory_order_relaxed) != region || fulfilledTicks < since) return;
  emitEndSeen(thread, team, end.fulfilled.load(std::memory_order_relaxed), ticks);
}

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

void giveSpareTeams() {
  if (state.spare == nullptr || !spareLock.lock()) return;
  while (Team* team = state.spare) {
    state.spare = team->next;
    team->next = spareTeams;
    spareTeams = team;
  }
  spareLock.unlock();
}

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

Team::LastEnd& noteTaskEnd(Team* team, uint64_t region, uint64_t ticks) {
  Team::LastEnd& end = team->lastEnds[region % Team::kLastEnds];
  end.region.store(region, std::memory_order_relaxed);
  uint64_t known = end.ticks.load(std::memory_order_relaxed);
  while (known < ticks && !end.ticks.compare_exchange_weak(known, ticks)) {
  }
  return end;
}

// Its children may still refer to an implicit task, and to it alone.
void endImplicitTask(Task* task) {
  if (task == nullptr) return;
  finishTask(task, Task::kUnrecorded);
  releaseTask(task);
}

// ------------------------------------------------------------------ workers

SpinLock workersLock;
State* workers = nullptr;
uint32_t workersGeneration = 0;

// The others do not exist in a child after fork.
void forgetForeignWorkers() {
  if (workersGeneration != forkGeneration()) workers = nullptr;
  workersGeneration = forkGeneration();
}

// Writes the end of the barrier that a worker has waited in; from then on it was idle.
void writeEnd(State& s, Thread* thread, uint64_t now) {
  if (!s.atEnd) return;
  s.atEnd = false;
  uint64_t ticks = s.endedTicks.load(std::memory_order_acquire);
  if (ticks == 0) ticks = now;
  const Team::LastEnd& tasks = s.endedTeam->lastEnds[s.endedRegion % Team::kLastEnds];
  const uint64_t taskEnd = tasks.ticks.load(std::memory_order_relaxed);
  if (tasks.region.load(std::memory_order_relaxed) == s.endedRegion && taskEnd > ticks) {
    ticks = taskEnd;
  }
  if (ticks < s.openedTicks) ticks = s.openedTicks;
  if (ticks > now) ticks = now;
  thread->checkCpuBefore(ticks);
  if (s.endedRecorded && s.endedParticipants > 1) {
    emitBarrier(thread, s.endedTeam, s.endedRegion, kLastBarrier, s.endedParticipants, ticks);
    emitFulfilled(thread, s.endedTeam, s.endedRegion, s.openedTicks, ticks);
  }
  close(s, thread, ticks);
  open(s, thread, idleRegion.path(0), ticks);
}

// False when the process has ended meanwhile.
bool stopWaiting(State& s) {
  return !s.worker || s.phase.exchange(State::kWorking, std::memory_order_acq_rel) !=
                          State::kWritten;
}

void startWaiting(State& s) {
  if (s.worker) s.phase.store(State::kWaiting, std::memory_order_release);
}

bool endWorker(Thread* thread) {
  if (workersLock.lock()) {
    forgetForeignWorkers();
    if (state.listedGeneration == workersGeneration) {
      if (state.previous != nullptr) state.previous->next = state.next;
      if (state.next != nullptr) state.next->previous = state.previous;
      if (workers == &state) workers = state.next;
    }
    workersLock.unlock();
  }
  giveSpareTeams();
  endImplicitTask(state.task);
  state.task = nullptr;
  giveSpareBlocks();
  if (!stopWaiting(state)) return false;
  if (state.open == 0) return true;
  uint64_t ticks = thread->now();
  writeEnd(state, thread, ticks);
  thread->checkCpuAfterWait(state.openedTicks, ticks);
  close(state, thread, ticks);
  return true;
}

// The process ends, and idle workers with it. In a signal handler of a thread that is changing
// their list they stay as they are, as after a kill.
void writeWaitingWorkers() {
  if (!workersLock.lock()) return;
  forgetForeignWorkers();
  for (State* s = workers; s != nullptr; s = s->next) {
    uint32_t waiting = State::kWaiting;
    if (!s->phase.compare_exchange_strong(waiting, State::kWritten, std::memory_order_acq_rel)) {
      continue;
    }
    uint64_t now = nowTicks();
    writeEnd(*s, s->thread, now);
    s->thread->writeCpuOfWaiting(now);
    close(*s, s->thread, now);
    s->thread->emit(Kind::kThreadEnd, 0, now, nullptr, 0);
  }
  workersLock.unlock();
}

void nameWorker(unsigned number) {
  if (state.named || state.thread == nullptr) return;
  state.named = true;
  char name[48];
  const size_t at = appendText(name, 0, sizeof name, "OpenMP worker ");
  define(format::ThreadNameRecord{
      state.thread->number(), std::string_view(name, appendNumber(name, at, sizeof name, number))});
}

}  // namespace

void setCallingCode(uintptr_t start, uintptr_t end) {
  callingCodeStart.store(start, std::memory_order_relaxed);
  callingCodeEnd.store(end, std::memory_order_relaxed);
}

void beginWorker(Thread* thread) {
  State& s = state;
  s.worker = true;
  s.thread = thread;
  thread->atEnd = endWorker;
  const uint64_t ticks = ticksAtBegin(thread);
  open(s, thread, idleRegion.path(0), ticks);
  s.phase.store(State::kWaiting, std::memory_order_relaxed);
  process.beforeExit.store(writeWaitingWorkers, std::memory_order_relaxed);
  if (!workersLock.lock()) return;
  forgetForeignWorkers();
  s.listedGeneration = workersGeneration;
  s.previous = nullptr;
  s.next = workers;
  if (workers != nullptr) workers->previous = &s;
  workers = &s;
  workersLock.unlock();
}

// ------------------------------------------------------------------ regions

Team* beginRegion(void (*function)(void*), void* data, const Queries& queries, const void* code,
                  bool league) {
  if (!recording()) return nullptr;
  Team* team = obtainTeam();
  if (team == nullptr) return nullptr;
  team->master = &state;
  team->function = function;
  team->data = data;
  team->queries = queries;
  team->code = code;
  team->region++;
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
    team->path = pathOf(thread, league ? teamsRegion : parallelRegion);
    const uint64_t ticks = ticksAtBegin(thread);
    open(state, thread, team->path, ticks);
    team->started = emitSignal(thread, team, ticks);
  }
  return team;
}

void beginShare(Team* team, unsigned participants, unsigned number, const void* frame) {
  State& s = state;
  const bool master = team->master == &s;
  s.team = team;
  s.region = team->region;
  s.participants = participants;
  s.barriers = 0;
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

bool beginRoutine(Region& region, End end) {
  Thread* thread = goInside();
  if (thread == nullptr) return false;
  const uint32_t path = pathOf(thread, region);
  open(state, thread, path, ticksAtBegin(thread));
  state.end = end;
  return true;
}

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
  Task* task = s.task;
  const uint64_t ticks = ticksAtEnd(thread);
  if (team != nullptr && team->started != 0) {
    if (end == End::kBarrier && s.participants > 1) {
      if (!s.barrierLeft) leaveBarrier(s, thread, team, ticks);
      emitFulfilled(thread, team, s.region, s.openedTicks, ticks);
    } else if (end == End::kChildren && task != nullptr) {
      emitLastEnd(thread, team, &task->children, ticks);
    } else if (end == End::kGroup && task != nullptr && task->innermost != task->group) {
      emitLastEnd(thread, team, task->innermost, ticks);
    }
    if (predecessors != nullptr) emitPredecessors(thread, team, predecessors, ticks);
  }
  close(s, thread, ticks);
  goOutside();
}

// -------------------------------------------------------------------- tasks

uint64_t signalTasks() {
  const State& s = state;
  if (!inRuntime() || s.open == 0 || s.team == nullptr) return 0;
  return emitSignal(local.thread, s.team, s.openedTicks);
}

Work createTask(Task* parent) {
  Team* team = state.team;
  if (team == nullptr) return Work{};
  const uint64_t created = signalTasks();
  return Work{makeTask(team, state.region, parent, created), team, created};
}

namespace {

void emitBegin(Thread* thread, const Work& work, uint64_t ticks) {
  if (work.team == nullptr) return;
  Task* task = work.task;
  const uint64_t left = task != nullptr ? task->left.load(std::memory_order_acquire) : 0;
  if (left != 0) return emitEndSeen(thread, work.team, left, ticks);
  if (work.created != 0) thread->emit(Kind::kWake, work.team->tasks, ticks, &work.created, 1);
  if (task == nullptr) return;
  emitPredecessors(thread, work.team, &task->predecessors, ticks);
  for (const Ends* others : task->exclusive) {
    if (others == nullptr) break;
    emitEndSeen(thread, work.team, others->last.load(std::memory_order_acquire), ticks);
  }
}

Thread* openRoutine(uint32_t path) {
  Thread* thread = goInside();
  if (thread != nullptr) open(state, thread, path, ticksAtBegin(thread));
  return thread;
}

void closeBrief(Thread* thread) {
  close(state, thread, state.openedTicks);
  goOutside();
}

}  // namespace

Suspended beginTask(const Work& work, const void* frame, Region* brief) {
  State& s = state;
  Suspended suspended{0, 0, s.end, s.barrierLeft, s.atEnd, s.task};
  s.task = work.task;
  if (!inRuntime() && brief != nullptr) {
    if (Thread* thread = goInside()) {
      suspended.brief = pathOf(thread, *brief);
      open(s, thread, suspended.brief, ticksAtBegin(thread));
      emitBegin(thread, work, s.openedTicks);
      closeBrief(thread);
    }
    return suspended;
  }
  if (!inRuntime() || s.open == 0) return suspended;
  if (s.atEnd && !stopWaiting(s)) {
    local.place.end();
    return suspended;
  }
  if (s.atEnd) beginPathsAt(frame);
  s.atEnd = false;  // as for what the task waits for
  suspended.path = s.open;
  Thread* thread = local.thread;
  const uint64_t ticks = ticksAtEnd(thread);
  // Others may have left the barrier, and created tasks that this thread executes within it.
  if (s.end == End::kBarrier && !s.barrierLeft && s.participants > 1 && s.team != nullptr &&
      s.team->started != 0 && s.team->barriersLeft.load(std::memory_order_acquire) >
                                  (s.region << kRegionBits | s.barriers)) {
    leaveBarrier(s, thread, s.team, ticks);
    suspended.barrierLeft = true;
  }
  emitBegin(thread, work, ticks);
  close(s, thread, ticks);
  goOutside();
  return suspended;
}

namespace {

// The thread goes on with the routine that the task was executed in. Returns the Signal of the end.
uint64_t resume(const Suspended& suspended, const Work& work) {
  State& s = state;
  s.task = suspended.task;
  s.atEnd = suspended.atEnd;
  if (suspended.path == 0 && suspended.brief == 0) return Task::kUnrecorded;
  Thread* thread = openRoutine(suspended.path != 0 ? suspended.path : suspended.brief);
  if (thread == nullptr) return Task::kUnrecorded;
  s.end = suspended.end;
  s.barrierLeft = suspended.barrierLeft;
  uint64_t signal = Task::kUnrecorded;
  if (Team* team = work.team) {
    signal = emitEnd(thread, team, s.openedTicks);
    noteTaskEnd(team, work.task != nullptr ? work.task->region : s.atEnd ? s.endedRegion : s.region,
                s.openedTicks);
  }
  if (suspended.path == 0) closeBrief(thread);
  return signal;
}

// What the thread has written is complete: another one can write the end of the region for it.
void resumeWaiting(const Suspended& suspended) {
  if (suspended.path != 0 && inRuntime() && state.atEnd) startWaiting(state);
}

}  // namespace

void endTask(const Suspended& suspended, const Work& work, bool detached) {
  const uint64_t signal = resume(suspended, work);
  if (Task* task = work.task) {
    if (detached) task->awaitsEvent.store(true, std::memory_order_relaxed);
    finishTask(task, signal);
    if (!detached) releaseTask(task);
  }
  resumeWaiting(suspended);
}

void leaveTask(const Suspended& suspended, const Work& work) {
  const uint64_t signal = resume(suspended, work);
  if (work.task != nullptr) work.task->left.store(signal, std::memory_order_release);
  resumeWaiting(suspended);
}

void fulfillEvent(Task* task) {
  Team* team = task->team;
  uint64_t signal = Task::kUnrecorded;
  if (inRuntime() && state.open != 0) {
    signal = emitEnd(local.thread, team, state.openedTicks);
    Team::LastEnd& end = noteTaskEnd(team, task->region, state.openedTicks);
    end.fulfilled.store(signal, std::memory_order_relaxed);
    end.fulfilledTicks.store(state.openedTicks, std::memory_order_release);
  }
  fulfillTask(task, signal);
}

}  // namespace parallax::openmp
