package org.parallax.experiment.effects;

import java.util.List;
import org.parallax.experiment.design.AliasString;
import org.parallax.experiment.design.SignedTerm;
import org.parallax.experiment.design.Term;

/**
 * What a term does to the response: the mean where its contrast is + less the mean where it is -,
 * twice the coefficient of a regression. Other terms have the same contrast, or its opposite.
 *
 * @param string the terms that have this contrast, or its opposite
 * @param name the terms that are as simple as that, for people
 * @param aliases the other terms with the same contrast, a minus before those with the opposite
 * @param standardError NaN when it is not known
 * @param t the estimate in standard errors
 * @param p the probability of such a t if there is no effect; NaN when it is not known, or when
 *     this effect was used to estimate the noise
 * @param holm p, corrected for the number of effects: the chance that any found effect is none
 * @param benjaminiHochberg p, corrected: the share of found effects that are none
 * @param interval null when the noise is not known
 * @param percent of the response of the unperturbed program; NaN when that is not known
 * @param percentInterval by Fieller; null when there are no bounds
 * @param forNoise whether the noise was estimated from it
 */
public record Effect(AliasString string, String name, List<String> aliases, double estimate,
    double standardError, double t, double p, double holm, double benjaminiHochberg,
    Interval interval, double percent, Interval percentInterval, boolean forNoise,
    Verdict verdict) {
  /** @return the simplest of the terms that have this contrast */
  public Term term() {
    return string.first();
  }

  /** @return whether it is, or may be, of a term of several factors with this one */
  boolean mayBeInteractionOf(int factor) {
    return term().order() > 1 && string.terms().stream().map(SignedTerm::term)
        .anyMatch(other -> other.order() == term().order() && other.contains(factor));
  }
}
