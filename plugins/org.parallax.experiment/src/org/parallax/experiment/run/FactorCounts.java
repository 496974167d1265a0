package org.parallax.experiment.run;

import java.util.List;
import java.util.Objects;
import org.parallax.model.Experiment;
import org.parallax.model.ModelFactory;
import org.parallax.model.TreatmentCount;
import org.parallax.model.Trial;

/** What was done at the places of each factor in a trial: requested, achieved and counted. */
final class FactorCounts {
  private FactorCounts() {}

  /** Puts the sums over the points of each factor into a trial. */
  static void record(Trial trial, Experiment experiment, Places places, Counts counts) {
    trial.getCounts().clear();
    for (int i = 0; i < experiment.getFactors().size(); i++) {
      TreatmentCount sum = ModelFactory.eINSTANCE.createTreatmentCount();
      sum.setFactor(experiment.getFactors().get(i).getName());
      int place = i;
      if (places.points().stream().noneMatch(point -> point.place() == place)) {
        sum.setCount(counts.samples(i));  // code with no entry, as what was inlined everywhere
      }
      for (Places.Point point : places.points()) {
        if (point.place() == i) {
          sum.setCount(sum.getCount() + counts.count(point.id()));
          sum.setRequestedNs(sum.getRequestedNs() + counts.requestedNs(point.id()));
          sum.setAchievedNs(sum.getAchievedNs() + counts.achievedNs(point.id()));
          sum.setSkipped(sum.getSkipped() + counts.skipped(point.id()));
        }
      }
      trial.getCounts().add(sum);
    }
  }

  /** @return of a factor in a trial; null when nothing was counted */
  static TreatmentCount of(Trial trial, String factor) {
    List<TreatmentCount> counts = trial.getCounts();
    return counts.stream().filter(count -> factor.equals(count.getFactor())).findFirst()
        .orElse(null);
  }

  /** How often the places of a factor were reached in a trial, at most; 0 when no trial is made. */
  static long most(Experiment experiment, String factor) {
    return experiment.getTrials().stream().map(trial -> of(trial, factor)).filter(Objects::nonNull)
        .mapToLong(TreatmentCount::getCount).max().orElse(0);
  }
}
