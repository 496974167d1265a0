/* The calls of MPI that the integer sort makes, by PVM (mpi_by_pvm.c), so that the same program runs under both. Only what it
 * uses: one communicator, whole sums, and one message at a time for each pair of processes.
 *
 * MPI_Init takes its own options from the arguments, up to "--":
 *
 *   --processes N        in all; those but the first are spawned (1)
 *   --hosts NAME,...     on which they are in turn; the first is there already (any)
 *   --route default|direct, --encoding default|raw|in-place, --fragment BYTES
 *                        the settings of PVM; with --fragment auto the mean size of the messages and their standard
 *                        deviation so far, at the first barrier */
#pragma once

#include <stdint.h>

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef struct {
  void *buffer;
  int count, type, from;
} MPI_Request;
typedef struct {
  int source;
} MPI_Status;

enum { MPI_COMM_WORLD };
enum { MPI_INT, MPI_UINT32_T, MPI_INT64_T, MPI_UINT64_T };
enum { MPI_SUM, MPI_MIN, MPI_MAX };
#define MPI_STATUS_IGNORE ((MPI_Status *)0)

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int status);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Barrier(MPI_Comm comm);
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Alltoall(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                 MPI_Comm comm);
int MPI_Alltoallv(const void *out, const int *sent, const int *sent_at, MPI_Datatype out_type, void *in, const int *got,
                  const int *got_at, MPI_Datatype in_type, MPI_Comm comm);
int MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm);
int MPI_Exscan(const void *mine, void *before, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm);
