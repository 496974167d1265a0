package org.parallax.experiment.effects;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.StatUtils;

/**
 * The standard error of effects that have no replicates, from the effects themselves: most of them
 * are noise (Lenth 1989, Quick and Easy Analysis of Unreplicated Factorials).
 *
 * @param pseudoStandardError 1.5 times the median of the absolute effects that are not far larger
 *     than the rest
 * @param marginOfError what one effect that is noise exceeds as rarely as the confidence tells
 * @param simultaneousMargin what any of all effects exceeds as rarely, all being noise
 * @param effects their number; the degrees of freedom are a third of it
 */
public record Lenth(double pseudoStandardError, double marginOfError, double simultaneousMargin,
    int effects) {
  /**
   * @param effects with equal variances; at least one
   * @param confidence such as 0.95
   */
  public static Lenth of(double[] effects, double confidence) {
    double[] absolute = Arrays.stream(effects).map(Math::abs).toArray();
    double first = 1.5 * StatUtils.percentile(absolute, 50);
    double[] small = Arrays.stream(absolute).filter(effect -> effect < 2.5 * first).toArray();
    double error = small.length == 0 ? 0 : 1.5 * StatUtils.percentile(small, 50);
    TDistribution t = new TDistribution(effects.length / 3.0);
    double simultaneous = (1 + Math.pow(confidence, 1.0 / effects.length)) / 2;
    return new Lenth(error, t.inverseCumulativeProbability((1 + confidence) / 2) * error,
        t.inverseCumulativeProbability(simultaneous) * error, effects.length);
  }

  /** @return degrees of freedom */
  public double degreesOfFreedom() {
    return effects / 3.0;
  }
}
