// What a thread of a team writes: Enter and Leave of a routine of the runtime, and what it tells others there or
// learns from them.
#pragma once

#include "interpose/openmp/openmp_team.h"

namespace parallax::openmp {

constexpr uint64_t kRegionBits = 20;  // generations of the barriers of one region
constexpr uint64_t kLastBarrier = (1u << kRegionBits) - 1;

// Code that calls the program's in shares and tasks; left out of the call paths of the pool's threads.
void setCallingCode(uintptr_t start, uintptr_t end);

// From the program's code into the runtime; null where the thread is inside already or not recorded.
inline Thread* goInside() {
  Thread* thread;
  {
    Guard guard;
    if (!guard) return nullptr;
    thread = guard.thread();
  }
  local.place.enterRuntime();
  return thread;
}

inline void goOutside() { local.place.returnToProgram(); }

inline void open(State& s, Thread* thread, uint32_t path, uint64_t ticks) {
  thread->emit(Kind::kEnter, path, ticks, nullptr, 0);
  thread->openPath = path;
  s.open = path;
  s.openedTicks = ticks;
  s.end = End::kPlain;
  s.barrierLeft = false;
}

inline void close(State& s, Thread* thread, uint64_t ticks) {
  thread->emit(Kind::kLeave, s.open, ticks, nullptr, 0);
  thread->openPath = thread->functionPath;
  s.open = 0;
}

// A thread of the pool has nothing of the program's beyond `frame`, an address on its stack.
void beginPathsAt(const void* frame);
// The path of a routine that the program calls; the states of its threads need each of them, so
// that none can be counted only.
uint32_t pathOf(Thread* thread, Region& region, RoutineFrame frame = nullptr);

inline uint64_t ticksAtBegin(Thread* thread) {
  uint64_t ticks = thread->now();
  thread->checkCpu(ticks);
  return ticks;
}

// `waited`: perhaps, for another thread.
inline uint64_t ticksAtEnd(Thread* thread, bool waited = true) {
  uint64_t ticks = waited ? thread->nowAfter() : thread->now();
  thread->checkCpuAfterWait(state.openedTicks, ticks);
  return ticks;
}

void emitBarrier(Thread* thread, Team* team, uint64_t region, uint64_t barrier,
                 uint32_t participants, uint64_t ticks);
void leaveBarrier(State& s, Thread* thread, Team* team, uint64_t ticks);

// The Signal of what creates shares or tasks, and that of the end of a task.
uint64_t emitSignal(Thread* thread, Team* team, uint64_t ticks);
uint64_t emitEnd(Thread* thread, Team* team, uint64_t ticks);
Team::LastEnd& noteTaskEnd(Team* team, uint64_t region, uint64_t ticks);

// The thread has waited for the end of a task, of the last of several, or of these, which are then forgotten.
void emitEndSeen(Thread* thread, const Team* team, uint64_t sequence, uint64_t ticks);
void emitLastEnd(Thread* thread, const Team* team, Ends* ends, uint64_t ticks);
void emitPredecessors(Thread* thread, const Team* team, TaskList* predecessors, uint64_t ticks);
// A barrier waits for detached tasks, too: if one was fulfilled after `since`.
void emitFulfilled(Thread* thread, Team* team, uint64_t region, uint64_t since, uint64_t ticks);

}  // namespace parallax::openmp
