// Non-blocking and persistent operations, and every way to complete them.

#include <stdlib.h>

#include "counts.h"

enum { BATCH = 12 };

typedef int (*PostSend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// A batch of receives from the rank before and sends to the rank after, in one array, every
// fifth of each to or from the null process.
typedef struct {
  int phase;
  int bytes[BATCH];
  void* in[BATCH];
  void* out[BATCH];
  MPI_Request requests[2 * BATCH];
} Batch;

static int is_null(int k) { return k % 5 == 4; }

static void post(Batch* batch, int phase, PostSend post_send) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  batch->phase = phase;
  for (int k = 0; k < BATCH; ++k) {
    batch->bytes[k] = size_of(phase, k);
    batch->in[k] = new_buffer(batch->bytes[k]);
    MPI_Irecv(batch->in[k], batch->bytes[k], MPI_BYTE,
              is_null(k) ? MPI_PROC_NULL : k % 3 == 0 ? MPI_ANY_SOURCE : from, k, MPI_COMM_WORLD,
              &batch->requests[k]);
  }
  // All are posted everywhere, as ready sends need it.
  meet();
  for (int k = 0; k < BATCH; ++k) {
    batch->out[k] = new_buffer(batch->bytes[k]);
    fill(batch->out[k], batch->bytes[k], phase, rank, k);
    post_send(batch->out[k], batch->bytes[k], MPI_BYTE, is_null(k) ? MPI_PROC_NULL : to, k,
              MPI_COMM_WORLD, &batch->requests[BATCH + k]);
    if (!is_null(k)) count_send(batch->bytes[k]);
  }
}

static void finish(Batch* batch) {
  const int from = (rank + size - 1) % size;
  for (int k = 0; k < BATCH; ++k) {
    if (!is_null(k)) {
      count_receive(batch->bytes[k]);
      verify(batch->in[k], batch->bytes[k], batch->phase, from, k);
    }
    free(batch->in[k]);
    free(batch->out[k]);
  }
  for (int k = 0; k < 2 * BATCH; ++k) {
    require(batch->requests[k] == MPI_REQUEST_NULL, "a completed request is null");
  }
}

// Not of the null process: MPICH 4.0 leaves the source of its status undefined.
static void check_status(const Batch* batch, int index, const MPI_Status* status) {
  if (index >= BATCH || is_null(index)) return;
  const int from = (rank + size - 1) % size;
  int bytes;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  require(status->MPI_SOURCE == from, "source of a status");
  require(bytes == batch->bytes[index], "count of a status");
}

static void with_waitall(int phase, PostSend post_send, int ignore) {
  Batch batch;
  MPI_Status statuses[2 * BATCH];
  post(&batch, phase, post_send);
  MPI_Waitall(2 * BATCH, batch.requests, ignore ? MPI_STATUSES_IGNORE : statuses);
  for (int i = 0; !ignore && i < BATCH; ++i) check_status(&batch, i, &statuses[i]);
  finish(&batch);
}

static void with_wait_backwards(int phase) {
  Batch batch;
  MPI_Status status;
  post(&batch, phase, MPI_Isend);
  for (int i = 2 * BATCH - 1; i >= 0; --i) {
    MPI_Wait(&batch.requests[i], i % 2 == 0 ? &status : MPI_STATUS_IGNORE);
    if (i % 2 == 0) check_status(&batch, i, &status);
  }
  finish(&batch);
}

static void with_waitany(int phase, int ignore) {
  Batch batch;
  post(&batch, phase, MPI_Isend);
  for (int i = 0; i < 2 * BATCH; ++i) {
    int index;
    MPI_Status status;
    MPI_Waitany(2 * BATCH, batch.requests, &index, ignore ? MPI_STATUS_IGNORE : &status);
    if (!ignore) check_status(&batch, index, &status);
  }
  int index;
  MPI_Waitany(2 * BATCH, batch.requests, &index, MPI_STATUS_IGNORE);
  require(index == MPI_UNDEFINED, "nothing is left to wait for");
  finish(&batch);
}

