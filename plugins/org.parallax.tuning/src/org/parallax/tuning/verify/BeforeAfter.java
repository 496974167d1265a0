package org.parallax.tuning.verify;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Compares periods before an action with periods after it, for actions that cannot be taken back and forth. It is weaker
 * than {@link PairedTrial}: what changes by itself at the moment of the action looks like its effect. Therefore it asks
 * for more:
 *
 * <ol>
 * <li>Student's t of the logarithms, of trimmed means (Yuen 1974, pooled), so that a pause of the program in one or two periods
 * hides no effect. The variance is enlarged for the dependence of the periods (first autocorrelation r, taken upwards by its own
 * error), one-sided at {@link #NOMINAL};
 * <li>the same against the line through the periods before (slope of Theil and Sen), extrapolated to those after, with the
 * error of the extrapolation: a trend that goes on is no effect. Of {@link #MORE_AFTER} periods after, the line has the mean slope
 * of both sides;
 * <li>all periods after, but as many as are trimmed at an end, must be better than the median before.
 * </ol>
 */
public final class BeforeAfter {
  /** The level of each test; of noise that depends on itself more actions pass, tests say how many. */
  public static final double NOMINAL = 0.001;
  /** Periods before: the error of the trend falls with their square. */
  public static final int BEFORE = 24;
  /** Periods after. */
  public static final int AFTER = 12;
  /** Periods after, if it is {@linkplain #isOpen still open} whether the action helps. */
  public static final int MORE_AFTER = 36;
  /** While the cost {@linkplain #falls falls} by itself, the action waits for so many further periods at most. */
  public static final int MOST_WAITED = BEFORE;
  /** One of so many values is left out at each end. */
  private static final int TRIMMED = 8;

  /** Logarithms of costs in their order, and the same with those beyond the trimmed ends set to these ends. */
  private record Side(double[] logs, double[] values, int kept) {
    static Side of(double[] costs) {
      double[] logs = Arrays.stream(costs).map(Math::log).toArray();
      int cut = (logs.length + TRIMMED / 2) / TRIMMED;
      double[] sorted = sorted(logs);
      double least = sorted[cut];
      double most = sorted[logs.length - 1 - cut];
      double[] values = Arrays.stream(logs).map(value -> Math.max(least, Math.min(most, value))).toArray();
      return new Side(logs, values, logs.length - 2 * cut);
    }

    int size() {
      return values.length;
    }

    /** How many are left out at an end. */
    int cut() {
      return (size() - kept) / 2;
    }

    /** The mean without the ends. */
    double mean() {
      return Arrays.stream(sorted(values)).skip(cut()).limit(kept).average().orElse(0);
    }

    double median() {
      double[] sorted = sorted(values);
      return (sorted[(size() - 1) / 2] + sorted[size() / 2]) / 2;
    }

    /** Squares of the distances from their mean; of the series with its ends, as the variance of a trimmed mean needs them. */
    double squares() {
      double mean = Arrays.stream(values).average().orElse(0);
      return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    }

    double correlation() {
      double mean = Arrays.stream(values).average().orElse(0);
      double sum = 0;
      for (int i = 1; i < size(); i++) {
        sum += (values[i] - mean) * (values[i - 1] - mean);
      }
      double squares = squares();
      return squares == 0 ? 0 : sum / squares;
    }

    /** Squares of the distances of the kept places from their mean: a slope has the variance of a value divided by them. */
    double spread() {
      return kept * (size() * (double) size() - 1) / 12;
    }

    /** The median of the slopes of all pairs. */
    double slope() {
      double[] slopes = new double[size() * (size() - 1) / 2];
      int at = 0;
      for (int i = 0; i < size(); i++) {
        for (int k = i + 1; k < size(); k++) {
          slopes[at++] = (logs[k] - logs[i]) / (k - i);
        }
      }
      Arrays.sort(slopes);
      return (slopes[(at - 1) / 2] + slopes[at / 2]) / 2;
    }

    private static double[] sorted(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      return sorted;
    }
  }

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
    Side x = Side.of(before);
    Side y = Side.of(after);
    int n = x.kept();
    int m = y.kept();
    double change = y.mean() - x.mean();
    double variance = (x.squares() + y.squares()) / (n + m - 2);
    int all = x.size() + y.size();
    double r = Math.max(0, Math.min(0.9, (x.correlation() + y.correlation()) / 2 + 1 / Math.sqrt(all)));
    double inflation = (1 + r) / (1 - r);
    double freedom = Math.max(2, (n + m - 2) / inflation);
    TDistribution student = new TDistribution(freedom);
    double error = Math.sqrt(inflation * variance * (1.0 / n + 1.0 / m));
    double probability = probability(student, change - Math.log1p(-margin), error);

    // The line through the periods before, at the middle of those after.
    double slope = x.slope();
    double slopeVariance = 1 / x.spread();
    if (y.size() > AFTER) {
      slope = (slope + y.slope()) / 2;
      slopeVariance = (slopeVariance + 1 / y.spread()) / 4;
    }
    double distance = all / 2.0;
    double trend = change - slope * distance;
    double trendError = Math.sqrt(inflation * variance * (1.0 / n + 1.0 / m + distance * distance * slopeVariance));
    // A trend that makes the cost larger by itself does not speak for the action.
    double trended = slope < 0 ? probability(student, trend - Math.log1p(-margin), trendError) : probability;

    double median = x.median();
    long better = Arrays.stream(after).filter(value -> Math.log(value) < median).count();
    double worst = Math.max(probability, trended);
    double half = student.inverseCumulativeProbability((1 + Gain.CONFIDENCE) / 2) * error;
    return new Gain(-Math.expm1(change), -Math.expm1(change + half), -Math.expm1(change - half), worst,
        worst <= NOMINAL && better >= y.size() - y.cut(), x.size() + " periods before and " + y.size() + " after");
  }

  /**
   * Tells whether more periods after the action can show that it helps: those so far are better, but a trend could explain it.
   *
   * @param gain of {@link #AFTER} periods after
   * @param margin by which share the cost must be less
   * @return whether {@link #MORE_AFTER} periods should be compared
   */
  public static boolean isOpen(Gain gain, double margin) {
    return !gain.helps() && gain.low() > margin;
  }

  /**
   * Tells whether costs fall by themselves, as those of a program that starts. An action would better wait: the trend after it
   * is not known.
   *
   * @param before costs, above zero
   * @return whether the slope is below zero by more than its standard error
   */
  public static boolean falls(double[] before) {
    Side x = Side.of(before);
    return x.slope() < -Math.sqrt(x.squares() / (x.kept() - 1) / x.spread());
  }

  private static double probability(TDistribution student, double change, double error) {
    return error == 0 ? change < 0 ? 0 : 1 : student.cumulativeProbability(change / error);
  }
}
