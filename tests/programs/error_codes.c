// Errors that MPI returns, and what it leaves in statuses: exactly the same must come out of a
// recorded run.
//
//   error_codes        two ranks
//
// Planted answer: each rank prints a line for each case, `case result-class details`, which do not
// depend on being recorded (they do depend on the library). Of the 6 messages that each rank
// receives 3 are truncated; calls with wrong arguments send and receive nothing.

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 8192 };

static int rank, partner;
static char text[TEXT_BYTES];  // printed by rank 0, so that lines stay whole

static void say(const char* format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - used, format, arguments);
  va_end(arguments);
}

static int class_of(int result) {
  int error_class = 0;
  MPI_Error_class(result, &error_class);
  return error_class;
}

static void report(const char* name, int result, const MPI_Status* status) {
  int bytes = -1;
  if (status != NULL) MPI_Get_count(status, MPI_BYTE, &bytes);
  say("%d %s class=%d", rank, name, class_of(result));
  if (status != NULL) {
    say(" source=%d tag=%d error=%d bytes=%d", status->MPI_SOURCE, status->MPI_TAG,
           class_of(status->MPI_ERROR), bytes);
  }
  say("\n");
}

static MPI_Status untouched(void) {
  MPI_Status status;
  memset(&status, 0, sizeof status);
  return status;
}

// A message of 8 bytes into a buffer of 4.
static void truncated_receive(void) {
  char out[8] = "1234567", in[4];
  MPI_Request request;
  MPI_Status status = untouched();
  MPI_Isend(out, 8, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &request);
  const int result = MPI_Recv(in, 4, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &status);
  report("truncated_recv", result, NULL);
  say("%d truncated_recv source=%d tag=%d\n", rank, status.MPI_SOURCE, status.MPI_TAG);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// The same among others in MPI_Waitall, with and without statuses.
static void truncated_waitall(int ignore) {
  char out[2][8] = {"1234567", "abcdefg"}, in[2][8];
  MPI_Request requests[4];
  MPI_Status statuses[4] = {untouched(), untouched(), untouched(), untouched()};
  MPI_Irecv(in[0], 8, MPI_BYTE, partner, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in[1], 4, MPI_BYTE, partner, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(out[0], 8, MPI_BYTE, partner, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out[1], 8, MPI_BYTE, partner, 3, MPI_COMM_WORLD, &requests[3]);
  const int result = MPI_Waitall(4, requests, ignore ? MPI_STATUSES_IGNORE : statuses);
  report(ignore ? "waitall_ignore" : "waitall", result, NULL);
  for (int i = 0; !ignore && i < 2; ++i) {
    say("%d waitall[%d] source=%d tag=%d error=%d\n", rank, i, statuses[i].MPI_SOURCE,
        statuses[i].MPI_TAG, class_of(statuses[i].MPI_ERROR));
  }
  // MPICH leaves what comes after the error pending.
  report("waitall_again", MPI_Waitall(4, requests, MPI_STATUSES_IGNORE), NULL);
}

static void wrong_arguments(void) {
  char byte = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status = untouched();
  int flag = -1, index = -1;
  report("send_to_nowhere", MPI_Send(&byte, 1, MPI_BYTE, 99, 1, MPI_COMM_WORLD), NULL);
  report("isend_to_nowhere", MPI_Isend(&byte, 1, MPI_BYTE, 99, 1, MPI_COMM_WORLD, &request), NULL);
  report("negative_count", MPI_Send(&byte, -1, MPI_BYTE, partner, 1, MPI_COMM_WORLD), NULL);
  report("negative_tag", MPI_Send(&byte, 1, MPI_BYTE, partner, -5, MPI_COMM_WORLD), NULL);
  report("no_type", MPI_Send(&byte, 1, MPI_DATATYPE_NULL, partner, 1, MPI_COMM_WORLD), NULL);
  report("receive_from_nowhere",
         MPI_Recv(&byte, 1, MPI_BYTE, 99, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), NULL);
  report("bcast_from_nowhere", MPI_Bcast(&byte, 1, MPI_BYTE, 99, MPI_COMM_WORLD), NULL);
  report("wait_null", MPI_Wait(&request, &status), &status);
  report("test_null", MPI_Test(&request, &flag, &status), &status);
  report("waitany_none", MPI_Waitany(0, NULL, &index, &status), &status);
  say("%d flag=%d none=%d\n", rank, flag, index == MPI_UNDEFINED);
  report("waitall_none", MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE), NULL);
}

// Statuses of what completes in order: fields that MPI leaves alone stay as they were.
static void kept_fields(void) {
  int out = rank, in;
  MPI_Request request;
  MPI_Status status = untouched();
  status.MPI_ERROR = 12345;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Send(&out, 1, MPI_INT, partner, 4, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  say("%d kept source=%d tag=%d error=%d value=%d\n", rank, status.MPI_SOURCE, status.MPI_TAG,
      status.MPI_ERROR, in);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  partner = 1 - rank;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  truncated_receive();
  truncated_waitall(0);
  truncated_waitall(1);
  wrong_arguments();
  kept_fields();
  char all[2][TEXT_BYTES];
  MPI_Gather(text, TEXT_BYTES, MPI_CHAR, all, TEXT_BYTES, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s%s", all[0], all[1]);
  MPI_Finalize();
  return 0;
}
