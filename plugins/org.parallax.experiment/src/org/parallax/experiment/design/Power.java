package org.parallax.experiment.design;

import java.util.Locale;
import java.util.OptionalInt;
import org.hipparchus.analysis.UnivariateFunction;
import org.hipparchus.analysis.solvers.BrentSolver;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * What an experiment of two levels can see: an effect is the difference of two means of half of the
 * runs each, so that its standard error is 2 sigma / sqrt(runs) (Box, Hunter, Hunter, section
 * 10.6), and a test of it by t, at both sides, has the noncentral t distribution.
 *
 * @param runs in which factors are + or -, over all replicates
 * @param noise the standard deviation of one run, in any unit
 * @param degreesOfFreedom of the estimate of the noise; infinite when it is known beforehand
 * @param significance of the test: the rate at which nothing is taken for an effect
 */
public record Power(int runs, double noise, double degreesOfFreedom, double significance) {
  /** The significance that is used where none is named. */
  public static final double USUAL_SIGNIFICANCE = 0.05;
  /** The power that is asked for where none is named. */
  public static final double USUAL_POWER = 0.8;
  private static final int MOST_REPLICATES = 100_000;

  /** @throws IllegalArgumentException when a value is not possible */
  public Power {
    if (runs < 2 || !(noise >= 0) || !(degreesOfFreedom > 0)
        || !(significance > 0 && significance < 1)) {
      throw new IllegalArgumentException("power needs at least two runs, a noise that is not "
          + "negative, degrees of freedom and a significance between 0 and 1");
    }
  }

  /**
   * The power of a design whose replicates are blocks: the noise is estimated between replicates,
   * with (runs - 1)(replicates - 1) degrees of freedom. With one replicate the noise is taken as
   * known from runs before.
   */
  public static Power of(Design design, int replicates, double noise) {
    return of(factorialRuns(design), replicates, noise, USUAL_SIGNIFICANCE);
  }

  private static Power of(int runs, int replicates, double noise, double significance) {
    double degrees = replicates == 1 ? Double.POSITIVE_INFINITY
        : (runs - 1.0) * (replicates - 1);
    return new Power(Math.multiplyExact(runs, replicates), noise, degrees, significance);
  }

  /** Centre points tell nothing about effects. */
  private static int factorialRuns(Design design) {
    int runs = 0;
    for (int run = 0; run < design.runs(); run++) {
      runs += design.isCentre(run) ? 0 : 1;
    }
    return runs;
  }

  /** @return the standard error of an effect */
  public double standardError() {
    return 2 * noise / Math.sqrt(runs);
  }

  /** @return the probability that an effect of this size is seen */
  public double toSee(double effect) {
    if (noise == 0) {
      return effect == 0 ? significance : 1;
    }
    double critical = critical();
    double delta = Math.abs(effect) / standardError();
    return 1 - NoncentralT.cumulative(critical, degreesOfFreedom, delta)
        + NoncentralT.cumulative(-critical, degreesOfFreedom, delta);
  }

  private double critical() {
    return degreesOfFreedom > 1e7
        ? new NormalDistribution().inverseCumulativeProbability(1 - significance / 2)
        : new TDistribution(degreesOfFreedom)
            .inverseCumulativeProbability(1 - significance / 2);
  }

  /**
   * The smallest effect that is seen with a power.
   *
   * @param power above the significance, below 1
   */
  public double smallestEffect(double power) {
    if (!(power > significance && power < 1)) {
      throw new IllegalArgumentException("a power is between the significance and 1");
    }
    if (noise == 0) {
      return 0;
    }
    UnivariateFunction missing = ratio -> toSee(ratio * standardError()) - power;
    double most = 4;
    while (missing.value(most) < 0) {
      most *= 2;
    }
    return standardError() * new BrentSolver(1e-9).solve(200, missing, 0, most);
  }

  /**
   * How many replicates see an effect: for a program that is not repeatable, whether the experiment
   * is hopeless.
   *
   * @return at least 1; empty when it would be over 100,000
   */
  public static OptionalInt replicates(Design design, double effect, double noise, double power) {
    int runs = factorialRuns(design);
    int low = 0;
    int high = 1;
    while (of(runs, high, noise, USUAL_SIGNIFICANCE).toSee(effect) < power) {
      low = high;
      high *= 2;
      if (high > MOST_REPLICATES || (long) high * runs > Integer.MAX_VALUE) {
        return OptionalInt.empty();
      }
    }
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (of(runs, middle, noise, USUAL_SIGNIFICANCE).toSee(effect) < power) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return OptionalInt.of(high);
  }

  /**
   * In words: {@code 16 runs: an effect of 1.8 % with power 80 % at noise 1.3 %}.
   *
   * @param power that is asked for
   * @param unit of the noise, {@code %} for instance
   */
  public String text(double power, String unit) {
    return String.format(Locale.ROOT, "%d runs: an effect of %.2g %s with power %.0f %% at noise "
        + "%.2g %s", runs, smallestEffect(power), unit, 100 * power, noise, unit);
  }
}
