package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.Alignment;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/**
 * How views show runs that did not run together beside each other: which moments are the same one, and by how much
 * a person has shifted single runs. Immutable.
 *
 * @param shiftsNs by trace; a run that is shifted by something is shown that much later
 */
public record RunAlignment(Alignment kind, Map<Path, Long> shiftsNs) {
  /** Runs begin at the same moment. */
  public static final RunAlignment START = new RunAlignment(Alignment.START, Map.of());

  public RunAlignment {
    shiftsNs = Map.copyOf(shiftsNs);
  }

  public RunAlignment with(Alignment other) {
    return new RunAlignment(other, shiftsNs);
  }

  /** @param byNs is added to what the trace is shifted by */
  public RunAlignment shifted(Trace trace, long byNs) {
    Map<Path, Long> changed = new HashMap<>(shiftsNs);
    changed.merge(trace.directory(), byNs, Long::sum);
    changed.values().removeIf(ns -> ns == 0);
    return new RunAlignment(kind, changed);
  }

  /** No run is shifted. */
  public RunAlignment reset() {
    return new RunAlignment(kind, Map.of());
  }

  public long shiftNs(Trace trace) {
    return shiftsNs.getOrDefault(trace.directory(), 0L);
  }

  /**
   * Where the common time 0 is in the time of a run.
   *
   * @param isFound whether the run has the moment; else its begin is taken instead
   */
  public record Origin(long ns, boolean isFound) {
  }

  /** Finds the common time 0 of a run; can read its events. */
  public Origin origin(ApplicationAnalysis run, SessionState state, Progress progress) {
    OptionalLong moment = kind.momentNs(
        run, () -> state.analyses().phases(run, progress), state.phases(run));
    return new Origin(moment.orElseGet(() -> Alignment.beginNs(run))
        - shiftNs(run.application().getTrace()), moment.isPresent());
  }

  /**
   * The common time 0 of several runs; can read their events. Runs that are where they were count from time 0 of the
   * earliest one.
   */
  public List<Origin> origins(
      List<ApplicationAnalysis> runs, SessionState state, Progress progress) {
    List<Origin> found = new ArrayList<>();
    long earliestNs = Long.MIN_VALUE;
    for (ApplicationAnalysis run : runs) {
      Origin origin = origin(run, state, progress);
      found.add(origin);
      earliestNs = Math.max(earliestNs, origin.ns() + shiftNs(run.application().getTrace()));
    }
    long byNs = kind.by() == Alignment.By.TIME ? earliestNs : 0;
    return found.stream().map(each -> new Origin(each.ns() - byNs, each.isFound())).toList();
  }
}
