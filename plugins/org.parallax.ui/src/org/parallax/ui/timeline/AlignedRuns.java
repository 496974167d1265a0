package org.parallax.ui.timeline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.Alignment;
import org.parallax.analysis.compare.OtherRun;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.Application;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.ProgramTree;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.ui.session.RunAlignment;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.session.TraceNames;

/**
 * The runs that are shown below each other with a common axis of time.
 *
 * @param runs in the order of their opening
 * @param reference the position of the one that is selected, in whose time the selection is
 * @param base the position of the one with which others are compared
 * @param phases the names of the phases by which they can be aligned: of any of them
 */
record AlignedRuns(List<TimelineRun> runs, int reference, int base, List<String> phases) {
  /** More are not shown below each other. */
  static final int MOST = 8;

  /**
   * Finds where the runs are; can read their events.
   *
   * @param selected the analysis that is selected
   * @param others whether the other open runs are shown, too
   * @param baseline the traces that a person compares others with
   * @param only whether only threads of the selection are shown
   * @param arrangement of their lanes
   */
  static AlignedRuns of(ApplicationAnalysis selected, Selection selection, SessionState state,
      boolean others, Set<Path> baseline, boolean only, LaneArrangement arrangement,
      Progress progress) {
    List<ProgramThread> threads = selection.nodes().stream()
        .flatMap(node -> node.threads().stream()).toList();
    List<ApplicationAnalysis> shown = others ? shown(selected, state, baseline) : List.of(selected);
    List<RunAlignment.Origin> origins = shown.size() == 1
        ? List.of(new RunAlignment.Origin(0, true))
        : state.alignment().origins(shown, state, progress);
    Map<Trace, String> names = TraceNames.of(state.traces());
    List<TimelineRun> runs = new ArrayList<>();
    TreeSet<String> phases = new TreeSet<>();
    for (int i = 0; i < shown.size(); i++) {
      ApplicationAnalysis run = shown.get(i);
      ProgramTimeline timeline = run.timeline();
      timeline.beginNs();
      List<ProgramThread> wanted = !only ? null : run == selected ? threads
          : same(selection, run.application());
      // Metrics count in the part of the time that is selected.
      ApplicationAnalysis measured = !arrangement.needsValues() ? run : run.during(OtherRun.moved(
          selection.phase(), origins.get(i).ns() - origins.get(shown.indexOf(selected)).ns()));
      runs.add(new TimelineRun(run, timeline,
          arrangement.lanes(measured, timeline, wanted, progress),
          name(run.application(), names), origins.get(i)));
      if (shown.size() > 1) {
        phases.addAll(Alignment.phases(run, state.phases(run)));
      }
    }
    int base = 0;
    for (int i = shown.size() - 1; i >= 0; i--) {
      if (baseline.contains(shown.get(i).application().getTrace().directory())) {
        base = i;
      }
    }
    return new AlignedRuns(
        List.copyOf(runs), shown.indexOf(selected), base, List.copyOf(phases));
  }

  /** The name of a program, which several runs share; sessions tell such applications apart by their traces. */
  static String program(Application application) {
    return application.getName().replaceFirst("@[^@]*$", "");
  }

  private static String name(Application application, Map<Trace, String> traces) {
    String trace = traces.get(application.getTrace());
    return trace == null ? application.getName()
        : NLS.bind(Messages.runOfTrace, program(application), trace);
  }

  /** The selected run and the base are always among them. */
  private static List<ApplicationAnalysis> shown(
      ApplicationAnalysis selected, SessionState state, Set<Path> baseline) {
    Set<ApplicationAnalysis> all = new LinkedHashSet<>();
    ApplicationAnalysis base = null;
    for (Application application : state.session().getApplications()) {
      ApplicationAnalysis run = selected.applications().contains(application) ? selected
          : state.analyses().of(application);
      all.add(run);
      if (base == null && baseline.contains(application.getTrace().directory())) {
        base = run;
      }
    }
    Set<ApplicationAnalysis> chosen = new HashSet<>(Set.of(selected));
    if (base != null) {
      chosen.add(base);
    }
    for (ApplicationAnalysis run : all) {
      if (chosen.size() < MOST) {
        chosen.add(run);
      }
    }
    return all.stream().filter(chosen::contains).toList();
  }

  /** The threads of another run that correspond to those that are selected. */
  private static List<ProgramThread> same(Selection selection, Application application) {
    return selection.nodes().stream()
        .flatMap(node -> OtherRun.node(node, ProgramTree.logical(application)).threads().stream())
        .toList();
  }

  TimelineRun baseRun() {
    return runs.get(base);
  }

  TimelineRun selected() {
    return runs.get(reference);
  }

  /** By how much moments of a run are later in the time of the selected one. */
  long toSelectedNs(TimelineRun run) {
    return selected().origin().ns() - run.origin().ns();
  }

  /** Where a run stands among these. */
  RunFrame frame(TimelineRun run) {
    if (runs.size() == 1) {
      return RunFrame.alone(run.timeline());
    }
    long beginNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    for (TimelineRun each : runs) {
      beginNs = Math.min(beginNs, each.timeline().beginNs() - each.origin().ns());
      endNs = Math.max(endNs, each.timeline().endNs() - each.origin().ns());
    }
    return new RunFrame(run.origin().ns(),
        new TimeWindow(beginNs, endNs).later(run.origin().ns()),
        runs.stream().map(TimelineRun::lanes).toList(),
        run == runs.get(0) ? null : runs.get(0).timeline(), null);
  }
}
