package org.parallax.analysis.compare;

import java.util.Arrays;
import java.util.Locale;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.StatUtils;

/**
 * The difference of the means of two sets of measurements, with its confidence interval by Welch's
 * method, which does not take the sets to vary alike.
 *
 * @param base mean of the first set, 0 when it is empty
 * @param other mean of the second set
 * @param low end of the interval of {@code other - base}; NaN when a set has less than two values
 * @param high end of the interval
 */
public record Difference(double base, double other, double low, double high) {
  /** What can be said of a difference. */
  public enum Verdict { MORE, LESS, NOISE, ONE_RUN;

    /** @return as tables say it */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** @param confidence of the interval, between 0 and 1 */
  public static Difference of(double[] base, double[] other, double confidence) {
    double first = base.length == 0 ? 0 : StatUtils.mean(base);
    double second = other.length == 0 ? 0 : StatUtils.mean(other);
    if (base.length < 2 || other.length < 2) {
      return new Difference(first, second, Double.NaN, Double.NaN);
    }
    double a = StatUtils.variance(base) / base.length;
    double b = StatUtils.variance(other) / other.length;
    double half = 0;
    if (a + b > 0) {
      double freedom = (a + b) * (a + b)
          / (a * a / (base.length - 1) + b * b / (other.length - 1));
      half = Math.sqrt(a + b) * new TDistribution(freedom)
          .inverseCumulativeProbability(0.5 + confidence / 2);
    }
    return new Difference(first, second, second - first - half, second - first + half);
  }

  /**
   * Of measurements that were made in pairs, by Student's method: what changes from pair to pair, such as other
   * load, does not count.
   *
   * @param confidence of the interval, between 0 and 1
   * @throws IllegalArgumentException if the sets are not of one size
   */
  public static Difference paired(double[] base, double[] other, double confidence) {
    if (base.length != other.length) {
      throw new IllegalArgumentException(base.length + " and " + other.length + " values are no pairs");
    }
    double first = base.length == 0 ? 0 : StatUtils.mean(base);
    double second = base.length == 0 ? 0 : StatUtils.mean(other);
    if (base.length < 2) {
      return new Difference(first, second, Double.NaN, Double.NaN);
    }
    double[] differences = new double[base.length];
    Arrays.setAll(differences, i -> other[i] - base[i]);
    double half = Math.sqrt(StatUtils.variance(differences) / base.length)
        * new TDistribution(base.length - 1).inverseCumulativeProbability(0.5 + confidence / 2);
    return new Difference(first, second, second - first - half, second - first + half);
  }

  /** @return the difference of the means */
  public double value() {
    return other - base;
  }

  /** @return how many times the base the other is; NaN when the base is 0 */
  public double ratio() {
    return base == 0 ? Double.NaN : other / base;
  }

  /** @return whether the difference is larger than what runs differ by anyway */
  public Verdict verdict() {
    if (Double.isNaN(low)) {
      return Verdict.ONE_RUN;
    }
    return low > 0 ? Verdict.MORE : high < 0 ? Verdict.LESS : Verdict.NOISE;
  }
}
