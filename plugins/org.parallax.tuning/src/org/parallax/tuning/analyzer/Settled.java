package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Changes that are not to be proposed again while the program does the same. */
final class Settled {
  /** Why a change is settled. */
  enum Why {
    /** It was only advised, so it may be tried once actions are done. */
    ADVISED,
    /** It was tried and has helped. */
    HELPED,
    /** It was tried and did not help, so that it may after a change by another model. */
    FAILED,
    /** It was undone from outside, as by a person. */
    UNDONE
  }

  private record Entry(Change change, Workload workload, Why why) {
  }

  private final List<Entry> entries = new ArrayList<>();
  private final Set<String> helped = new HashSet<>();

  void add(Change change, Workload workload, Why why) {
    entries.add(new Entry(change, workload, why));
  }

  /** @return whether the change is settled for this workload; what was settled for another is forgotten */
  boolean has(Change change, Workload workload) {
    if (entries.removeIf(entry -> entry.workload().differs(workload))) {
      helped.clear();
    }
    return entries.stream().anyMatch(entry -> entry.change().isLike(change));
  }

  void remove(Change change) {
    entries.removeIf(entry -> entry.change().isLike(change));
  }

  /**
   * An action of another model has helped: what has failed before may help now. This holds once for each model, so that two
   * models do not keep each other busy.
   *
   * @return whether something may be tried again
   */
  boolean retryAfter(String model) {
    return helped.add(model) && entries.removeIf(entry -> entry.why() == Why.FAILED);
  }

  /** Actions are done from now on: what was only advised may be tried. */
  void removeAdvised() {
    entries.removeIf(entry -> entry.why() == Why.ADVISED);
  }
}
