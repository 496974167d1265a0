// A plate that is heated at one edge: the parts of the demonstration program.
//
// The plate is cut into horizontal strips, one for each rank. A strip has one row above and one
// row below its own rows, the halo, which hold the neighbours' outermost rows.
#ifndef HEAT_H
#define HEAT_H

#include <mpi.h>

typedef struct {
  int columns;   // including the two fixed columns at the sides
  int rows;      // of this rank, without the halo
  int first_row; // of this rank, in the plate
  double* now;   // rows + 2 rows of `columns` temperatures
  double* next;
} Strip;

static inline double* row_of(double* cells, const Strip* strip, int row) {
  return cells + (long)(row + 1) * strip->columns;
}

// plate.c: memory and the initial temperatures.
void create_strip(Strip* strip, int plate_rows, int columns, int rank, int ranks);
void free_strip(Strip* strip);
void swap_cells(Strip* strip);

// exchange.c: all communication.
void start_halo_exchange(Strip* strip, int rank, int ranks, MPI_Request requests[4]);
void finish_halo_exchange(MPI_Request requests[4]);
double global_residual(double local);
double mean_temperature(const Strip* strip, int plate_rows);

// solver.c: all computation.
double relax_interior(Strip* strip);
double relax_edges(Strip* strip);
void refine_cells(Strip* strip, int passes);

#endif
