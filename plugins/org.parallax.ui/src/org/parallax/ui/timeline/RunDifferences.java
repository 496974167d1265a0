package org.parallax.ui.timeline;

import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.compare.ProcedureDifferences;
import org.parallax.analysis.compare.ProcedureDifferences.Change;
import org.parallax.analysis.timeline.ProgramTimeline;

/**
 * By which states a timeline differs from that of another run beyond noise.
 *
 * @param base the name of the other run
 */
record RunDifferences(String base, Change[] byState) {
  static RunDifferences of(
      ProgramTimeline timeline, String base, ProcedureDifferences differences) {
    Change[] changes = new Change[timeline.stateCount()];
    for (int state = 0; state < changes.length; state++) {
      changes[state] = timeline.wait(state) != null ? null
          : differences.of(timeline.workload().procedures().get(state));
    }
    return new RunDifferences(base, changes);
  }

  /** @return null for a state that does not differ */
  Change of(int state) {
    return state < 0 || state >= byState.length ? null : byState[state];
  }

  /** A difference in few characters, empty for none: a sign that shows the direction, and by how much. */
  String mark(int state) {
    Change change = of(state);
    return change == null ? "" : (change.isSlower() ? "\u25b2 " : "\u25bc ") + percent(change);
  }

  private static String percent(Change change) {
    double share = change.share();
    return Double.isNaN(share) ? Messages.differenceNew
        : (share > 0 ? "+" : "\u2212") + Math.round(100 * Math.abs(share)) + " %";
  }

  /** A difference in words, empty for none. */
  String words(int state) {
    Change change = of(state);
    if (change == null) {
      return "";
    }
    String told = NLS.bind(change.isSlower() ? Messages.differenceSlower : Messages.differenceFaster,
        new Object[] {base, TimeAxis.length(Math.round(change.newNs())),
            TimeAxis.length(Math.round(change.baseNs())), percent(change)});
    return change.isOneRun() ? told + "\n" + Messages.differenceOneRun : told;
  }
}
