package org.parallax.analysis.phases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Where a series of vectors changes its mean: optimal partitioning (Jackson et al., "An Algorithm for
 * Optimal Partitioning of Data on an Interval", 2005). The partition has the least sum, over its
 * segments, of the squared distances from the segment's mean in units of the noise, with the Bayesian
 * information criterion as the price of a segment: (d + 1) ln n for d dimensions and n vectors.
 *
 * <p>The noise of each dimension is estimated from the differences between neighbours, by their
 * median, which the changes themselves do not move. Cost: O(n * n * d).
 */
final class ChangePoints {
  /** A median of absolute values of normal differences, in standard deviations of one value. */
  private static final double MEDIAN_OF_DIFFERENCES = 0.6745 * Math.sqrt(2);

  private final int count;
  private final int dimensions;
  /** Sums of the values, and of all squares, up to each vector, in units of the noise. */
  private final double[][] sums;
  private final double[] squares;

  private ChangePoints(double[][] vectors, double leastNoise) {
    count = vectors.length;
    dimensions = count == 0 ? 0 : vectors[0].length;
    sums = new double[count + 1][dimensions];
    squares = new double[count + 1];
    double[] noise = new double[dimensions];
    Arrays.setAll(noise, d -> Math.max(leastNoise, noise(vectors, d)));
    for (int i = 0; i < count; i++) {
      squares[i + 1] = squares[i];
      for (int d = 0; d < dimensions; d++) {
        double value = vectors[i][d] / noise[d];
        sums[i + 1][d] = sums[i][d] + value;
        squares[i + 1] += value * value;
      }
    }
  }

  private static double noise(double[][] vectors, int dimension) {
    double[] differences = new double[vectors.length - 1];
    Arrays.setAll(differences,
        i -> Math.abs(vectors[i + 1][dimension] - vectors[i][dimension]));
    Arrays.sort(differences);
    return differences.length == 0 ? 0
        : differences[differences.length / 2] / MEDIAN_OF_DIFFERENCES;
  }

  /** The squared distances of the vectors in [from, to) from their mean. */
  private double cost(int from, int to) {
    double cost = squares[to] - squares[from];
    for (int d = 0; d < dimensions; d++) {
      double sum = sums[to][d] - sums[from][d];
      cost -= sum * sum / (to - from);
    }
    return Math.max(0, cost);
  }

  /**
   * Finds the segments.
   *
   * @param leastNoise the noise of a dimension that shows less
   * @param leastLength of a segment; a shorter series is one segment
   * @return where each segment begins, from 0 on; empty for no vectors
   */
  static List<Integer> of(double[][] vectors, double leastNoise, int leastLength) {
    return vectors.length == 0 ? List.of() : new ChangePoints(vectors, leastNoise).find(leastLength);
  }

  private List<Integer> find(int leastLength) {
    double price = (dimensions + 1) * Math.log(count);
    double[] best = new double[count + 1];
    int[] from = new int[count + 1];
    Arrays.fill(best, Double.POSITIVE_INFINITY);
    best[0] = 0;
    for (int to = 1; to <= count; to++) {
      int last = to == count ? Math.max(0, to - leastLength) : to - leastLength;
      for (int begin = 0; begin <= last; begin++) {
        double cost = best[begin] + cost(begin, to) + price;
        if (cost < best[to]) {
          best[to] = cost;
          from[to] = begin;
        }
      }
    }
    List<Integer> begins = new ArrayList<>();
    for (int to = count; to > 0; to = from[to]) {
      begins.add(from[to]);
    }
    Collections.reverse(begins);
    return begins;
  }
}
