package org.parallax.experiment.effects;

import java.util.List;

/**
 * The effects again, by methods that do not need normal noise.
 *
 * @param effects in the order of the classic ones
 * @param exact whether the permutation test went through all orders
 * @param bootstrap how intervals were made, or why there are none
 */
public record Robust(List<RobustEffect> effects, boolean exact, String bootstrap) {
  /**
   * An effect.
   *
   * @param median the effect of the medians of each run; NaN when runs have less than three trials
   * @param permutationP the chance that any effect that is none would be found with one as large,
   *     observations being exchanged within blocks; corrected for the number of effects
   * @param interval of the bootstrap; null when there is none
   * @param rankP the probability, by ranks of the observations without the other effects, not
   *     corrected; NaN without degrees of freedom
   */
  public record RobustEffect(Effect classic, double median, double permutationP,
      Interval interval, double rankP) {}

  /** Estimates the effects of an experiment robustly. Draws by the seed of its options. */
  public static Robust of(Effects effects) {
    return new RobustEstimate(effects).robust();
  }
}
