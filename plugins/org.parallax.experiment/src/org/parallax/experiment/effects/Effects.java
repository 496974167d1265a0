package org.parallax.experiment.effects;

import java.util.List;
import java.util.Optional;
import org.parallax.experiment.design.Term;

/**
 * The effects of a two-level experiment on one response.
 *
 * @param mean of the runs, all runs and blocks counting alike; without centre points
 * @param meanError its standard error; NaN when the noise is not known
 * @param effects main effects first, then interactions
 * @param lenth pseudo standard error of the effects and its margins, whether it was used or not;
 *     null when there are too few effects
 * @param baseline the program without treatments; null when it is not known
 * @param curvature the mean of the centre points less that of the others; null without any
 * @param blocks in time
 * @param lost names of effects that could be told if no trials were missing, or that blocks hide
 * @param complete whether the design can tell all terms that were asked for from each other, but
 *     for aliases; if not, interactions of the highest orders are left out
 */
public record Effects(Responses responses, Options options, double mean, double meanError,
    List<Effect> effects, Noise noise, Lenth lenth, Baseline baseline, Contrast curvature,
    int blocks, List<String> lost, boolean complete) {

  /** A difference of means. */
  public record Contrast(double estimate, double standardError, double t, double p) {}

  /**
   * Estimates the effects.
   *
   * @throws IllegalArgumentException when the design has not two levels
   */
  public static Effects of(Responses responses, Options options) {
    return new EffectsEstimate(responses, options).effects();
  }

  /** @return the effect of a term, or of the string that it is in */
  public Optional<Effect> effect(Term term) {
    return effects.stream().filter(effect -> effect.term().equals(term)).findFirst();
  }

  /** @return the effect of a factor; empty when it cannot be told */
  public Optional<Effect> effect(int factor) {
    return effect(Term.of(factor));
  }
}
