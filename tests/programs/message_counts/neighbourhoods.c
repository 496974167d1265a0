// Neighbourhood collectives on a Cartesian grid with null neighbours, and on graphs.

#include <stdlib.h>

#include "counts.h"

#define CALL(Name, IName, ...)               \
  do {                                       \
    if (immediate) {                         \
      MPI_Request request;                   \
      IName(__VA_ARGS__, &request);          \
      MPI_Wait(&request, MPI_STATUS_IGNORE); \
    } else {                                 \
      Name(__VA_ARGS__);                     \
    }                                        \
  } while (0)

static const long long kInt = sizeof(int);

enum { MOST = 8, EACH = 5 };

// `sources` and `destinations` in the order of the topology; MPI_PROC_NULL where there is none.
static void exchange(MPI_Comm comm, const int* sources, int in_degree, const int* destinations,
                     int out_degree, int immediate) {
  int me, out[MOST * EACH], in[MOST * EACH];
  MPI_Comm_rank(comm, &me);
  int real_in = 0, real_out = 0;
  for (int i = 0; i < in_degree; ++i) real_in += sources[i] != MPI_PROC_NULL;
  for (int i = 0; i < out_degree; ++i) real_out += destinations[i] != MPI_PROC_NULL;

  for (int i = 0; i < MOST * EACH; ++i) out[i] = me * 100 + i % EACH;
  CALL(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, out, EACH, MPI_INT, in, EACH, MPI_INT,
       comm);
  count_collective(NEIGHBOR_ALLGATHER, EACH * kInt, EACH * kInt * real_in);
  for (int i = 0; i < in_degree; ++i) {
    require(sources[i] == MPI_PROC_NULL || in[i * EACH] == sources[i] * 100, "allgather");
  }

  int counts_in[MOST], offsets_in[MOST], counts_out[MOST], offsets_out[MOST];
  MPI_Aint bytes_in[MOST], bytes_out[MOST];
  MPI_Datatype types[MOST];
  long long in_total = 0, out_total = 0, gathered = 0;
  int* gather_counts = counts_out;  // not needed at the same time
  const int own = 1 + me % 3;
  for (int i = 0; i < in_degree; ++i) {
    gather_counts[i] = sources[i] == MPI_PROC_NULL ? 2 : 1 + sources[i] % 3;
    offsets_in[i] = i * EACH;
    if (sources[i] != MPI_PROC_NULL) gathered += gather_counts[i];
  }
  CALL(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, out, own, MPI_INT, in, gather_counts,
       offsets_in, MPI_INT, comm);
  count_collective(NEIGHBOR_ALLGATHERV, own * kInt, gathered * kInt);

  CALL(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, out, EACH, MPI_INT, in, EACH, MPI_INT,
       comm);
  count_collective(NEIGHBOR_ALLTOALL, EACH * kInt * real_out, EACH * kInt * real_in);
  for (int i = 0; i < in_degree; ++i) {
    require(sources[i] == MPI_PROC_NULL || in[i * EACH] == sources[i] * 100, "alltoall");
  }

  // A message is as long as its two ends say together.
  for (int i = 0; i < in_degree; ++i) {
    counts_in[i] = sources[i] == MPI_PROC_NULL ? 3 : 1 + (sources[i] + me) % EACH;
    offsets_in[i] = i * EACH;
    bytes_in[i] = offsets_in[i] * (MPI_Aint)kInt;
    if (sources[i] != MPI_PROC_NULL) in_total += counts_in[i];
  }
  for (int i = 0; i < out_degree; ++i) {
    counts_out[i] = destinations[i] == MPI_PROC_NULL ? 3 : 1 + (destinations[i] + me) % EACH;
    offsets_out[i] = i * EACH;
    bytes_out[i] = offsets_out[i] * (MPI_Aint)kInt;
    if (destinations[i] != MPI_PROC_NULL) out_total += counts_out[i];
  }
  for (int i = 0; i < MOST; ++i) types[i] = MPI_INT;
  CALL(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, counts_out, offsets_out, MPI_INT, in,
       counts_in, offsets_in, MPI_INT, comm);
  count_collective(NEIGHBOR_ALLTOALLV, out_total * kInt, in_total * kInt);
  CALL(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, out, counts_out, bytes_out, types, in,
       counts_in, bytes_in, types, comm);
  count_collective(NEIGHBOR_ALLTOALLW, out_total * kInt, in_total * kInt);
  for (int i = 0; i < in_degree; ++i) {
    require(sources[i] == MPI_PROC_NULL || in[i * EACH] == sources[i] * 100, "alltoallw");
  }
}

static void on_grid(void) {
  int extent[2] = {0, 0}, neighbours[4];
  const int periodic[2] = {0, size > 2};
  MPI_Comm grid, copy;
  MPI_Dims_create(size, 2, extent);
  MPI_Cart_create(MPI_COMM_WORLD, 2, extent, periodic, 0, &grid);
  count_collective(COMM_CREATE, 0, 0);
  // A copy has the topology too.
  MPI_Comm_dup(grid, &copy);
  count_collective(COMM_CREATE, 0, 0);
  MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
  exchange(grid, neighbours, 4, neighbours, 4, 0);
  exchange(copy, neighbours, 4, neighbours, 4, 1);
  MPI_Comm_free(&copy);

  // Its rows.
  MPI_Comm row;
  const int keep[2] = {0, 1};
  MPI_Cart_sub(grid, keep, &row);
  count_collective(COMM_CREATE, 0, 0);
  MPI_Cart_shift(row, 0, 1, &neighbours[0], &neighbours[1]);
  exchange(row, neighbours, 2, neighbours, 2, 0);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
}

static void on_graphs(void) {
  // Each sends to the next two and receives from the two before.
  int sources[2] = {(rank + size - 1) % size, (rank + size - 2 % size) % size};
  int destinations[2] = {(rank + 1) % size, (rank + 2) % size};
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, destinations,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  count_collective(COMM_CREATE, 0, 0);
  exchange(graph, sources, 2, destinations, 2, 0);
  MPI_Comm_free(&graph);

  // The same ring, described by rank 0 alone, and asked for its order.
  const int nodes = rank == 0 ? size : 0;
  int* from = new_buffer((int)kInt * size);
  int* degrees = new_buffer((int)kInt * size);
  int* to = new_buffer((int)kInt * size);
  for (int r = 0; r < size; ++r) {
    from[r] = r;
    degrees[r] = 1;
    to[r] = (r + 1) % size;
  }
  MPI_Dist_graph_create(MPI_COMM_WORLD, nodes, from, degrees, to, MPI_UNWEIGHTED, MPI_INFO_NULL,
                        0, &graph);
  count_collective(COMM_CREATE, 0, 0);
  exchange(graph, sources, 1, destinations, 1, 1);
  MPI_Comm_free(&graph);

  // A line as a graph of the old kind, symmetric.
  int* index = new_buffer((int)kInt * size);
  int* edges = new_buffer((int)kInt * 2 * size);
  int edge = 0, degree = 0, line[2];
  for (int r = 0; r < size; ++r) {
    if (r > 0) edges[edge++] = r - 1;
    if (r < size - 1) edges[edge++] = r + 1;
    index[r] = edge;
  }
  if (rank > 0) line[degree++] = rank - 1;
  if (rank < size - 1) line[degree++] = rank + 1;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
  count_collective(COMM_CREATE, 0, 0);
  exchange(graph, line, degree, line, degree, 0);
  MPI_Comm_free(&graph);
  free(from);
  free(degrees);
  free(to);
  free(index);
  free(edges);
}

void neighbourhoods(void) {
  on_grid();
  on_graphs();
}
