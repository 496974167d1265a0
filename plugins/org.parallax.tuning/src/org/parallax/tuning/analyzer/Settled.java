package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Changes that are not to be proposed again while the program does the same. */
final class Settled {
  private record Entry(Change change, Workload workload, boolean hasFailed) {
  }

  private final List<Entry> entries = new ArrayList<>();
  private final Set<String> helped = new HashSet<>();

  /** @param hasFailed whether it was tried and did not help, so that it may after another change */
  void add(Change change, Workload workload, boolean hasFailed) {
    entries.add(new Entry(change, workload, hasFailed));
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
    return helped.add(model) && entries.removeIf(Entry::hasFailed);
  }

  void clear() {
    entries.clear();
    helped.clear();
  }
}
