package org.parallax.analysis.timeline;

import org.parallax.analysis.internal.CompactLongs;
import org.parallax.analysis.internal.IntList;

/** How long a thread was in which state, of each of the steps of an index; 8 bytes for each. */
final class StepSums {
  private final IntList firsts = new IntList();
  private final IntList states = new IntList();
  private final CompactLongs times = new CompactLongs();

  StepSums() {
    firsts.add(0);
  }

  /** Appends a step. */
  void add(StateTimes step) {
    for (int state : step.states()) {
      states.add(state);
      times.add(step.ns(state));
    }
    firsts.add((int) states.size());
  }

  /** @return how many steps there are */
  long size() {
    return firsts.size() - 1;
  }

  /** Adds the time of a step, or a share of it. */
  void addTo(StateTimes sums, int step, double share) {
    int end = firsts.get(step + 1);
    for (int i = firsts.get(step); i < end; i++) {
      sums.add(states.get(i), part(times.get(i), share));
    }
  }

  private static long part(long ns, double share) {
    return share == 1 ? ns : Math.round(ns * share);
  }
}
