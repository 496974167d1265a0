#include "interpose/openmp/openmp_events.h"

#include "sampler/sampler.h"

namespace parallax::openmp {

namespace {
std::atomic<uintptr_t> callingCodeStart{0}, callingCodeEnd{0};
}  // namespace

void setCallingCode(uintptr_t start, uintptr_t end) {
  callingCodeStart.store(start, std::memory_order_relaxed);
  callingCodeEnd.store(end, std::memory_order_relaxed);
}

void beginPathsAt(const void* frame) {
  sampler::beginPathsAt(local.thread, reinterpret_cast<uintptr_t>(frame),
                        callingCodeStart.load(std::memory_order_relaxed),
                        callingCodeEnd.load(std::memory_order_relaxed));
}

uint32_t pathOf(Thread* thread, Region& region, RoutineFrame frame) {
  return enterPath(thread, region, region.relevance(), frame);
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
  const uint64_t sequence = addTo(team->signals, uint64_t{1}, team->isAlone(team->region)) + 1;
  thread->emit(Kind::kSignal, team->tasks, ticks, &sequence, 1);
  return sequence;
}

uint64_t emitEnd(Thread* thread, Team* team, uint64_t ticks) {
  const uint64_t sequence = addTo(team->endSignals, uint64_t{1}, team->isAlone(team->region)) + 1;
  state.lastEndTeam = team;
  state.lastEnd = sequence;
  thread->emit(Kind::kSignal, team->taskEnds, ticks, &sequence, 1);
  return sequence;
}

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

void emitFulfilled(Thread* thread, Team* team, uint64_t region, uint64_t since, uint64_t ticks) {
  const Team::LastEnd& end = team->lastEnds[region % Team::kLastEnds];
  const uint64_t fulfilledTicks = end.fulfilledTicks.load(std::memory_order_acquire);
  if (end.region.load(std::memory_order_relaxed) != region || fulfilledTicks < since) return;
  emitEndSeen(thread, team, end.fulfilled.load(std::memory_order_relaxed), ticks);
}

Team::LastEnd& noteTaskEnd(Team* team, uint64_t region, uint64_t ticks) {
  Team::LastEnd& end = team->lastEnds[region % Team::kLastEnds];
  end.region.store(region, std::memory_order_relaxed);
  raiseTo(end.ticks, ticks, team->isAlone(region));
  return end;
}

}  // namespace parallax::openmp
