package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;

/**
 * A linear model by least squares, whose columns enter one after the other: those that the columns
 * before them already tell are left out. Gram-Schmidt, done twice; O(n p^2) for n observations and
 * p columns.
 */
final class LeastSquares {
  /** Of the length of a column, below which what is left of it is rounding. */
  private static final double ROUNDING = 1e-9;

  private final int observations;
  private final int[] position;
  private final List<double[]> orthogonal = new ArrayList<>();
  /** Of each column that was kept, its parts in the orthogonal ones. */
  private final List<double[]> parts = new ArrayList<>();

  LeastSquares(int observations, List<double[]> columns) {
    this.observations = observations;
    position = new int[columns.size()];
    for (int i = 0; i < columns.size(); i++) {
      position[i] = add(columns.get(i));
    }
  }

  private int add(double[] column) {
    double[] left = column.clone();
    double[] part = new double[orthogonal.size() + 1];
    for (int pass = 0; pass < 2; pass++) {
      for (int k = 0; k < orthogonal.size(); k++) {
        double dot = dot(orthogonal.get(k), left);
        part[k] += dot;
        subtract(left, orthogonal.get(k), dot);
      }
    }
    double length = Math.sqrt(dot(left, left));
    if (length <= ROUNDING * Math.sqrt(dot(column, column))) {
      return -1;
    }
    part[orthogonal.size()] = length;
    for (int i = 0; i < left.length; i++) {
      left[i] /= length;
    }
    orthogonal.add(left);
    parts.add(part);
    return orthogonal.size() - 1;
  }

  /** @return whether a column is in the model, and not told by those before it */
  boolean has(int column) {
    return position[column] >= 0;
  }

  /** @return the number of columns that are in the model */
  int rank() {
    return orthogonal.size();
  }

  /** @return the number of observations that are not needed for the coefficients */
  int degreesOfFreedom() {
    return observations - rank();
  }

  /**
   * How a coefficient comes from the observations.
   *
   * @param column one that is in the model
   * @return the coefficient is the sum of the observations times these; its variance is that of an
   *     observation times the sum of their squares
   */
  double[] weights(int column) {
    int at = position[column];
    int rank = rank();
    // Row `at` of the inverse of the triangular matrix of parts, by forward substitution.
    double[] row = new double[rank];
    row[at] = 1 / parts.get(at)[at];
    for (int j = at + 1; j < rank; j++) {
      double sum = 0;
      for (int k = at; k < j; k++) {
        sum += row[k] * parts.get(j)[k];
      }
      row[j] = -sum / parts.get(j)[j];
    }
    double[] weights = new double[observations];
    for (int k = at; k < rank; k++) {
      subtract(weights, orthogonal.get(k), -row[k]);
    }
    return weights;
  }

  /** @return how much an observation decides its own fitted value, 0 to 1 */
  double leverage(int observation) {
    double sum = 0;
    for (double[] direction : orthogonal) {
      sum += direction[observation] * direction[observation];
    }
    return sum;
  }

  /** @return what the model leaves of the observations */
  double[] residuals(double[] values) {
    double[] left = values.clone();
    for (double[] direction : orthogonal) {
      subtract(left, direction, dot(direction, left));
    }
    return left;
  }

  /** @return the sum of squares that a column takes from what those before it leave */
  double sequentialSquares(int column, double[] values) {
    double dot = dot(orthogonal.get(position[column]), values);
    return dot * dot;
  }

  /** @return the sum of the squares of what the model leaves */
  double residualSquares(double[] values) {
    double[] residuals = residuals(values);
    return dot(residuals, residuals);
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static void subtract(double[] from, double[] direction, double times) {
    for (int i = 0; i < from.length; i++) {
      from[i] -= times * direction[i];
    }
  }
}
