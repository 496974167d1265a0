// A program without MPI that loads the MPI library in its first argument for itself alone and takes every
// routine from it by name, as the bindings of scripting languages do: exchanges one int with the other
// rank and makes one sum. One build for all libraries. A second argument is a library to load before.

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uintptr_t Handle;  // a pointer, or an int in the lower half

static void* library;

static void* symbol(const char* name) {
  void* found = dlsym(library, name);
  if (found != NULL) return found;
  fprintf(stderr, "by_name: %s\n", dlerror());
  exit(1);
}

int main(int argc, char** argv) {
  // Nobody has MPI yet.
  void* before = dlsym(RTLD_DEFAULT, "MPI_Send");
  const char* error = dlerror();
  printf("before: %s\n", before != NULL ? "there" : error != NULL ? "missing" : "missing without a word");
  if (argc > 2 && dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) == NULL) {
    fprintf(stderr, "by_name: %s\n", dlerror());
    return 1;
  }
  library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "by_name: %s\n", dlerror());
    return 1;
  }
  // What the library does not have stays so.
  printf("unknown: %s\n", dlsym(library, "MPI_Unknown") != NULL ? "there" : "missing");
  printf("large counts: %s\n", dlsym(library, "MPI_Send_c") != NULL ? "there" : "missing");

  Handle world = 0x44000000, type = 0x4c000405, sum_of = 0x58000003, status_ignore = 1;
  int major = -1, minor = -1;
  int (*get_abi)(int*, int*) = (int (*)(int*, int*))dlsym(library, "MPI_Abi_get_version");
  if (get_abi != NULL) get_abi(&major, &minor);
  if (major >= 1) {
    world = 0x101, type = 0x209, sum_of = 0x21, status_ignore = 0;
  } else if (dlsym(library, "ompi_mpi_comm_world") != NULL) {
    world = (Handle)symbol("ompi_mpi_comm_world"), type = (Handle)symbol("ompi_mpi_int");
    sum_of = (Handle)symbol("ompi_mpi_op_sum"), status_ignore = 0;
  }
  ((int (*)(int*, char***))symbol("MPI_Init"))(NULL, NULL);
  int rank = -1, in = -1, sum = 0;
  ((int (*)(Handle, int*))symbol("MPI_Comm_rank"))(world, &rank);
  ((int (*)(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle, Handle))symbol(
      "MPI_Sendrecv"))(&rank, 1, type, 1 - rank, 1, &in, 1, type, 1 - rank, 1, world, status_ignore);
  ((int (*)(const void*, void*, int, Handle, Handle, Handle))symbol("PMPI_Allreduce"))(
      &rank, &sum, 1, type, sum_of, world);
  printf("rank %d: got %d, sum %d\n", rank, in, sum);
  return ((int (*)(void))symbol("MPI_Finalize"))();
}