static void with_some(int phase, int wait) {
  Batch batch;
  post(&batch, phase, MPI_Isend);
  for (int left = 2 * BATCH; left > 0;) {
    int done, indices[2 * BATCH];
    MPI_Status statuses[2 * BATCH];
    if (wait) {
      MPI_Waitsome(2 * BATCH, batch.requests, &done, indices, statuses);
    } else {
      MPI_Testsome(2 * BATCH, batch.requests, &done, indices, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; wait && i < done; ++i) check_status(&batch, indices[i], &statuses[i]);
    left -= done;
  }
  finish(&batch);
}

static void with_tests(int phase) {
  Batch batch;
  post(&batch, phase, MPI_Issend);
  int flag = 0, index;
  // One by MPI_Test, some by MPI_Testany, the rest by MPI_Testall.
  while (!flag) MPI_Test(&batch.requests[0], &flag, MPI_STATUS_IGNORE);
  for (int done = 0; done < BATCH;) {
    MPI_Testany(2 * BATCH, batch.requests, &index, &flag, MPI_STATUS_IGNORE);
    if (flag) ++done;
  }
  for (flag = 0; !flag;) MPI_Testall(2 * BATCH, batch.requests, &flag, MPI_STATUSES_IGNORE);
  finish(&batch);
}

static void many(int phase) {
  enum { MANY = 400 };
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Request requests[2 * MANY];
  int in[MANY], out[MANY];
  for (int k = 0; k < MANY; ++k) {
    MPI_Irecv(&in[k], 1, MPI_INT, from, phase, MPI_COMM_WORLD, &requests[2 * k]);
    out[k] = rank * MANY + k;
    MPI_Isend(&out[k], 1, MPI_INT, to, phase, MPI_COMM_WORLD, &requests[2 * k + 1]);
    count_send(sizeof(int));
    count_receive(sizeof(int));
  }
  MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < MANY; ++k) require(in[k] == from * MANY + k, "order of many messages");
}

// Open MPI 4.1 spoils large messages of MPI_Bsend_init from the second start on.
static int persistent_size(int phase, int mode) {
  return mode == 1 ? size_of(phase, mode) % 1000 : size_of(phase, mode);
}

// The same requests, started several times; the receive of a ready send is started first.
static void persistent(int phase) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  enum { MODES = 4, STARTS = 3 };
  int (*const prepare[MODES])(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};
  MPI_Request receives[MODES + 1], sends[MODES + 1];
  void* in[MODES];
  void* out[MODES];
  int room_bytes = 4 * (MAX_BYTES + MPI_BSEND_OVERHEAD);
  void* room = new_buffer(room_bytes);
  MPI_Buffer_attach(room, room_bytes);
  for (int m = 0; m < MODES; ++m) {
    const int bytes = persistent_size(phase, m);
    in[m] = new_buffer(bytes);
    out[m] = new_buffer(bytes);
    MPI_Recv_init(in[m], bytes, MPI_BYTE, m == 0 ? MPI_ANY_SOURCE : from, 50 + m, MPI_COMM_WORLD,
                  &receives[m]);
    prepare[m](out[m], bytes, MPI_BYTE, to, 50 + m, MPI_COMM_WORLD, &sends[m]);
  }
  MPI_Recv_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &receives[MODES]);
  MPI_Send_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &sends[MODES]);
  for (int start = 0; start < STARTS; ++start) {
    MPI_Startall(MODES + 1, receives);
    meet();
    for (int m = 0; m < MODES; ++m) {
      fill(out[m], persistent_size(phase, m), phase, rank, start * MODES + m);
      MPI_Start(&sends[m]);
      count_send(persistent_size(phase, m));
    }
    MPI_Start(&sends[MODES]);
    MPI_Waitall(MODES + 1, receives, MPI_STATUSES_IGNORE);
    for (int m = 0; m <= MODES; ++m) MPI_Wait(&sends[m], MPI_STATUS_IGNORE);
    // Waiting for what has not been started returns at once.
    MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
    for (int m = 0; m < MODES; ++m) {
      count_receive(persistent_size(phase, m));
      verify(in[m], persistent_size(phase, m), phase, from, start * MODES + m);
    }
  }
  for (int m = 0; m <= MODES; ++m) {
    MPI_Request_free(&receives[m]);
    MPI_Request_free(&sends[m]);
  }
  for (int m = 0; m < MODES; ++m) {
    free(in[m]);
    free(out[m]);
  }
  MPI_Buffer_detach(&room, &room_bytes);
  free(room);
}

// A receive that is cancelled, and one that is freed after it was told to be cancelled.
static void cancelled(void) {
  int value;
  MPI_Request request;
  MPI_Status status;
  int was_cancelled;
  MPI_Irecv(&value, 1, MPI_INT, rank, 999, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &was_cancelled);
  require(was_cancelled, "an unmatched receive can be cancelled");
  ++counts.cancels;
  MPI_Irecv(&value, 1, MPI_INT, rank, 998, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ++counts.cancels;
  MPI_Irecv(&value, 1, MPI_INT, rank, 997, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  ++counts.cancels;
}

void requests(void) {
  int attached = 40 * (MAX_BYTES + MPI_BSEND_OVERHEAD);
  void* room = new_buffer(attached);
  MPI_Buffer_attach(room, attached);
  with_waitall(20, MPI_Isend, 0);
  with_waitall(21, MPI_Issend, 1);
  with_waitall(22, MPI_Ibsend, 1);
  with_waitall(23, MPI_Irsend, 0);
  with_wait_backwards(24);
  with_waitany(25, 0);
  with_waitany(26, 1);
  with_some(27, 1);
  with_some(28, 0);
  with_tests(29);
  many(30);
  MPI_Buffer_detach(&room, &attached);
  free(room);
  persistent(31);
  cancelled();
}
