package org.parallax.experiment.effects;

import java.util.List;

/**
 * What to do in the next experiment.
 *
 * @param factors names of those that it is about; empty for all
 * @param reason a sentence with the numbers
 */
public record Proposal(Action action, List<String> factors, String reason) {
  /** What is to be done. */
  public enum Action {
    /** Set the factor to a level for all trials. */
    HOLD,
    /** Improve the code there, or look closer: points within it. */
    REFINE,
    /** Look for the best delay, with more levels. */
    SEARCH,
    /** Nothing yet; it may matter. */
    KEEP,
    /** It does not matter. */
    DROP,
    /** Run the same settings with these factors reversed: aliased effects come apart. */
    FOLDOVER,
    /** More levels: the response is not linear. */
    MORE_LEVELS,
    /** More replicates. */
    REPLICATE,
    /** Smaller blocks. */
    BLOCK
  }

  /** Proposes what to do next, the most important first. */
  public static List<Proposal> of(Diagnosis diagnosis) {
    return new ProposalBuilder(diagnosis).proposals();
  }
}
