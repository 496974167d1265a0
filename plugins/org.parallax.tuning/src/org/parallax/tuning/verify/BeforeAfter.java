package org.parallax.tuning.verify;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Compares periods before an action with periods after it, for actions that cannot be taken back and forth. It is weaker
 * than {@link PairedTrial}: what changes by itself at the moment of the action looks like its effect. Therefore it asks
 * for more:
 *
 * <ol>
 * <li>Student's t of the logarithms, with the variance enlarged for their dependence (first autocorrelation r, taken
 * upwards by its own error), one-sided at {@link #NOMINAL};
 * <li>the same against the line through the periods before, extrapolated to those after, with the error of the
 * extrapolation: a trend that goes on is no effect;
 * <li>all periods after must be better than the median before.
 * </ol>
 */
public final class BeforeAfter {
  /** The level of each test; of noise that depends on itself more actions pass, tests say how many. */
  public static final double NOMINAL = 0.0005;
  /** Periods on each side. */
  public static final int PERIODS = 12;

  private BeforeAfter() {
  }

  /**
   * What the action changed.
   *
   * @param before costs before, above zero; less is better
   * @param after costs after
   * @param margin by which share the cost must be less, 0.02 for 2 %
   */
  public static Gain gain(double[] before, double[] after, double margin) {
    double[] x = logs(before);
    double[] y = logs(after);
    int n = x.length;
    int m = y.length;
    double change = mean(y) - mean(x);
    double variance = (squares(x) + squares(y)) / (n + m - 2);
    double r = Math.max(0, Math.min(0.9, (correlation(x) + correlation(y)) / 2 + 1 / Math.sqrt(n + m)));
    double inflation = (1 + r) / (1 - r);
    double freedom = Math.max(2, (n + m - 2) / inflation);
    TDistribution student = new TDistribution(freedom);
    double error = Math.sqrt(inflation * variance * (1.0 / n + 1.0 / m));
    double probability = probability(student, change - Math.log1p(-margin), error);

    // The line through the periods before, at the middle of those after.
    double slope = slope(x);
    double distance = (n + m) / 2.0;
    double sum = n * (n * (double) n - 1) / 12;
    double trend = change - slope * distance;
    double trendError = Math.sqrt(inflation * variance * (1.0 / n + 1.0 / m + distance * distance / sum));
    // A trend that makes the cost larger by itself does not speak for the action.
    double trended = slope < 0 ? probability(student, trend - Math.log1p(-margin), trendError) : probability;

    double[] sorted = x.clone();
    Arrays.sort(sorted);
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    boolean allBetter = Arrays.stream(y).allMatch(value -> value < median);
    double worst = Math.max(probability, trended);
    double half = student.inverseCumulativeProbability((1 + Gain.CONFIDENCE) / 2) * error;
    return new Gain(-Math.expm1(change), -Math.expm1(change + half), -Math.expm1(change - half), worst,
        worst <= NOMINAL && allBetter, n + " periods before and " + m + " after");
  }

  private static double probability(TDistribution student, double change, double error) {
    return error == 0 ? change < 0 ? 0 : 1 : student.cumulativeProbability(change / error);
  }

  private static double[] logs(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  private static double squares(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
  }

  private static double correlation(double[] values) {
    double mean = mean(values);
    double sum = 0;
    for (int i = 1; i < values.length; i++) {
      sum += (values[i] - mean) * (values[i - 1] - mean);
    }
    double squares = squares(values);
    return squares == 0 ? 0 : sum / squares;
  }

  private static double slope(double[] values) {
    double middle = (values.length - 1) / 2.0;
    double products = 0;
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      products += (i - middle) * values[i];
      squares += (i - middle) * (i - middle);
    }
    return products / squares;
  }
}
