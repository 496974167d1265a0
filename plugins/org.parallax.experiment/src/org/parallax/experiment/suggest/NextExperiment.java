package org.parallax.experiment.suggest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.emf.ecore.util.EcoreUtil;
import org.parallax.experiment.design.DesignRequest;
import org.parallax.experiment.effects.Diagnosis;
import org.parallax.experiment.effects.Proposal;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;

/** Makes of an experiment the one that its proposals ask for, as far as that can be done for people. */
public final class NextExperiment {
  private NextExperiment() {}

  /**
   * Copies an experiment without its trials. Factors to drop, or to hold at their low
   * level, are left out, so that they stay without treatment; a foldover and replicates are added. What needs a person's decision
   * (where to refine, which levels to search) is left as it is.
   *
   * @return with its design made
   */
  public static Experiment of(Experiment experiment, Diagnosis diagnosis) {
    Experiment next = EcoreUtil.copy(experiment);
    next.getTrials().clear();
    next.setSeed(experiment.getSeed() + 1);
    Set<String> without = new HashSet<>();
    boolean foldover = false;
    for (Proposal proposal : Proposal.of(diagnosis)) {
      switch (proposal.action()) {
        case DROP -> without.addAll(proposal.factors());
        case HOLD -> {
          if (diagnosis.masking().level() < 0) {
            without.addAll(proposal.factors());
          }
        }
        case FOLDOVER -> foldover = true;
        case REPLICATE -> next.setReplicates(Math.max(2, 2 * experiment.getReplicates()));
        default -> {
          // A person decides.
        }
      }
    }
    List<Factor> kept = new ArrayList<>(next.getFactors());
    kept.removeIf(factor -> without.contains(factor.getName()));
    boolean fewer = !kept.isEmpty() && kept.size() < next.getFactors().size();
    if (fewer) {
      next.getFactors().retainAll(kept);
    }
    String before = next.getDesign() == null ? "" : next.getDesign();
    DesignRequest request = fewer ? DesignRequest.of(DesignRequest.Kind.USUAL)
        : DesignRequest.parse(foldover && !before.contains("foldover")
            ? (before.isEmpty() ? "usual" : before) + "; foldover" : before);
    next.setDesign(request.text());
    ExperimentData.setDesign(next, request.make(
        next.getFactors().stream().map(Factor::getName).toList(), next.getLevels()).design());
    return next;
  }
}
