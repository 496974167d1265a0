package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Treatment;

/**
 * What the agent is told for a trial: the places, which are the same in all trials, and the level of
 * each factor. Nothing else differs from trial to trial.
 */
final class TrialPlan {
  private static final String FIRST_LINE = "parallax-perturb\t1";

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private TrialPlan() {}

  /**
   * The request to {@link Places}: the place of each factor, then the variables of locks.
   */
  static List<String> request(List<Factor> factors) {
    List<String> places = new ArrayList<>();
    factors.forEach(factor -> places.add(
        factor.getTreatment() == Treatment.SPEEDUP ? "speedup:" + factor.getPlace()
            : factor.getPlace()));
    for (Factor factor : factors) {
      if (factor.getTreatment() == Treatment.LOCK) {
        places.add("variable:" + factor.getArgument());
      }
    }
    return places;
  }

  /**
   * Writes the plan of a trial.
   *
   * @param codes the coded level of each factor
   * @param result where the agent is to count
   */
  static void write(Path plan, Path result, Experiment experiment, Places places, int[] codes)
      throws IOException, ExperimentException {
    List<String> lines = new ArrayList<>(List.of(FIRST_LINE, "result\t" + result));
    if (Files.isReadable(HOST_NAME)) {
      lines.add("host\t" + Files.readString(HOST_NAME).strip());
    }
    lines.addAll(places.planLines());
    List<Factor> factors = experiment.getFactors();
    int variable = factors.size();
    for (int i = 0; i < factors.size(); i++) {
      Factor factor = factors.get(i);
      long amount =
          Amount.at(factor.getTreatment(), factor.getSettings(), experiment.getLevels(), codes[i]);
      lines.add("factor\t" + i + "\t" + treatment(factor, amount, places.variable(variable)));
      if (factor.getTreatment() == Treatment.LOCK) {
        variable++;
      }
    }
    Files.write(plan, lines);
  }

  private static String treatment(Factor factor, long amount, String variable) {
    if (factor.getTreatment() == Treatment.SPEEDUP) {
      // Also of nothing, which samples as others do.
      return "speedup\t"
          + (Factors.EXCLUSIVE.equals(factor.getArgument()) ? "exclusive\t" : "inclusive\t") + amount;
    }
    if (amount == 0) {
      return "none";
    }
    return switch (factor.getTreatment()) {
      case DELAY -> "delay\tauto\t" + amount;
      case SPIN -> "delay\ttime\t" + amount;
      case SLEEP -> "delay\tsleep\t" + amount;
      case WORK -> "delay\twork\t" + amount;
      case LOCK -> "lock\t" + variable;
      case MESSAGE -> "message\t" + amount;
      case BUFFER -> "buffer\t" + amount;
      case SPEEDUP -> throw new IllegalStateException();
    };
  }
}
