// What the program counts about itself, and messages whose size and content are known to both
// ends.
#ifndef COUNTS_H
#define COUNTS_H

#include <mpi.h>

// As the trace names them.
typedef enum {
  BARRIER, BCAST, GATHER, GATHERV, SCATTER, SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV,
  ALLTOALLW, REDUCE, ALLREDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, SCAN, EXSCAN,
  NEIGHBOR_ALLGATHER, NEIGHBOR_ALLGATHERV, NEIGHBOR_ALLTOALL, NEIGHBOR_ALLTOALLV,
  NEIGHBOR_ALLTOALLW, COMM_CREATE, INIT, FINALIZE, OPERATIONS
} Operation;

typedef struct {
  long long sends, send_bytes, receives, receive_bytes, probes, cancels;
  long long calls[OPERATIONS], sent[OPERATIONS], received[OPERATIONS];
} Counts;

extern Counts counts;
extern int rank, size;
extern unsigned long long seed;

void count_send(long long bytes);
void count_receive(long long bytes);
void count_collective(Operation operation, long long sent, long long received);

// A barrier, counted: no message of one phase is seen by a wildcard of another.
void meet(void);

// Prints the counts of each rank in turn and their sum, as seen at rank 0.
void print_counts(void);

// The size in bytes of message `k` of a phase: pseudo-random, the same on all ranks. Most are
// small, some of zero bytes, some beyond the eager limits.
int size_of(int phase, int k);
// A pseudo-random number below `limit`, the same on all ranks.
int pick(int phase, int k, int limit);

enum { MAX_BYTES = 300000 };

// The content of message `k` from rank `from` (of MPI_COMM_WORLD).
void fill(void* buffer, int bytes, int phase, int from, int k);
// Ends the program when the content is not that.
void verify(const void* buffer, int bytes, int phase, int from, int k);
void require(int condition, const char* what);

void* new_buffer(int bytes);

// All phases; each ends with what it began as, no message left over.
void point_to_point(void);
void requests(void);
void probes(void);
void collectives(void);
void neighbourhoods(void);
void communicators(void);

#endif
