// Probes, and receives of what a matched probe has found.

#include <stdlib.h>

#include "counts.h"

enum { MESSAGES = 8 };

static void check(const MPI_Status* status, int phase, int from, int k, int* bytes) {
  MPI_Get_count(status, MPI_BYTE, bytes);
  require(*bytes == size_of(phase, k) && status->MPI_SOURCE == from, "what a probe says");
  ++counts.probes;
}

static void receive_probed(int phase, int from, int k) {
  int bytes, found = 0;
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  char* buffer;
  switch (k % 4) {
    case 0:
      MPI_Probe(MPI_ANY_SOURCE, k, MPI_COMM_WORLD, &status);
      check(&status, phase, from, k, &bytes);
      buffer = new_buffer(bytes);
      MPI_Recv(buffer, bytes, MPI_BYTE, from, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    case 1:
      while (!found) MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
      check(&status, phase, from, k, &bytes);
      buffer = new_buffer(bytes);
      MPI_Recv(buffer, bytes, MPI_BYTE, from, k, MPI_COMM_WORLD, &status);
      break;
    case 2:
      MPI_Mprobe(from, k, MPI_COMM_WORLD, &message, &status);
      check(&status, phase, from, k, &bytes);
      buffer = new_buffer(bytes);
      MPI_Mrecv(buffer, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      break;
    default:
      while (!found) MPI_Improbe(MPI_ANY_SOURCE, k, MPI_COMM_WORLD, &found, &message, &status);
      check(&status, phase, from, k, &bytes);
      buffer = new_buffer(bytes);
      MPI_Imrecv(buffer, bytes, MPI_BYTE, &message, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
  }
  count_receive(bytes);
  verify(buffer, bytes, phase, from, k);
  free(buffer);
}

// A probe that ignores its status, and one of the null process, which finds nothing real.
static void without_status(int partner) {
  int found = 0;
  MPI_Message message;
  if (rank % 2 == 0) {
    MPI_Send(NULL, 0, MPI_BYTE, partner, 77, MPI_COMM_WORLD);
    count_send(0);
  } else {
    MPI_Probe(partner, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ++counts.probes;
    MPI_Recv(NULL, 0, MPI_BYTE, partner, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count_receive(0);
  }
  MPI_Iprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  require(found, "the null process always has something");
  MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(NULL, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE);
}

// Two messages with one tag, both matched before either is received, and received in the other
// order: the probes have decided which is which.
static void matched_in_order(int phase, int partner) {
  if (rank % 2 == 0) {
    MPI_Request requests[2];
    void* buffer[2];
    for (int k = 0; k < 2; ++k) {
      const int bytes = size_of(phase, k);
      buffer[k] = new_buffer(bytes);
      fill(buffer[k], bytes, phase, rank, k);
      MPI_Isend(buffer[k], bytes, MPI_BYTE, partner, 5, MPI_COMM_WORLD, &requests[k]);
      count_send(bytes);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    free(buffer[0]);
    free(buffer[1]);
    return;
  }
  MPI_Message message[2];
  for (int k = 0; k < 2; ++k) {
    MPI_Mprobe(partner, 5, MPI_COMM_WORLD, &message[k], MPI_STATUS_IGNORE);
    ++counts.probes;
  }
  for (int k = 1; k >= 0; --k) {
    const int bytes = size_of(phase, k);
    char* buffer = new_buffer(bytes);
    MPI_Mrecv(buffer, bytes, MPI_BYTE, &message[k], MPI_STATUS_IGNORE);
    count_receive(bytes);
    verify(buffer, bytes, phase, partner, k);
    free(buffer);
  }
}

void probes(void) {
  const int phase = 40, partner = rank ^ 1;
  if (partner >= size) return;
  for (int k = 0; k < MESSAGES; ++k) {
    if (rank % 2 == 0) {
      const int bytes = size_of(phase, k);
      char* buffer = new_buffer(bytes);
      fill(buffer, bytes, phase, rank, k);
      MPI_Send(buffer, bytes, MPI_BYTE, partner, k, MPI_COMM_WORLD);
      count_send(bytes);
      free(buffer);
    } else {
      receive_probed(phase, partner, k);
    }
  }
  without_status(partner);
  matched_in_order(41, partner);
}
