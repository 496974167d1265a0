// Virtual speed-up: what the program gains when some of its code alone is faster, seen without
// making it faster, by making all else slower by as much (C. Curtsinger, E. D. Berger: Coz, SOSP
// 2015; here it extends to all processes of a trial on a host).
//
// Each thread has a level: for how long it has paused, and how much sooner than it was it would
// have been through the code, had that been as fast as it is supposed to be. At real time t it would
// be where it is at the virtual time t less its level. Who has waited for another goes on at the
// later of two virtual times, its own and the other's; so its level becomes the other's, but rises by
// no more than the wait.
//
// The highest level of all is the total, which all processes of the trial share. A thread below the
// total owes the difference. It pays by a pause: in the handler of its next sample, and before all
// that can let another thread go on. This keeps real events in the order of their virtual times. In
// the end all have paid: the virtual time of the program is the real one less the total.
//
// A thread may owe what two samples add. So threads that run the code side by side do not stop one
// another in turn because they are sampled in turn.
//
// docs/virtual-speedup.md says what comes of this, and for which programs. This is what the
// interposed routines see of it; off, it costs a load and a branch.
#pragma once

#include <cstdint>

#include "perturb/plan.h"

namespace parallax::speedup {

// Fixed once the process has begun.
extern bool active;

// While it is active: before what can let another thread go on, or shows what this one has done.
// No signal handler of the agent may call what follows. `object` is what others wait for: the address
// of a mutex, the handle of a thread; 0: nothing of this process, or not known.
void pay(uintptr_t object = 0);
// The same, before the end of a thread or process: nothing stays owed.
void payAll(uintptr_t object = 0);

// Around what may wait for others, by sleeping or by polling: pays first. Within, nothing is
// sampled and nothing is paid. They nest. What is left without an end, by cancellation, ends with
// the thread.
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

// Code of the program that is called from within a wait, such as a task by a thread at a barrier.
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

// The level at which a thread begins that is made now; its maker has paid.
uint64_t levelOfChild();
// On a new thread, before it runs code of the program.
void beginThread(uint64_t level);
// In a child after fork.
void afterFork();
// Around the execution of another program by this thread: no sample is left for that one.
void pauseSampling();
void resumeSampling();

// ------------------------------------------------------------------ process

// For a plan with ranges, when the process starts, on its main thread, with the counts open; later
// threads are sampled from their start. Returns what is in the way, or null.
const char* start(const perturb::Plan& plan);
// Modules were loaded or unloaded. Not for signal handlers.
void modulesChanged();

}  // namespace parallax::speedup
