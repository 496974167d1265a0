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

  /** How often a change is tried again whose trial looked good but was spoilt by noise, and after which time at first. */
  private static final int MOST_AGAIN = 2;
  private static final long AGAIN_NS = 15_000_000_000L;

  /** @param untilNs when it may be proposed again, though the workload is the same */
  private record Entry(Change change, Workload workload, Why why, long untilNs) {
  }

  private final List<Entry> entries = new ArrayList<>();
  private final Set<String> helped = new HashSet<>();

  void add(Change change, Workload workload, Why why) {
    entries.add(new Entry(change, workload, why, Long.MAX_VALUE));
  }

  /** A trial in which it looked better, but not surely: it is settled for a time only, twice. */
  void addUndecided(Change change, Workload workload, long nowNs) {
    long before = entries.stream().filter(entry -> entry.why() == Why.FAILED && entry.change().isLike(change)).count();
    entries.add(new Entry(change, workload, Why.FAILED, before < MOST_AGAIN ? nowNs + (AGAIN_NS << before) : Long.MAX_VALUE));
  }

  /** @return whether the change is settled for this workload; what was settled for another is forgotten */
  boolean has(Change change, Workload workload, long nowNs) {
    if (entries.removeIf(entry -> entry.workload().differs(workload))) {
      helped.clear();
    }
    return entries.stream().anyMatch(entry -> entry.untilNs() > nowNs && entry.change().isLike(change));
  }

  /** @return whether the change is settled for this workload; forgets nothing, as one judgement can be an exception */
  boolean knows(Change change, Workload workload, long nowNs) {
    return entries.stream()
        .anyMatch(entry -> entry.untilNs() > nowNs && !entry.workload().differs(workload) && entry.change().isLike(change));
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
