#include "heat.h"

enum { UPWARD = 1, DOWNWARD = 2 };

void start_halo_exchange(Strip* strip, int rank, int ranks, MPI_Request requests[4]) {
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  const int n = strip->columns, last = strip->rows - 1;
  MPI_Irecv(row_of(strip->now, strip, -1), n, MPI_DOUBLE, above, DOWNWARD, MPI_COMM_WORLD,
            &requests[0]);
  MPI_Irecv(row_of(strip->now, strip, last + 1), n, MPI_DOUBLE, below, UPWARD, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Isend(row_of(strip->now, strip, 0), n, MPI_DOUBLE, above, UPWARD, MPI_COMM_WORLD,
            &requests[2]);
  MPI_Isend(row_of(strip->now, strip, last), n, MPI_DOUBLE, below, DOWNWARD, MPI_COMM_WORLD,
            &requests[3]);
}

void finish_halo_exchange(MPI_Request requests[4]) {
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

double global_residual(double local) {
  double sum = 0;
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

double mean_temperature(const Strip* strip, int plate_rows) {
  double local = 0, sum = 0;
  for (int row = 0; row < strip->rows; ++row) {
    const double* cell = row_of(strip->now, strip, row);
    for (int column = 0; column < strip->columns; ++column) local += cell[column];
  }
  MPI_Reduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return sum / ((double)plate_rows * strip->columns);
}
