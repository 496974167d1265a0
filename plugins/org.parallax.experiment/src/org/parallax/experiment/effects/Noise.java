package org.parallax.experiment.effects;

import org.hipparchus.distribution.continuous.TDistribution;

/**
 * How much observations vary by themselves, and how that is known.
 *
 * @param deviation standard deviation of one observation; NaN when it is not known
 * @param degreesOfFreedom of the estimate; Lenth's need not be whole
 */
public record Noise(Source source, double deviation, double degreesOfFreedom) {
  /** Where it comes from, the best first. */
  public enum Source {
    /** From trials of the same run, differences between blocks taken out. */
    REPLICATES("replicates"),
    /** From repeated trials without treatments; only for rankings of settings. */
    UNPERTURBED("repeated trials without treatments"),
    /** From strings of interactions of three and more factors, taken to be nothing. */
    PURE_STRINGS("pure strings of order 3 and more"),
    /** From residuals of the main effects: also the interactions that the design cannot separate. */
    RESIDUAL("residuals of the main effects"),
    /** From the effects themselves, most of which are taken to be nothing. */
    LENTH("Lenth's pseudo standard error"),
    /** Too few trials. */
    NONE("not known");

    private final String text;

    Source(String text) {
      this.text = text;
    }

    /** @return in words */
    public String text() {
      return text;
    }
  }

  /** Nothing is known of it. */
  static final Noise UNKNOWN = new Noise(Source.NONE, Double.NaN, 0);

  /** @return whether there is a standard error at all */
  public boolean isKnown() {
    return source != Source.NONE;
  }

  /** @return the two-sided probability of a t at least as large; NaN when the noise is unknown */
  double probability(double t) {
    if (!isKnown() || Double.isNaN(t)) {
      return Double.NaN;
    }
    return 2 * new TDistribution(degreesOfFreedom).cumulativeProbability(-Math.abs(t));
  }

  /** @return how many standard errors an interval reaches to each side */
  double quantile(double confidence) {
    return isKnown()
        ? new TDistribution(degreesOfFreedom).inverseCumulativeProbability((1 + confidence) / 2)
        : Double.NaN;
  }
}
