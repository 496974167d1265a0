// Blocking messages: all modes, wildcards, order, null process, derived types, sendrecv.

#include <stdlib.h>

#include "counts.h"

typedef int (*SendRoutine)(const void*, int, MPI_Datatype, int, int, MPI_Comm);

static void send_message(SendRoutine routine, int phase, int k, int to, int tag) {
  const int bytes = size_of(phase, k);
  void* buffer = new_buffer(bytes);
  fill(buffer, bytes, phase, rank, k);
  routine(buffer, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
  count_send(bytes);
  free(buffer);
}

// The buffer is larger than the message, so that what counts is what arrives.
static void receive_message(int phase, int k, int from, int tag, int wild, MPI_Status* status) {
  const int bytes = size_of(phase, k);
  void* buffer = new_buffer(bytes + 100);
  MPI_Recv(buffer, bytes + 100, MPI_BYTE, wild ? MPI_ANY_SOURCE : from,
           wild ? MPI_ANY_TAG : tag, MPI_COMM_WORLD, status);
  count_receive(bytes);
  if (status != MPI_STATUS_IGNORE) {
    int received;
    MPI_Get_count(status, MPI_BYTE, &received);
    require(received == bytes && status->MPI_SOURCE == from && status->MPI_TAG == tag,
            "status of a receive");
  }
  verify(buffer, bytes, phase, from, k);
  free(buffer);
}

// Each rank sends to the next; even ranks send first.
static void ring(SendRoutine routine, int phase, int messages) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int k = 0; k < messages; ++k) {
    MPI_Status status;
    MPI_Status* given = k % 2 == 0 ? &status : MPI_STATUS_IGNORE;
    if (rank % 2 == 0) {
      send_message(routine, phase, k, to, k);
      receive_message(phase, k, from, k, k % 3 == 0, given);
    } else {
      receive_message(phase, k, from, k, k % 3 == 0, given);
      send_message(routine, phase, k, to, k);
    }
  }
  meet();
}

