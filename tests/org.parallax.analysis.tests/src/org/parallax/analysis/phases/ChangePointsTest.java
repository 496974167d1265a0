package org.parallax.analysis.phases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Optimal partitioning against trying all partitions. */
class ChangePointsTest {
  private static final int LEAST = 2;

  @Test
  void thePartitionIsTheBestOfAll() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      int count = 2 + random.nextInt(11);
      double[][] vectors = new double[count][2];
      double level = 0;
      for (double[] vector : vectors) {
        level = random.nextInt(4) == 0 ? random.nextInt(5) : level;
        vector[0] = level + random.nextGaussian() * 0.3;
        vector[1] = -level;
      }
      List<Integer> best = List.of(0);
      double least = Double.POSITIVE_INFINITY;
      for (int set = 0; set < 1 << count - 1; set++) {
        List<Integer> begins = new ArrayList<>(List.of(0));
        for (int i = 1; i < count; i++) {
          if ((set >> i - 1 & 1) == 1) {
            begins.add(i);
          }
        }
        double cost = cost(vectors, begins);
        if (cost < least) {
          least = cost;
          best = begins;
        }
      }
      List<Integer> found = ChangePoints.of(vectors, 1e6, LEAST);
      assertEquals(List.of(0), found, "so much noise hides all: seed " + seed);
      assertEquals(least, cost(vectors, ChangePoints.of(vectors, 0.01, LEAST)), 1e-6,
          "seed " + seed + ", best " + best);
    }
  }

  /** With the noise of the implementation: the median difference of neighbours, at least 0.01. */
  private static double cost(double[][] vectors, List<Integer> begins) {
    double cost = 0;
    for (int s = 0; s < begins.size(); s++) {
      int from = begins.get(s);
      int to = s + 1 < begins.size() ? begins.get(s + 1) : vectors.length;
      if (to - from < LEAST) {
        return Double.POSITIVE_INFINITY;
      }
      for (int d = 0; d < 2; d++) {
        double mean = 0;
        for (int i = from; i < to; i++) {
          mean += vectors[i][d] / (to - from);
        }
        for (int i = from; i < to; i++) {
          cost += Math.pow((vectors[i][d] - mean) / noise(vectors, d), 2);
        }
      }
      cost += 3 * Math.log(vectors.length);
    }
    return cost;
  }

  private static double noise(double[][] vectors, int dimension) {
    List<Double> differences = new ArrayList<>();
    for (int i = 1; i < vectors.length; i++) {
      differences.add(Math.abs(vectors[i][dimension] - vectors[i - 1][dimension]));
    }
    differences.sort(null);
    return Math.max(0.01, differences.get(differences.size() / 2) / 0.6745 / Math.sqrt(2));
  }
}
