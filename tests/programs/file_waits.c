// Waits in collective MPI-IO: one of two ranks sleeps while the other waits in a collective on a file.
//
//   file_waits FILE [MILLISECONDS [files|barriers]]   default 60 files; two ranks. With `barriers` the ranks wait in
//                                                     the same places, and as long, in barriers, and each reads and
//                                                     writes by itself.
//
// Planted answer: for each state, rank 1 sleeps for MILLISECONDS in a procedure named after it while rank 0 waits. The
// state is "wait at collective I/O", with `barriers` "wait at barrier". Printed, in seconds, is how long the waiting call
// took and how long the procedure. Each rank writes kTimes * kBytes bytes and reads as many.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "work.h"

enum { kBytes = 4096, kTimes = 4 };

static long milliseconds = 60;
static int rank;
static int together;
static double begin;

static void pause_for(long n) {
  struct timespec time = {n / 1000, n % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static PROCEDURE void delay_open(void) { pause_for(milliseconds); }
static PROCEDURE void delay_write(void) { pause_for(milliseconds); }
static PROCEDURE void delay_sync(void) { pause_for(milliseconds); }
static PROCEDURE void delay_read(void) { pause_for(milliseconds); }
static PROCEDURE void delay_close(void) { pause_for(milliseconds); }

static void start(void) { begin = MPI_Wtime(); }
static void stop(const char* name) { printf("%s=%.6f\n", name, MPI_Wtime() - begin); }

// Rank 1 is late; rank 0 waits for it here if the calls that follow are not collective.
static void late(const char* name, void (*delay)(void)) {
  MPI_Barrier(MPI_COMM_WORLD);
  start();
  if (rank == 1) {
    delay();
    stop(name);
  }
  if (!together) MPI_Barrier(MPI_COMM_WORLD);
}

static void done(const char* name) {
  if (rank == 0) stop(name);
}

int main(int argc, char** argv) {
  MPI_File file;
  MPI_Request request;
  char buffer[kBytes];
  if (argc > 2) milliseconds = atol(argv[2]);
  together = argc < 4 || strcmp(argv[3], "files") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(buffer, 'a' + rank, sizeof buffer);
  const MPI_Offset at = (MPI_Offset)rank * kTimes * kBytes;

  late("delay_open", delay_open);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  done("open");

  MPI_File_write_at(file, at, buffer, kBytes, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, at + kBytes, buffer, kBytes, MPI_CHAR, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_write_at_all_begin(file, at + 2 * kBytes, buffer, kBytes, MPI_CHAR);
  MPI_File_write_at_all_end(file, buffer, MPI_STATUS_IGNORE);
  late("delay_write", delay_write);
  MPI_File_write_at_all(file, at + 3 * kBytes, buffer, kBytes, MPI_CHAR, MPI_STATUS_IGNORE);
  done("write");

  late("delay_sync", delay_sync);
  MPI_File_sync(file);
  done("sync");

  for (int i = 0; i < kTimes - 1; ++i) {
    MPI_File_read_at(file, at + i * kBytes, buffer, kBytes, MPI_CHAR, MPI_STATUS_IGNORE);
  }
  late("delay_read", delay_read);
  MPI_File_read_at_all(file, at + (kTimes - 1) * kBytes, buffer, kBytes, MPI_CHAR, MPI_STATUS_IGNORE);
  done("read");

  late("delay_close", delay_close);
  MPI_File_close(&file);
  done("close");
  MPI_Finalize();
  return 0;
}
