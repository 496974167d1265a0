// The guard of an intercepted routine. A thread has at most one, and the place of the thread points
// to it (place.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace parallax {

class Thread;  // core/thread.h

// Writes what has interrupted a wait of the thread, if anything: called at the first recorded call of the handler that
// did it, before the Leave of the wait (interpose/process).
extern std::atomic<void (*)(Thread* thread, uint64_t ticks)> tellInterruptedWait;

// While it exists, the thread counts as inside the agent or an intercepted routine: nested
// intercepted calls go directly to the real routine, and no samples are taken. False if the thread
// was already inside, or is not recorded. Signal handlers may use it.
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

  // Before a longjmp to a frame outside of the guard of the calling thread: ends the routines that
  // it leaves.
  static void endIfLeftFor(uintptr_t stackPointer);

  // From here to endWaiting(), the routine only waits. If a signal handler of the program calls a
  // recorded routine meanwhile, the events of this routine end before those of the handler;
  // endWaiting() then returns true.
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
  // The values are unlikely bit patterns: if the frame is left without a destructor (by an
  // exception), the memory is soon overwritten, and the state is no longer taken for valid.
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

// For the sampler, around its work in a signal handler: a routine that is only counted is treated
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
