package org.parallax.experiment.run;

import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Trial;

/** After which a trial is taken to hang. */
final class TimeLimit {
  /** Of the first trial of all: nothing is known of the program. */
  private static final long FIRST_NS = 600_000_000_000L;
  private static final long LEAST_NS = 10_000_000_000L;
  private static final int SPARE = 10;

  private TimeLimit() {}

  /**
   * What the experiment says; else several times what the longest trial took, and the delays of this
   * one if its places are reached as often as they were at most.
   *
   * @param longestNs of the trials made so far; 0 before the first one
   */
  static long ns(Experiment experiment, Trial trial, long longestNs) throws ExperimentException {
    if (experiment.getTimeoutSeconds() > 0) {
      return (long) (experiment.getTimeoutSeconds() * 1e9);
    }
    if (longestNs == 0) {
      return FIRST_NS;
    }
    double expected = longestNs;
    int[] codes = Schedule.codes(experiment, trial);
    for (int i = 0; i < codes.length; i++) {
      Factor factor = experiment.getFactors().get(i);
      if (Amount.isTime(factor.getTreatment())) {
        expected += (double) FactorCounts.most(experiment, factor.getName()) * Amount.at(
            factor.getTreatment(), factor.getSettings(), experiment.getLevels(), codes[i]);
      }
    }
    return (long) Math.max(LEAST_NS, SPARE * expected);
  }
}
