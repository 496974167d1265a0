// The threads of OpenMP in a process of MPI, as a variable that live tuning may change: "openmp_threads". With it change the
// processors that the process may use, as DLB does with Lend When Idle.
//
// A process that its launcher has bound to some processors lends the last of them with the threads that it gives up. If it has
// more threads than at first, those that it then makes may use the processors that the launcher may use and the process not: the
// scheduler finds those that are free.
#pragma once

#include <cstdint>

#include "interpose/tuning/answer.h"

namespace parallax::tuning {

// On the thread that has just initialised MPI: declares the variable, if the process is tuned and has OpenMP.
void declareOpenMpThreads();
// Whether this is the variable. It must be changed on the thread that initialised MPI.
bool isOpenMpThreads(const void* address);
// For the regions that this thread begins from now on. The caller writes the variable. Returns false if it cannot be done; the
// answer says why.
bool useOpenMpThreads(int64_t threads, Answer& answer);

}  // namespace parallax::tuning
