package org.parallax.ui.timeline;

import java.util.List;
import org.parallax.analysis.timeline.ProgramTimeline;

/**
 * Where a timeline stands among those of other runs that are shown above and below it. Immutable.
 *
 * @param originNs the moment of the run that is told as time 0
 * @param all the time of all runs, in the time of this one
 * @param beside the lanes of the other runs: all names get the same room
 * @param differences from the run with which this one is compared, and its phases; null while they are not known
 * @param colorsOf the timeline whose states have the colours that this one takes over; null for none
 */
record RunFrame(long originNs, TimeWindow all, List<Lanes> beside, ProgramTimeline colorsOf,
    RunDifferences differences) {
  /** Of a run that is shown alone. */
  static RunFrame alone(ProgramTimeline timeline) {
    return new RunFrame(0, new TimeWindow(timeline.beginNs(), timeline.endNs()), List.of(), null, null);
  }

  RunFrame with(RunDifferences found) {
    return new RunFrame(originNs, all, beside, colorsOf, found);
  }

  /** How many rows of phases are above the lanes. */
  int phaseRows() {
    return differences == null ? 0 : differences.phases().count();
  }

  boolean isAlone() {
    return beside.isEmpty();
  }
}
