package org.parallax.ui.timeline;

import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.compare.Change;
import org.parallax.analysis.compare.PhaseDifferences.Occurrence;
import org.parallax.analysis.compare.ProcedureDifferences;
import org.parallax.analysis.compare.WaitDifferences;
import org.parallax.analysis.timeline.ProgramTimeline;

/**
 * By which states and phases a run differs from another one beyond noise.
 *
 * @param base the name of the other run; empty if this one is not compared
 * @param byState of the procedures, then of the waits
 * @param waits the first state that is a wait
 * @param phases those that the program names
 */
record RunDifferences(String base, Change[] byState, int waits, PhaseRows phases) {
  static RunDifferences of(ProgramTimeline timeline, String base, ProcedureDifferences procedures,
      WaitDifferences waits, PhaseRows phases) {
    Change[] changes = new Change[timeline.stateCount()];
    for (int state = 0; state < changes.length; state++) {
      changes[state] = timeline.wait(state) != null ? waits.of(timeline.wait(state))
          : procedures.of(timeline.workload().procedures().get(state));
    }
    return new RunDifferences(base, changes, timeline.workload().procedures().count(), phases);
  }

  /** Of the run with which others are compared, or of one that repeats it. */
  static RunDifferences none(PhaseRows phases) {
    return new RunDifferences("", new Change[0], 0, phases);
  }

  /** @return null for a state that does not differ */
  Change of(int state) {
    return state < 0 || state >= byState.length ? null : byState[state];
  }

  /** A difference in few characters, empty for none: a sign that shows the direction, and by how much. */
  String mark(int state) {
    return mark(of(state));
  }

  static String mark(Change change) {
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
    boolean isWait = state >= waits;
    return words(change, change.isSlower() ? isWait ? Messages.differenceMoreWaiting : Messages.differenceSlower
        : isWait ? Messages.differenceLessWaiting : Messages.differenceFaster,
        isWait ? Messages.differenceOneRunMeasured : Messages.differenceOneRun);
  }

  private String words(Change change, String text, String ofOneRun) {
    String told = NLS.bind(text, new Object[] {base, TimeAxis.length(Math.round(change.newNs())),
        TimeAxis.length(Math.round(change.baseNs())), percent(change)});
    return change.isOneRun() ? told + "\n" + ofOneRun : told;
  }

  /** An occurrence of a phase in words. */
  String words(Occurrence phase) {
    String told = NLS.bind(Messages.phaseLasts, PhaseRows.name(phase), TimeAxis.length(phase.lengthNs()));
    Change change = phase.change();
    return change == null ? told
        : told + "\n" + (change.baseNs() == 0 ? NLS.bind(Messages.phaseNew, base)
            : words(change, change.isSlower() ? Messages.phaseLonger : Messages.phaseShorter,
                Messages.differenceOneRunMeasured));
  }
}
