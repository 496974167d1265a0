package org.parallax.experiment.design;

import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.special.Beta;
import org.hipparchus.special.Gamma;

/**
 * The noncentral t distribution: of a normal variable with mean delta and variance 1 divided by an
 * independent estimate of its standard deviation. Computed as the sum of Lenth, Algorithm AS 243
 * (1989), which takes O(delta^2) incomplete beta functions.
 */
public final class NoncentralT {
  private static final NormalDistribution NORMAL = new NormalDistribution();
  private static final double ACCURACY = 1e-13;
  /** Beyond this exp(-delta^2 / 2) is no number any more. */
  private static final double MOST_DELTA = 37.62;
  private static final int MOST_TERMS = 5000;

  private NoncentralT() {
  }

  /**
   * The probability that the variable is at most t.
   *
   * @param degreesOfFreedom above 0; infinite for the normal distribution
   * @param delta the noncentrality; beyond 37.6 the value is an approximation (Abramowitz and
   *     Stegun 26.7.10)
   */
  public static double cumulative(double t, double degreesOfFreedom, double delta) {
    if (!(degreesOfFreedom > 0)) {
      throw new IllegalArgumentException("degrees of freedom must be above 0");
    }
    if (degreesOfFreedom > 1e7) {
      return NORMAL.cumulativeProbability(t - delta);
    }
    if (t < 0) {
      return 1 - cumulative(-t, degreesOfFreedom, -delta);
    }
    if (Math.abs(delta) > MOST_DELTA) {
      double scale = 1 / (4 * degreesOfFreedom);
      return NORMAL.cumulativeProbability(
          (t * (1 - scale) - delta) / Math.sqrt(1 + 2 * t * t * scale));
    }
    double sum = NORMAL.cumulativeProbability(-delta);
    double x = t * t / (t * t + degreesOfFreedom);
    double half = delta * delta / 2;
    double p = Math.exp(-half) / 2;
    double q = delta * Math.exp(-half) / (2 * Math.sqrt(2) * Math.exp(Gamma.logGamma(1.5)));
    double rest = 0.5 - p;
    for (int j = 0; x > 0 && j < MOST_TERMS; j++) {
      double odd = Beta.regularizedBeta(x, j + 0.5, degreesOfFreedom / 2);
      sum += p * odd + q * Beta.regularizedBeta(x, j + 1, degreesOfFreedom / 2);
      if (j > half && 2 * rest * odd < ACCURACY) {
        break;
      }
      p *= half / (j + 1);
      q *= half / (j + 1.5);
      rest -= p;
    }
    return Math.max(0, Math.min(1, sum));
  }
}