// A ready send may only start when the receive is posted: the receiver says so first.
static void ready_sends(int phase) {
  const int partner = rank ^ 1;
  if (partner >= size) return;
  for (int k = 0; k < 6; ++k) {
    const int bytes = size_of(phase, k);
    if (rank % 2 == 0) {
      MPI_Recv(NULL, 0, MPI_BYTE, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      count_receive(0);
      send_message(MPI_Rsend, phase, k, partner, 2);
    } else {
      MPI_Request request;
      void* buffer = new_buffer(bytes);
      MPI_Irecv(buffer, bytes, MPI_BYTE, partner, 2, MPI_COMM_WORLD, &request);
      MPI_Send(NULL, 0, MPI_BYTE, partner, 1, MPI_COMM_WORLD);
      count_send(0);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      count_receive(bytes);
      verify(buffer, bytes, phase, partner, k);
      free(buffer);
    }
  }
}

// Everybody sends to rank 0, which takes whatever comes.
static void wildcards(int phase) {
  const int each = 8;
  if (rank != 0) {
    for (int k = 0; k < each; ++k) send_message(MPI_Send, phase, rank * each + k, 0, 100 + k);
    return;
  }
  int* next = new_buffer((int)sizeof(int) * size);
  for (int i = 0; i < each * (size - 1); ++i) {
    char* buffer = new_buffer(MAX_BYTES);
    MPI_Status status;
    int bytes;
    MPI_Recv(buffer, MAX_BYTES, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    count_receive(bytes);
    const int from = status.MPI_SOURCE, k = next[from]++;
    require(status.MPI_TAG == 100 + k, "messages of one sender do not overtake");
    require(bytes == size_of(phase, from * each + k), "size of a wildcard receive");
    verify(buffer, bytes, phase, from, from * each + k);
    free(buffer);
  }
  free(next);
}

// Received in the reverse order of their tags, and two with the same tag in order.
static void out_of_order(int phase) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  const int tags[5] = {1, 2, 3, 2, 4};
  const int order[5] = {4, 2, 1, 3, 0};
  MPI_Request request[5];
  void* buffer[5];
  for (int k = 0; k < 5; ++k) {
    const int bytes = size_of(phase, k);
    buffer[k] = new_buffer(bytes);
    fill(buffer[k], bytes, phase, rank, k);
    MPI_Isend(buffer[k], bytes, MPI_BYTE, to, tags[k], MPI_COMM_WORLD, &request[k]);
    count_send(bytes);
  }
  for (int i = 0; i < 5; ++i) {
    receive_message(phase, order[i], from, tags[order[i]], 0, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
  for (int k = 0; k < 5; ++k) free(buffer[k]);
}

// Nothing is sent to the null process, and nothing comes from it.
static void null_process(void) {
  MPI_Status status;
  char byte = 1;
  MPI_Request requests[2];
  MPI_Send(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 5, MPI_COMM_WORLD);
  MPI_Recv(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status);
  require(status.MPI_SOURCE == MPI_PROC_NULL && byte == 1, "receive from the null process");
  MPI_Isend(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

// A vector with gaps: bytes are those of its elements, not those of its extent.
static void derived_types(int phase) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  const int rows = 1 + pick(phase, 0, 50);
  MPI_Datatype column;
  MPI_Type_vector(rows, 2, 5, MPI_INT, &column);
  MPI_Type_commit(&column);
  int* sent = new_buffer(rows * 5 * (int)sizeof(int) * 3);
  int* received = new_buffer(rows * 5 * (int)sizeof(int) * 3);
  for (int i = 0; i < rows * 15; ++i) sent[i] = rank * 1000 + i;
  MPI_Sendrecv(sent, 3, column, to, 9, received, 3, column, from, 9, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  count_send(3LL * rows * 2 * (long long)sizeof(int));
  count_receive(3LL * rows * 2 * (long long)sizeof(int));
  require(received[5 * (rows - 1) + 1] == from * 1000 + 5 * (rows - 1) + 1, "a vector arrives");
  require(received[2] == 0 || rows == 1, "the gaps of a vector stay");
  MPI_Type_free(&column);
  free(sent);
  free(received);
}

static void exchanges(int phase) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int k = 0; k < 6; ++k) {
    const int bytes = size_of(phase, k);
    char* sent = new_buffer(bytes);
    char* received = new_buffer(bytes);
    fill(sent, bytes, phase, rank, k);
    MPI_Status status;
    MPI_Sendrecv(sent, bytes, MPI_BYTE, to, k, received, bytes, MPI_BYTE,
                 k % 2 == 0 ? from : MPI_ANY_SOURCE, k, MPI_COMM_WORLD, &status);
    count_send(bytes);
    count_receive(bytes);
    require(status.MPI_SOURCE == from, "source of sendrecv");
    verify(received, bytes, phase, from, k);
    MPI_Sendrecv_replace(sent, bytes, MPI_BYTE, to, k, from, k, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    count_send(bytes);
    count_receive(bytes);
    verify(sent, bytes, phase, from, k);
    free(sent);
    free(received);
  }
  // One side of a line has nobody to talk to.
  const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  int out = rank, in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, after, 3, &in, 1, MPI_INT, before, 3, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (after != MPI_PROC_NULL) count_send(sizeof out);
  if (before != MPI_PROC_NULL) count_receive(sizeof in);
  require(in == (rank > 0 ? rank - 1 : -1), "the line's sendrecv");
}

void point_to_point(void) {
  int attached = 40 * (MAX_BYTES + MPI_BSEND_OVERHEAD);
  void* room = new_buffer(attached);
  MPI_Buffer_attach(room, attached);
  ring(MPI_Send, 1, 12);
  ring(MPI_Ssend, 2, 8);
  ring(MPI_Bsend, 3, 8);
  ready_sends(4);
  meet();
  wildcards(5);
  meet();
  out_of_order(6);
  null_process();
  derived_types(7);
  exchanges(8);
  MPI_Buffer_detach(&room, &attached);
  free(room);
}
