#include <mpi.h>

#include "drops.h"

namespace drops {

void Process::init(int* count, char*** arguments) { MPI_Init(count, arguments); }

int Process::rank() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int Process::size() {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

double Process::sum(double value) {
  double all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void Process::probe(int source, int tag) {
  MPI_Status status;
  MPI_Probe(source, tag, MPI_COMM_WORLD, &status);
}

void Process::send(int target, int tag, const Vector& v) {
  std::vector<double> values(v.size());
  for (size_t i = 0; i < v.size(); i++) values[i] = v[i];
  MPI_Send(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, target, tag, MPI_COMM_WORLD);
}

void Process::receive(int source, int tag, Vector* v) {
  std::vector<double> values(v->size());
  MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, source, tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  for (size_t i = 0; i < v->size(); i++) (*v)[i] = values[i];
}

}  // namespace drops
