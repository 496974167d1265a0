package org.parallax.tuning.formula;

import java.util.Arrays;

/**
 * Divides a whole number among processes by weights, as processors by load. Each next unit goes to the process that has the
 * most weight for each of its units, which makes the largest such weight as small as any division can.
 */
final class Portions {
  /** Units for all processes together. */
  static final int MOST = 1_000_000;

  private Portions() {
  }

  /**
   * The parts, whose sum is the total; above it only when the least parts alone are.
   *
   * @param total units
   * @param weights one for each process; among equal ones the first goes first
   * @param least units that each has
   */
  static int[] of(int total, double[] weights, int least) {
    int[] parts = new int[weights.length];
    Arrays.fill(parts, Math.max(0, least));
    for (int left = total - weights.length * Math.max(0, least); left > 0; left--) {
      int heaviest = 0;
      for (int i = 1; i < parts.length; i++) {
        double here = ofEach(weights[i], parts[i]);
        double there = ofEach(weights[heaviest], parts[heaviest]);
        if (here > there || here == there && Double.isInfinite(here) && weights[i] > weights[heaviest]) {
          heaviest = i;
        }
      }
      parts[heaviest]++;
    }
    return parts;
  }

  /** Infinite for a weight without a unit. */
  private static double ofEach(double weight, int part) {
    return weight == 0 ? 0 : weight / part;
  }
}
