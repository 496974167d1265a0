// A library with some of OpenMP's routines, for reload.c, as those that have a form of their own
// without threads. NUMBER tells which of two, whose routines stand at different addresses.
#include <stdio.h>

static int loads, locked;

#if NUMBER == 1
void omp_unset_lock(void* lock) { locked = -1; }
void omp_set_lock(void* lock) { locked = NUMBER; }
#else
void omp_set_lock(void* lock) { locked = NUMBER; }
void omp_unset_lock(void* lock) { locked = -2; }
#endif

// How often it was called since it was loaded, and by whose routine it was locked.
int callStub(int lock) {
  loads++;
  if (lock) omp_set_lock(NULL);
  const int result = 10 * loads + locked;
  if (lock) omp_unset_lock(NULL);
  return result;
}

__attribute__((destructor)) static void end(void) { puts("unloaded"); }
