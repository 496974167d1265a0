#include <stdio.h>
#include <stdlib.h>

#include "heat.h"

static double* new_cells(const Strip* strip) {
  double* cells = calloc((size_t)(strip->rows + 2) * strip->columns, sizeof *cells);
  if (cells == NULL) {
    fprintf(stderr, "heat: no memory for %d rows of %d cells\n", strip->rows, strip->columns);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return cells;
}

static void set_boundary(double* cells, const Strip* strip) {
  for (int row = -1; row <= strip->rows; ++row) {
    double* cell = row_of(cells, strip, row);
    const int heated = strip->first_row + row < 0;
    for (int column = 0; column < strip->columns; ++column) cell[column] = heated ? 100.0 : 0.0;
  }
}

void create_strip(Strip* strip, int plate_rows, int columns, int rank, int ranks) {
  const int share = plate_rows / ranks, rest = plate_rows % ranks;
  strip->columns = columns;
  strip->rows = share + (rank < rest ? 1 : 0);
  strip->first_row = rank * share + (rank < rest ? rank : rest);
  strip->now = new_cells(strip);
  strip->next = new_cells(strip);
  set_boundary(strip->now, strip);
  set_boundary(strip->next, strip);
}

void free_strip(Strip* strip) {
  free(strip->now);
  free(strip->next);
}

void swap_cells(Strip* strip) {
  double* now = strip->now;
  strip->now = strip->next;
  strip->next = now;
}
