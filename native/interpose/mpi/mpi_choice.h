// The choice of the algorithm of a collective on MPI_COMM_WORLD while the program is tuned. All processes change at the same call
// (live/live_job.h).
//
// A call can use the library's own algorithm, a composition of other routines (mpi_methods.h), or, with MPICH, an algorithm of a
// control variable, which is set for this call alone. Only programs in which one thread calls MPI can choose: with more threads, a
// wish could come in the middle of a call.
#pragma once

#include <cstdint>

#include "interpose/mpi/mpi_abi.h"
#include "live/live_agent.h"

namespace parallax::mpi {

enum class Chosen : uint32_t { kAllreduce, kAlltoall };

// In MPI_Init, when all processes know the job: this one can agree with the others from now on, if it is tuned at all.
void joinChoices(uint64_t job, uint32_t rank, uint32_t size, int threadLevel);

extern bool mayChoose;  // callChosen() needs it
// Where such a call stands on the stack; 0: none is under way.
extern __thread uintptr_t chosenFrame __attribute__((tls_model("initial-exec")));
// A jump to a place further out leaves the call.
void leaveChosenFor(uintptr_t stackPointer);
// A call that fails is not counted: with wrong arguments it fails in this process alone, and the others never begin it.
void endFailedCall();
uint8_t chosenMethodOf(Chosen routine, uint64_t bytes, bool isPossible);
// Sets the variable of a library's algorithm for a call, or back.
void switchLibrary(Chosen routine, uint8_t method, bool on);
extern bool isSwitched;  // a variable is set
void switchBack();

// A call that could be made by another method is a visit of the routine `MPI_Allreduce:choosable`, or of MPI_Alltoall. Its time is
// that after the last process has begun the call: no method shortens the wait for a late process.
class ChoosableVisit {
 public:
  // After chosenMethodOf(), which counts the call.
  ChoosableVisit(Chosen routine, uint64_t bytes, bool isPossible) : routine_(routine), bytes_(bytes) {
    if (isPossible && live::isAsked()) begin();
  }
  void end() {
    if (!points_.isEmpty()) endNow();
  }

 private:
  void begin();
  void endNow();

  Chosen routine_;
  live::RoutinePoints points_;
  uint64_t bytes_, call_ = 0, beginTicks_ = 0;
};

inline constexpr uint8_t kLibrarys = 128;  // this and all above: the algorithm of the library's variable

// Carries out a call of the program: by `real`, or by `compose` with the number of the method if one is chosen. `bytes` are those that
// measure points count, the same in all processes; 0: some processes may leave the call before others begin it. `isPossible()`:
// whether other methods have the same result to the last bit.
template <class IsPossible, class Real, class Compose>
int callChosen(Chosen routine, Handle comm, uint64_t bytes, IsPossible isPossible, Real real, Compose compose) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  // A call from inside of a chosen one is part of it: a tool behind may call PMPI_Name. If the chosen one stands further in on the
  // stack than this call, the program has left it.
  if (chosenFrame != 0 && frame < chosenFrame) return real();
  if (chosenFrame != 0) endFailedCall();
  if (isSwitched) switchBack();
  if (normalised(comm) != abi().world || bytes == 0) return real();
  chosenFrame = frame;
  const bool possible = isPossible();
  const uint8_t method = chosenMethodOf(routine, bytes, possible);
  ChoosableVisit visit(routine, bytes, possible);
  int result;
  if (method == 0) {
    result = real();
  } else if (method >= kLibrarys) {
    switchLibrary(routine, method, true);
    result = real();
    switchLibrary(routine, method, false);
  } else {
    result = compose(method);
  }
  if (result == 0) {
    visit.end();
  } else {
    endFailedCall();
  }
  chosenFrame = 0;
  return result;
}

}  // namespace parallax::mpi
