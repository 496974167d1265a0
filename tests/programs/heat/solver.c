#include <math.h>

#include "heat.h"

// A new temperature for each cell of a row: the mean of its four neighbours. Returns the sum of
// the squared changes.
static double relax_row(Strip* strip, int row) {
  const double* above = row_of(strip->now, strip, row - 1);
  const double* here = row_of(strip->now, strip, row);
  const double* below = row_of(strip->now, strip, row + 1);
  double* next = row_of(strip->next, strip, row);
  double residual = 0;
  for (int column = 1; column < strip->columns - 1; ++column) {
    next[column] = 0.25 * (above[column] + below[column] + here[column - 1] + here[column + 1]);
    const double change = next[column] - here[column];
    residual += change * change;
  }
  return residual;
}

// The rows that need no halo.
double relax_interior(Strip* strip) {
  double residual = 0;
  for (int row = 1; row < strip->rows - 1; ++row) residual += relax_row(strip, row);
  return residual;
}

// The rows that need the neighbours' halo.
double relax_edges(Strip* strip) {
  double residual = relax_row(strip, 0);
  if (strip->rows > 1) residual += relax_row(strip, strip->rows - 1);
  return residual;
}

// Follows the steep gradients beside a material boundary with a finer time step: the costly
// region of the plate, which lies within one rank's strip.
void refine_cells(Strip* strip, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    for (int row = 0; row < strip->rows; ++row) {
      double* cell = row_of(strip->next, strip, row);
      for (int column = 1; column < strip->columns - 1; ++column) {
        const double gradient = cell[column + 1] - cell[column - 1];
        cell[column] += 1e-9 * gradient / sqrt(1.0 + gradient * gradient);
      }
    }
  }
}
