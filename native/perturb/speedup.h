// Virtual speed-up measures how much faster the program would be if some of its code were faster.
// Instead of making this code faster, it pauses all other threads for as long as they would have
// gained (C. Curtsinger, E. D. Berger: Coz, SOSP 2015; here it extends to all processes of a trial
// on a host).
//
// Each thread has a level: the sum of its pauses and of the time that it would have saved in the
// faster code. A thread that is at a point at real time t would be there at virtual time t minus
// its level. After a wait, a thread continues at the later of two virtual times: its own and that
// of the thread that woke it. So its level becomes the level of that thread, but rises by at most
// the duration of the wait.
//
// The highest level is the total, which all processes of the trial share. A thread below the total
// owes the difference. It pays by a pause, in the handler of its next sample and before each action
// that can wake another thread. Otherwise real events would not be in the order of their virtual
// times. At the end all threads have paid, and the virtual time of the program is its real time
// minus the total.
//
// A thread may owe the amount of two samples. Otherwise threads that execute the code at the same
// time would stop each other in turn, because they are sampled in turn.
//
// docs/virtual-speedup.md describes the results and the limits. This is the interface for
// intercepted routines; when switched off, it costs a load and a branch.
#pragma once

#include <cstdint>

#include "perturb/plan.h"

namespace parallax::speedup {

// Constant after the start of the process.
extern bool active;

// If active, call this before an action that can wake another thread, or that makes an effect of
// this thread visible. Signal handlers of the agent must not call the following functions. `object`
// identifies what others wait for: the address of a mutex, the handle of a thread; 0: unknown, or
// not in this process.
void pay(uintptr_t object = 0);
// The same, before the end of a thread or process: nothing stays owed.
void payAll(uintptr_t object = 0);

// Enclose a wait for others, by sleeping or by polling. beginWait pays first. During the wait, no
// samples are taken and nothing is paid. Waits nest. A wait that cancellation leaves without
// endWait ends with the thread.
void beginWait(uintptr_t object = 0);
// `byOthers`: another thread has ended it, not a clock.
void endWait(bool byOthers);

// Both, around a routine, where it is active.
class Wait {
 public:
  Wait() : begun_(active) {
    if (__builtin_expect(begun_, false)) beginWait();
  }
  ~Wait() {
    if (__builtin_expect(begun_, false)) endWait(true);
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

 private:
  bool begun_;
};

// Code of the program that runs inside a wait, such as a task that a thread executes at a barrier.
class OutOfWait {
 public:
  OutOfWait() {
    if (__builtin_expect(active, false)) waits_ = leaveWaits();
  }
  ~OutOfWait() {
    if (__builtin_expect(waits_ > 0, false)) enterWaits(waits_);
  }
  OutOfWait(const OutOfWait&) = delete;
  OutOfWait& operator=(const OutOfWait&) = delete;

 private:
  static uint32_t leaveWaits();
  static void enterWaits(uint32_t waits);
  uint32_t waits_ = 0;
};

// The share of a thread in a parallel region: after it the thread waits, at the barrier that ends
// the region and, if it is of a pool, until its next share.
class Share {
 public:
  Share() {
    if (__builtin_expect(active, false)) endWait(true);
  }
  ~Share() {
    if (__builtin_expect(active, false)) beginWait();
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
};
// After the region, on the thread that has begun it.
inline void endShares() {
  if (__builtin_expect(active, false)) endWait(true);
}

// ------------------------------------------------------------------ threads

// The initial level of a thread that is created now; its creator has paid.
uint64_t levelOfChild();
// On a new thread, before it runs code of the program.
void beginThread(uint64_t level);
// In a child after fork.
void afterFork();
// Around the execution of another program by this thread, so that no sample stays pending for that
// program: it would kill it.
void pauseSampling();
void resumeSampling();

// ------------------------------------------------------------------ process

// Starts virtual speed-ups for a plan with ranges: on the main thread, when the process starts,
// with the counts open. Later threads are sampled from their start. Returns null, or the problem.
const char* start(const perturb::Plan& plan);
// Modules were loaded or unloaded. Not for signal handlers.
void modulesChanged();

}  // namespace parallax::speedup
