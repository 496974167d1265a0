// Rank 0 sends types of MPI, and others that are freed at once, so that later ones may get their handles. Both ranks say
// what they counted, in the words of message_counts.
#include <mpi.h>
#include <stdio.h>

static int rank, messages, bytes;

static void pass(MPI_Datatype type, int typeBytes) {
  int buffer[16] = {0};
  for (int i = 0; i < 2; ++i, ++messages, bytes += typeBytes) {
    if (rank == 0) MPI_Send(buffer, 1, type, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(buffer, 1, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pass(MPI_INT, sizeof(int));
  pass(MPI_DOUBLE, sizeof(double));
  for (int count = 2; count <= 8; ++count) {
    MPI_Datatype type;
    MPI_Type_contiguous(count, MPI_INT, &type);
    MPI_Type_commit(&type);
    pass(type, count * (int)sizeof(int));
    MPI_Type_free(&type);
#if MPI_VERSION >= 4
    MPI_Type_contiguous_c(count, MPI_SHORT, &type);
    MPI_Type_commit(&type);
    pass(type, count * (int)sizeof(short));
    MPI_Type_free(&type);
#endif
  }
  MPI_Finalize();
  const int sent = rank == 0, received = rank == 1;
  printf("counts rank=%d sends=%d send_bytes=%d receives=%d receive_bytes=%d probes=0 cancels=0 init=1/0/0 finalize=1/0/0\n",
         rank, sent * messages, sent * bytes, received * messages, received * bytes);
  return 0;
}
