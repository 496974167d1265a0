// Control variables of MPI (MPI_T) of the library in this process.
#pragma once

#include <cstddef>

#include "interpose/tuning/answer.h"

namespace parallax::mpi {

// The calling thread initialises MPI.
void initialisedByCaller();
bool isInitialisingThread();
// Whether MPI was initialised; also after its end.
bool hasBegun();

// Writes the variable of this name, and says what it had and has. Copies the former value to `before`, unless that is null. Between
// MPI_Init and MPI_Finalize, on the thread that has initialised MPI, at a safe moment. Returns whether the library has
// taken the value; if not, the answer says why not.
bool writeVariable(const char* name, const char* value, tuning::Answer& answer, char* before, size_t capacity);

}  // namespace parallax::mpi
