package org.parallax.experiment.effects;

/** The ratio of two normal estimates (Fieller 1954). */
final class Ratio {
  private Ratio() {}

  /**
   * The confidence interval of a ratio.
   *
   * @param variance of the numerator {@code a}
   * @param covariance of the two
   * @param base variance of the denominator {@code b}
   * @param quantile of t
   * @return null when the denominator may be zero, so that there are no bounds
   */
  static Interval of(double a, double b, double variance, double covariance, double base,
      double quantile) {
    double square = quantile * quantile;
    double lead = b * b - square * base;
    if (!(lead > 0)) {
      return null;
    }
    double middle = a * b - square * covariance;
    double root = Math.sqrt(Math.max(0, middle * middle - lead * (a * a - square * variance)));
    return new Interval((middle - root) / lead, (middle + root) / lead);
  }
}
