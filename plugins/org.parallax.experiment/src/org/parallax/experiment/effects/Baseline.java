package org.parallax.experiment.effects;

/**
 * The response of the program without treatments.
 *
 * @param standardError NaN when the noise is not known
 * @param trials how many were run so; 0 when it is computed from the effects
 * @param source how it is known, in words
 */
public record Baseline(double value, double standardError, int trials, String source) {
  static final String TRIALS = "trials without treatments";
  static final String RUN = "the run with all factors at -";
  static final String MODEL = "computed from the effects: no run has all factors at -";
}
