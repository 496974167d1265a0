package org.parallax.analysis.compare;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.replay.WaitState;

/** In which waits the threads of some runs lose more or less time than those of others, by more than noise. */
public final class WaitDifferences {
  private final Map<WaitState, Change> byState = new EnumMap<>(WaitState.class);

  private WaitDifferences() {}

  /**
   * Compares runs.
   *
   * @param base of each run the time of all threads in each wait, in nanoseconds by {@link WaitState#ordinal}
   * @param leastNs differences below it are left out
   */
  public static WaitDifferences of(
      List<long[]> base, List<long[]> other, double confidence, double leastNs) {
    WaitDifferences found = new WaitDifferences();
    for (WaitState state : WaitState.values()) {
      Change change = Change.of(times(base, state), times(other, state), confidence, leastNs);
      if (change != null) {
        found.byState.put(state, change);
      }
    }
    return found;
  }

  private static double[] times(List<long[]> runs, WaitState state) {
    return runs.stream().mapToDouble(sums -> sums[state.ordinal()]).toArray();
  }

  /** @return by what a wait of the new runs differs; null if it does not */
  public Change of(WaitState state) {
    return byState.get(state);
  }
}
