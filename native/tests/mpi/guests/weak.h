// Prints which routines of libraries are there for whoever includes this.
#include <stdio.h>

#pragma weak MPI_Send
#pragma weak MPI_Send_c
#pragma weak PMPI_Isendrecv
#pragma weak MPI_Allreduce_init_c
#pragma weak mpi_send_
#pragma weak pvm_send
#pragma weak omp_set_lock
#pragma weak GOMP_barrier
extern int MPI_Send(), MPI_Send_c(), PMPI_Isendrecv(), MPI_Allreduce_init_c(), mpi_send_(), pvm_send(),
    omp_set_lock(), GOMP_barrier();

static void print_present(const char* where) {
  struct {
    const char* name;
    int (*routine)();
  } routines[] = {
      {"MPI_Send", MPI_Send}, {"MPI_Send_c", MPI_Send_c}, {"PMPI_Isendrecv", PMPI_Isendrecv},
      {"MPI_Allreduce_init_c", MPI_Allreduce_init_c}, {"mpi_send_", mpi_send_},
      {"pvm_send", pvm_send}, {"omp_set_lock", omp_set_lock}, {"GOMP_barrier", GOMP_barrier}};
  for (size_t i = 0; i < sizeof routines / sizeof *routines; ++i) {
    printf("%s: %s is %s\n", where, routines[i].name, routines[i].routine ? "there" : "missing");
  }
}
