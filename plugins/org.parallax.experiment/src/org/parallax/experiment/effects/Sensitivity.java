package org.parallax.experiment.effects;

import java.util.OptionalInt;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.Power;

/**
 * How small an effect this experiment could have seen, and how often its runs would have to be
 * repeated for smaller ones.
 *
 * @param detectable the effect that a single test finds in 80 of 100 experiments like this one
 * @param percent of the unperturbed program's response; NaN when that is not known
 * @param deviation of one trial
 */
public record Sensitivity(Design design, double detectable, double percent, double deviation) {

  /** @return null when the noise is not known, or there are no effects */
  static Sensitivity of(Effects effects) {
    Noise noise = effects.noise();
    if (!noise.isKnown() || effects.effects().isEmpty()) {
      return null;
    }
    // Trials may be missing, or centre points: as many that are not have the effect's error.
    double error = effects.effects().get(0).standardError();
    int trials = error == 0 ? effects.responses().observations().size()
        : (int) Math.max(2, Math.rint(Math.pow(2 * noise.deviation() / error, 2)));
    double detectable = new Power(trials, noise.deviation(), noise.degreesOfFreedom(),
        1 - effects.options().confidence()).smallestEffect(Power.USUAL_POWER);
    return new Sensitivity(effects.responses().design(), detectable,
        effects.baseline() == null ? Double.NaN
            : 100 * detectable / effects.baseline().value(), noise.deviation());
  }

  /**
   * How many replicates of the design see an effect in 80 of 100 experiments.
   *
   * @param effect above 0
   * @return at least 1; empty when no number that makes sense would do
   */
  public OptionalInt replicates(double effect) {
    return Power.replicates(design, effect, deviation, Power.USUAL_POWER);
  }
}
