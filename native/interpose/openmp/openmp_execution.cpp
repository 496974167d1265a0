// Tasks, from their creation to their end, as events of the threads that create and execute them.
#include "interpose/openmp/openmp_events.h"
#include "interpose/openmp/openmp_team.h"
#include "interpose/openmp/openmp_workers.h"

namespace parallax::openmp {

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

// Whether the thread has waited for others in the routine in which it begins to execute a task: not where it creates it, and
// where it waits for tasks only if others have to do with this one.
bool mayHaveWaited(End end, const Task* task) {
  if (task == nullptr || !task->predecessors.isEmpty() || task->exclusive[0] != nullptr) return true;
  if (end == End::kCreation) return false;
  const bool isOwn = task->creator == &state && task->left.load(std::memory_order_relaxed) == 0;
  return !isOwn || (end != End::kChildren && end != End::kGroup);
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
  const uint64_t ticks = ticksAtEnd(thread, mayHaveWaited(s.end, work.task));
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
