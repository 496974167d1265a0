package org.parallax.analysis.source;

/**
 * How sure a sampled time is: the interval in which it lies with a confidence of 95 %.
 *
 * <p>Samples are taken at moments that do not depend on the program, so the number of those that hit a
 * line is binomial. The interval is Wilson's (Journal of the American Statistical Association 22, 1927)
 * for {@code samples} hits of {@code allSamples}; one sample stands for the mean time of those that hit.
 * It covers chance only, neither skid nor a program that works in step with the timer. Wilson's interval
 * also holds for few hits, where a normal approximation would reach below 0.
 *
 * @param lowNs the lower end
 * @param highNs the upper end
 */
public record SampleInterval(long lowNs, long highNs) {
  /** The quantile of the normal distribution for 95 %. */
  private static final double Z = 1.959964;

  /**
   * The interval of a time.
   *
   * @param samples that hit; with 0, the time was measured and the interval is the time itself
   * @param allSamples of all that was sampled, at least {@code samples}
   */
  public static SampleInterval of(long ns, long samples, long allSamples) {
    if (samples <= 0) {
      return new SampleInterval(ns, ns);
    }
    double all = Math.max(samples, allSamples);
    double share = samples / all;
    double scale = 1 + Z * Z / all;
    double middle = (share + Z * Z / (2 * all)) / scale;
    double half = Z * Math.sqrt(share * (1 - share) / all + Z * Z / (4 * all * all)) / scale;
    double nsOfShare = ns / share;
    return new SampleInterval(Math.round(Math.max(0, middle - half) * nsOfShare),
        Math.round(Math.min(1, middle + half) * nsOfShare));
  }

  /** @return whether so few samples hit that the true time may be less than half of the sampled one */
  public boolean isUncertain(long ns) {
    return lowNs < ns / 2;
  }
}
