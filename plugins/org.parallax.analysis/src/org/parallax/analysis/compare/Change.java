package org.parallax.analysis.compare;

/**
 * By how much something takes more or less time in some runs than in others, by more than noise.
 *
 * @param baseNs the mean of the runs of the base; 0 if it is in none of them
 * @param newNs the mean of the others
 * @param isOneRun whether a side has one run only
 */
public record Change(double baseNs, double newNs, boolean isOneRun) {
  /** Of single runs a difference counts from this share of the time on. */
  static final double LEAST_SHARE = 0.05;
  /** Differences below this share of the time of a run are left out. */
  public static final double LEAST_OF_RUN = 0.005;

  public boolean isSlower() {
    return newNs > baseNs;
  }

  /** @return by which share of the base the time is more, or less; NaN without time in the base */
  public double share() {
    return baseNs == 0 ? Double.NaN : (newNs - baseNs) / baseNs;
  }

  /**
   * Compares times that were measured, not sampled. For repeated runs, noise is what the confidence says. Of single
   * runs nobody knows by how much they differ anyway: there a difference counts from {@value #LEAST_SHARE} of the
   * time on.
   *
   * @param base of each run, in nanoseconds
   * @param leastNs differences below it are left out
   * @return null for no difference
   */
  static Change of(double[] base, double[] other, double confidence, double leastNs) {
    Difference difference = Difference.of(base, other, confidence);
    boolean isOneRun = difference.verdict() == Difference.Verdict.ONE_RUN;
    double ns = Math.abs(difference.value());
    boolean differs = isOneRun
        ? ns > LEAST_SHARE * Math.max(difference.base(), difference.other())
        : difference.verdict() != Difference.Verdict.NOISE;
    return differs && ns > 0 && ns >= leastNs
        ? new Change(difference.base(), difference.other(), isOneRun) : null;
  }
}
