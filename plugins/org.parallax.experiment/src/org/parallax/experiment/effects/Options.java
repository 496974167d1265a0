package org.parallax.experiment.effects;

/**
 * How an experiment is analysed.
 *
 * @param order the most factors of a term that is listed
 * @param confidence of intervals, and 1 minus the probability at which effects are believed
 * @param correction which corrected probability decides
 * @param source where the noise must come from; null for the best that there is
 * @param seed of what is drawn by chance
 */
public record Options(int order, double confidence, Correction correction, Noise.Source source,
    long seed) {
  private static final int MANY_FACTORS = 16;

  /** @throws IllegalArgumentException when a number is out of its range */
  public Options {
    if (order < 1) {
      throw new IllegalArgumentException("the order of terms must be at least 1, not " + order);
    }
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("a confidence level is between 0 and 1, not "
          + confidence);
    }
  }

  /** Interactions of three factors when there are few; 95 %, and Holm's correction. */
  public static Options of(int factors) {
    return new Options(factors <= MANY_FACTORS ? 3 : 2, 0.95, Correction.HOLM, null, 1992);
  }

  /** @return the same with another order */
  public Options withOrder(int highest) {
    return new Options(highest, confidence, correction, source, seed);
  }

  /** @return the same with the noise from somewhere */
  public Options withSource(Noise.Source from) {
    return new Options(order, confidence, correction, from, seed);
  }
}
