#include "interpose/openmp/openmp_workers.h"

#include "base/fork_generation.h"
#include "base/spin_lock.h"
#include "base/text.h"
#include "core/process.h"
#include "interpose/openmp/openmp_events.h"

namespace parallax::openmp {
namespace {

Region idleRegion("[OpenMP idle]", format::Group::kOpenMp);

SpinLock workersLock;
State* workers = nullptr;
uint32_t workersGeneration = 0;

// The others do not exist in a child after fork.
void forgetForeignWorkers() {
  if (workersGeneration != forkGeneration()) workers = nullptr;
  workersGeneration = forkGeneration();
}

}  // namespace

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
  // It asks the kernel, which takes as long as the rest of a region.
  if (local.thread != thread || thread->mayHaveLostCpu()) thread->checkCpuBefore(ticks);
  if (s.endedRecorded && s.endedParticipants > 1) {
    emitBarrier(thread, s.endedTeam, s.endedRegion, kLastBarrier, s.endedParticipants, ticks);
    emitFulfilled(thread, s.endedTeam, s.endedRegion, s.openedTicks, ticks);
  }
  close(s, thread, ticks);
  open(s, thread, idleRegion.path(0), ticks);
}

bool stopWaiting(State& s) {
  return !s.worker || s.phase.exchange(State::kWorking, std::memory_order_acq_rel) !=
                          State::kWritten;
}

void startWaiting(State& s) {
  if (s.worker) s.phase.store(State::kWaiting, std::memory_order_release);
}

namespace {

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
    s->thread->endSwitching(now);
    s->thread->emit(Kind::kThreadEnd, 0, now, nullptr, 0);
  }
  workersLock.unlock();
}

}  // namespace

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

void nameWorker(unsigned number) {
  if (state.named || state.thread == nullptr) return;
  state.named = true;
  char name[48];
  const size_t at = appendText(name, 0, sizeof name, "OpenMP worker ");
  define(format::ThreadNameRecord{
      state.thread->number(), std::string_view(name, appendNumber(name, at, sizeof name, number))});
}

}  // namespace parallax::openmp
