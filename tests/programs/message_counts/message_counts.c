// Counts its own messages: all kinds of point-to-point and all collectives of MPI 3, with
// pseudo-random sizes and contents that are verified.
//
//   message_counts [SEED]        default 1; at least two ranks
//
// Planted answer: a line for each rank and one for their sum,
//   counts rank=R sends=.. send_bytes=.. receives=.. receive_bytes=.. probes=.. cancels=..
//          OP=CALLS/SENT/RECEIVED ...
// Sends and receives are those to and from real processes, however they were posted and
// completed; bytes are those of the elements. Probes are those that found a message, cancels
// those requests that were cancelled or freed. CALLS are calls of a collective, blocking or not;
// SENT are the bytes of the elements that the call reads of this process, each once, RECEIVED
// those that it stores for it; with MPI_IN_PLACE as without. The numbers depend on the seed and
// on the number of ranks alone, not on the library.

#include <stdio.h>
#include <stdlib.h>

#include "counts.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  count_collective(INIT, 0, 0);
  if (argc > 1) seed = strtoull(argv[1], NULL, 10);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  require(size >= 2, "there are at least two ranks");
  point_to_point();
  meet();
  requests();
  meet();
  probes();
  meet();
  collectives();
  neighbourhoods();
  communicators();
  print_counts();
  MPI_Finalize();
  return 0;
}
