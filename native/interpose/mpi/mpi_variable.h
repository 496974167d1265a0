// Control variables of MPI (MPI_T) of the library in this process.
#pragma once

#include <cstddef>

#include "interpose/tuning/answer.h"

namespace parallax::mpi {

// The calling thread initialises MPI.
void initialisedByCaller();
// Whether MPI names the calling thread as the one that has initialised it. Not after hasEnded(): MPI then ends the program.
bool isMainThread();
// Whether MPI was finalised. Its routines must not be called any more.
bool hasEnded();

// A variable of MPICH that chooses an algorithm, which is written for single calls.
class SwitchedVariable {
 public:
  // Where MPI may be called, any number of times.
  bool open(const char* name, tuning::Answer& answer);
  // The value of an algorithm. The description of the variable has "NAME - ..." for each value, in their order.
  bool findValue(const char* algorithm, tuning::Answer& answer, int* value) const;
  // Writes the value, or again the one that it had before: kBefore.
  static constexpr int kBefore = -1;
  void set(int value);

 private:
  void* handle_ = nullptr;
  int index_ = -1, before_ = 0;
  int (*read_)(void*, void*) = nullptr;
  int (*write_)(void*, const void*) = nullptr;
};

}  // namespace parallax::mpi
