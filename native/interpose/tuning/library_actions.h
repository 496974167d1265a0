// What the adapters of libraries do for live tuning. It is declared here and implemented there, so that this folder includes none
// of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpose/tuning/answer.h"

namespace parallax::tuning::library {

// ---- interpose/mpi

// Whether the calling thread may call MPI: it has initialised it.
bool mayCallMpi();
// Writes the control variable of this name (MPI_T), and says what it had and has. Copies the former value to `before`, unless that is
// null. Returns whether the library has taken the value; if not, the answer says why not. Where mayCallMpi().
bool writeMpiVariable(const char* name, const char* value, Answer& answer, char* before, size_t capacity);
// The process wants a method for calls of `least` to `most` bytes, as measure points count them. Sets `place` to what takes the wish
// back. False: refused, and the answer says why. Where mayCallMpi().
bool wishMpiMethod(const char* routine, const char* method, uint64_t least, uint64_t most, Answer& answer, void** place);
void takeBackMpiWish(void* place);

// ---- interpose/openmp

// Whether this is the variable "openmp_threads".
bool isOpenMpThreads(const void* address);
// Whether the variable may be changed by this thread now: it has initialised MPI, and is in no parallel region.
bool mayUseOpenMpThreads();
// So many threads for the regions that this thread begins from now on. The caller writes the variable. False: it cannot be done, and
// the answer says why. Where mayUseOpenMpThreads().
bool useOpenMpThreads(int64_t threads, Answer& answer);

}  // namespace parallax::tuning::library
