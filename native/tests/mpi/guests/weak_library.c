// A library that needs MPI, and uses what its MPI has of MPI 4.

#define _GNU_SOURCE
#include "weak.h"

#include <dlfcn.h>

extern int MPI_Initialized(int* flag);

void print_in_library(void) {
  print_present("library");
  // Both depend on who calls dlsym.
  printf("library: its own symbol is %s\n",
         dlsym(RTLD_DEFAULT, "print_in_library") != NULL ? "there" : "missing");
  printf("library: the next one is %s\n",
         dlsym(RTLD_NEXT, "print_in_library") != NULL ? "there" : "missing");
  int flag = -1;
  MPI_Initialized(&flag);
  printf("library: MPI is %s\n", flag ? "initialised" : "not initialised");
}
