package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Values that stand apart: outside of Tukey's fences (Tukey 1977), 1.5 interquartile ranges beyond the quartiles. */
public final class Outliers {
  private static final double FENCE = 1.5;
  /** With fewer, quartiles say nothing. */
  private static final int LEAST = 5;

  private Outliers() {
  }

  /** @return the positions of those that stand apart, the farthest from the median first; none of fewer than 5 values */
  public static List<Integer> of(long[] values) {
    if (values.length < LEAST) {
      return List.of();
    }
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    double lower = quantile(sorted, 0.25);
    double upper = quantile(sorted, 0.75);
    double reach = FENCE * (upper - lower);
    double middle = quantile(sorted, 0.5);
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] < lower - reach || values[i] > upper + reach) {
        found.add(i);
      }
    }
    found.sort(Comparator.comparingDouble(i -> -Math.abs(values[i] - middle)));
    return found;
  }

  /** By linear interpolation between the two nearest values. */
  private static double quantile(long[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
