package org.parallax.ui.timeline;

import java.util.List;
import java.util.Set;
import org.parallax.analysis.Phase;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.Procedure;
import org.parallax.ui.session.OpenSession;

/**
 * What is to be drawn. Immutable.
 *
 * @param laneHeight as it is wanted
 * @param window the part of the time
 * @param all all of the time
 * @param scroll how many points of the rows are above what is in sight
 * @param current the row that the keyboard is at
 * @param selected the threads that are selected, by their index in the timeline
 * @param procedure that is looked at, or null
 * @param phase that is selected, or null
 * @param phases those that were defined
 * @param detail how much care the picture takes
 * @param frame where the run stands among others
 */
record TimelineScene(ProgramTimeline timeline, Lanes lanes, LaneHeight laneHeight, TimeWindow window,
    TimeWindow all, int scroll, int current, Set<Integer> selected, Procedure procedure, Phase phase,
    List<Phase> phases, boolean showsMessages, boolean showsPath, Detail detail,
    RunFrame frame) {
  /** A moment of the run as it is told: since the one at which runs are aligned. */
  long told(long ns) {
    return ns - frame.originNs();
  }

  /** A part of the time as it is told. */
  TimeWindow told(TimeWindow part) {
    return part.later(-frame.originNs());
  }

  /** Whether a timeline is of the same traces, which were read again while their programs run. */
  boolean isOlderReadingOf(ProgramTimeline other) {
    OpenSession session = OpenSession.current();
    return timeline != other && session.isUpdate(session.state())
        && timeline.workload().traceNames().equals(other.workload().traceNames());
  }

  /** Another part of the picture. */
  TimelineScene at(TimeWindow part, LaneHeight height, int scrolled, int row, Detail care) {
    return new TimelineScene(timeline, lanes, height, part, all, scrolled, row, selected, procedure,
        phase, phases, showsMessages, showsPath, care, frame);
  }

  TimelineScene with(Procedure looked) {
    return new TimelineScene(timeline, lanes, laneHeight, window, all, scroll, current, selected,
        looked, phase, phases, showsMessages, showsPath, detail, frame);
  }

  TimelineScene with(RunDifferences found) {
    return new TimelineScene(timeline, lanes, laneHeight, window, all, scroll, current, selected,
        procedure, phase, phases, showsMessages, showsPath, detail, frame.with(found));
  }

  TimelineScene withLines(boolean messages, boolean path) {
    return new TimelineScene(timeline, lanes, laneHeight, window, all, scroll, current, selected,
        procedure, phase, phases, messages, path, detail, frame);
  }
}
