package org.parallax.experiment.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.hipparchus.stat.descriptive.DescriptiveStatistics;
import org.parallax.experiment.design.Power;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Response;
import org.parallax.model.ResponseKind;
import org.parallax.model.Treatment;
import org.parallax.model.TreatmentCount;
import org.parallax.model.Trial;
import org.parallax.model.TrialKind;
import org.parallax.model.TrialStatus;

/**
 * What the trials before the experiment tell: whether all places are reached, how much the program
 * varies by itself, and what all treatments together do to it.
 *
 * @param response the first one, of which all numbers are
 * @param mean without treatments
 * @param deviation standard deviation without treatments, {@link Schedule#NOISE_PILOTS} trials
 * @param highest with all factors at their highest level
 * @param trials of the design, over all replicates
 * @param visible the smallest effect that the experiment sees with a power of 80 %
 * @param askedNs delays that all threads were given at the highest level
 * @param errors why the experiment cannot be made
 * @param warnings what a person should know
 */
public record Pilot(Response response, double mean, double deviation, double highest, int trials,
    double visible, long askedNs, List<String> errors, List<String> warnings) {
  private static final double LONG = 20;
  /** More that are wrong in the same way are told in one message. */
  private static final int MOST_TOLD = 4;

  static Pilot of(Experiment experiment, Places places) {
    Response response = experiment.getResponses().get(0);
    DescriptiveStatistics without = new DescriptiveStatistics();
    Trial highest = null;
    for (Trial trial : experiment.getTrials()) {
      if (trial.getKind() == TrialKind.PILOT && trial.getStatus() == TrialStatus.DONE) {
        if (trial.getRun() == Schedule.HIGHEST) {
          highest = trial;
        } else {
          without.addValue(ExperimentData.value(trial, response));
        }
      }
    }
    double deviation = without.getN() > 1 ? without.getStandardDeviation() : 0;
    Power power = Power.of(ExperimentData.design(experiment), experiment.getReplicates(), deviation);
    double visible = deviation == 0 ? 0 : power.smallestEffect(Power.USUAL_POWER);
    int trials = power.runs();
    long asked = highest == null ? 0
        : highest.getCounts().stream().mapToLong(TreatmentCount::getAchievedNs).sum();
    Pilot pilot = new Pilot(response, without.getMean(), deviation,
        highest == null ? Double.NaN : ExperimentData.value(highest, response), trials, visible, asked,
        new ArrayList<>(), new ArrayList<>());
    if (highest != null) {
      pilot.judgeReach(experiment, places, highest);
      pilot.judgeNoise(experiment);
    }
    return pilot;
  }

  private void judgeReach(Experiment experiment, Places places, Trial highest) {
    List<String> missed = experiment.getFactors().stream().map(Factor::getName).filter(name -> {
      TreatmentCount count = FactorCounts.of(highest, name);
      return count != null && count.getCount() == 0;
    }).toList();
    if (missed.size() > MOST_TOLD) {
      errors.add("the places of " + missed.size() + " of " + experiment.getFactors().size()
          + " factors were never reached; leave them out, or choose an input that reaches them: "
          + String.join(", ", missed));
      return;
    }
    for (int i = 0; i < experiment.getFactors().size(); i++) {
      Factor factor = experiment.getFactors().get(i);
      TreatmentCount count = FactorCounts.of(highest, factor.getName());
      if (count == null) {
        continue;
      }
      if (count.getCount() == 0 && factor.getTreatment() == Treatment.SPEEDUP) {
        errors.add("the place of the factor " + factor.getName() + ", " + factor.getPlace()
            + ", was reached for less than a millisecond in all, so the effect of a speed-up is "
            + "unknown; choose another place, or an input that takes longer there"
            + (Factors.EXCLUSIVE.equals(factor.getArgument())
                ? "; without --exclusive, its callees count too" : ""));
      } else if (count.getCount() == 0) {
        int place = i;
        long points = places.points().stream().filter(point -> point.place() == place).count();
        errors.add("the place of the factor " + factor.getName() + ", " + factor.getPlace()
            + ", was never reached (it has " + points + (points == 1 ? " point" : " points")
            + " in the program's code); choose another place, or an input that reaches it");
      } else if (count.getSkipped() == count.getCount()) {
        errors.add("the treatment of the factor " + factor.getName() + " could not be applied in any "
            + "of " + count.getCount() + " calls"
            + (factor.getTreatment() == Treatment.LOCK ? ": the thread held the lock" : ""));
      } else if (count.getSkipped() > 0) {
        warnings.add(String.format(Locale.ROOT, "the treatment of %s could not be applied in %d of %d "
            + "calls", factor.getName(), count.getSkipped(), count.getCount()));
      }
    }
  }

  private void judgeNoise(Experiment experiment) {
    if (highest > LONG * mean && response.getKind() == ResponseKind.ELAPSED) {
      warnings.add(String.format(Locale.ROOT, "with all treatments, the program takes %.0f times "
          + "as long; smaller delays give results sooner", highest / mean));
    }
    boolean times = response.getKind() == ResponseKind.ELAPSED
        || response.getKind() == ResponseKind.CRITICAL_PATH || response.getKind() == ResponseKind.CPU;
    if (!times || askedNs == 0) {
      return;
    }
    if (visible > askedNs) {
      OptionalInt needed = Power.replicates(ExperimentData.design(experiment), askedNs, deviation,
          Power.USUAL_POWER);
      errors.add(String.format(Locale.ROOT, "the program is not repeatable enough: its %s varies by "
          + "%.1f %% from run to run, so %d trials detect effects of %.1f ms or more, but all "
          + "delays together are %.1f ms. Use %s replicates instead of %d, or longer delays; to "
          + "continue anyway, use --force", response.getName(), 100 * deviation / mean, trials,
          visible / 1e6, askedNs / 1e6,
          needed.isPresent() ? Integer.toString(needed.getAsInt()) : "more than 100,000",
          experiment.getReplicates()));
    }
  }

  /**
   * Ends an experiment that would tell nothing.
   *
   * @param force go on with a program that is not repeatable
   */
  void check(boolean force) throws ExperimentException {
    List<String> fatal = errors.stream()
        .filter(error -> !force || !error.startsWith("the program is not repeatable")).toList();
    if (!fatal.isEmpty()) {
      throw new ExperimentException(String.join("\n", fatal));
    }
  }
}
