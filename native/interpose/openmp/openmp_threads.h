// The number of threads of OpenMP in a process of MPI, as a variable that live tuning may change: "openmp_threads". The processors that
// the process may use change with it, as in DLB's policy Lend When Idle.
//
// A launcher may have bound the process to some processors. With fewer threads than at first, the process lends the last of these
// processors. With more threads, the additional ones may use all processors of the launcher that are not its own: the scheduler
// finds those that are free.
#pragma once

#include <pthread.h>

#include <atomic>

namespace parallax::openmp {

// On the thread that has just initialised MPI: declares the variable, if the process is tuned and has OpenMP.
void declareThreads();

// Told of each new thread, with its start routine, on the thread that has made it. Null as long as the processors of threads never
// change.
extern std::atomic<void (*)(const void* routine, pthread_t thread)> threadMade;

}  // namespace parallax::openmp
