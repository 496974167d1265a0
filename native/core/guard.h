// The guard of an intercepted routine: one of a thread at a time, from which its place follows (place.h).
#pragma once

#include <cstdint>

namespace parallax {

class Thread;  // core/thread.h

// Marks this thread as being inside the agent or an intercepted routine for as long as it
// lives: nested intercepted calls then pass straight through, and the sampler keeps out.
// False when the thread was inside already, or is not recorded. Signal handlers may use it.
class Guard {
 public:
  Guard() : thread_(enter(this)) {}
  ~Guard() {
    if (thread_ != nullptr) leave();
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  explicit operator bool() const { return thread_ != nullptr; }
  Thread* thread() const { return thread_; }
  void release();  // ends it early

  // For longjmp to a place on the stack further out than the guard of the running thread: ends
  // what it leaves.
  static void endIfLeftFor(uintptr_t stackPointer);

  // From here to endWaiting() the routine does nothing but wait: a handler of the program that
  // calls something recorded ends it, as far as events go. True: that has happened.
  void beginWaiting() { setPhase(kWaits); }
  bool endWaiting();
  // Whether the calling thread is between the two.
  static bool isWaiting();

 private:
  friend class Call;
  friend class FdCall;  // interpose/descriptors/fd_call.h
  friend class CountedRoutineAside;
  static Thread* enter(Guard* guard);
  static void leave();
  bool wasLeftBefore(const Guard* later, uintptr_t frame) const;
  // What a thread in State::kRoutine does there.
  //
  //   records ──letSamplesIn──▶ counts           a routine that is only counted
  //   records ──beginWaiting──▶ waits ──endWaiting──▶ records
  //
  // The values are overwritten soon when the frame is left in a way that runs no destructor (exceptions).
  enum Phase : uintptr_t {
    kRecords = 0x5AFE9A4A11A40001,
    kCounts = 0x5AFE9A4A11A40002,  // code of the program, for samples
    kWaits = 0x5AFE9A4A11A40003,   // a handler of the program that calls something recorded takes its place
  };
  void setPhase(Phase phase) { mark_ = reinterpret_cast<uintptr_t>(this) ^ phase; }
  bool isInPhase(Phase phase) const { return mark_ == (reinterpret_cast<uintptr_t>(this) ^ phase); }
  void letSamplesIn() { setPhase(kCounts); }
  void stand(uintptr_t frame) {
    setPhase(kRecords);
    frame_ = frame;
  }

  volatile uintptr_t mark_;
  uintptr_t frame_;  // the stack pointer of the routine
  Thread* thread_;
};

// For the sampler, around what it does in a signal handler: a routine that is only counted counts
// as the program's own code, in which samples are taken.
class CountedRoutineAside {
 public:
  CountedRoutineAside();
  ~CountedRoutineAside();
  CountedRoutineAside(const CountedRoutineAside&) = delete;
  CountedRoutineAside& operator=(const CountedRoutineAside&) = delete;

 private:
  const Guard* guard_ = nullptr;
};

}  // namespace parallax
