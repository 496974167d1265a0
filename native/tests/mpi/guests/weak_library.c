// A library that needs MPI, and uses what its MPI has of MPI 4.

#include "weak.h"

extern int MPI_Initialized(int* flag);

void print_in_library(void) {
  print_present("library");
  int flag = -1;
  MPI_Initialized(&flag);
  printf("library: MPI is %s\n", flag ? "initialised" : "not initialised");
}
