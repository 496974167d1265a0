// A program without MPI that can use it if it is there, and that loads a library of that kind.

#include "weak.h"

#include <dlfcn.h>

int main(int argc, char** argv) {
  print_present("program");
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "weak: %s\n", dlerror());
    return 1;
  }
  ((void (*)(void))dlsym(library, "print_in_library"))();
  const char* const names[] = {"MPI_Send", "MPI_Send_c", "PMPI_Isendrecv", "pvm_send", "omp_set_lock"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    printf("library by name: %s is %s\n", names[i], dlsym(library, names[i]) ? "there" : "missing");
  }
  return 0;
}
