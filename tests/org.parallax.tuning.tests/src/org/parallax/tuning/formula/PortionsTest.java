package org.parallax.tuning.formula;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PortionsTest {
  @Test
  void knownDivisions() {
    assertArrayEquals(new int[] {3, 1}, Portions.of(4, new double[] {3, 1}, 1));
    assertArrayEquals(new int[] {2, 2}, Portions.of(4, new double[] {1.01, 0.99}, 1));
    assertArrayEquals(new int[] {1, 3}, Portions.of(4, new double[] {0, 5}, 1));
    assertArrayEquals(new int[] {0, 4}, Portions.of(4, new double[] {0, 5}, 0));
    assertArrayEquals(new int[] {1, 1, 1}, Portions.of(2, new double[] {9, 1, 1}, 1));
  }

  private static double slowest(double[] weights, int[] parts) {
    double slowest = 0;
    for (int i = 0; i < parts.length; i++) {
      slowest = Math.max(slowest, weights[i] / parts[i]);
    }
    return slowest;
  }

  /** The best of all divisions of what is left among the processes from {@code at} on. */
  private static double best(double[] weights, int[] parts, int at, int left) {
    if (at == parts.length - 1) {
      parts[at] = left;
      return left < 1 ? Double.POSITIVE_INFINITY : slowest(weights, parts);
    }
    double best = Double.POSITIVE_INFINITY;
    for (parts[at] = 1; parts[at] < left; parts[at]++) {
      best = Math.min(best, best(weights, parts, at + 1, left - parts[at]));
    }
    return best;
  }

  @Test
  void noDivisionIsBetter() {
    long seed = 20;
    Random random = new Random(seed);
    for (int run = 0; run < 300; run++) {
      double[] weights = random.doubles(2 + random.nextInt(3)).toArray();
      int total = weights.length + random.nextInt(10);
      int[] parts = Portions.of(total, weights, 1);
      assertEquals(total, Arrays.stream(parts).sum());
      double best = best(weights, new int[weights.length], 0, total);
      assertTrue(slowest(weights, parts) <= best * (1 + 1e-12), "seed " + seed + ", run " + run);
    }
  }
}
