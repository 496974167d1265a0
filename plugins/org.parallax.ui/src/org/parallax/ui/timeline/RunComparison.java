package org.parallax.ui.timeline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.model.program.Application;
import org.parallax.trace.Trace;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;

/**
 * Marks in the timelines of several runs by what they differ from one of them. Runs are compared again when the base,
 * the runs, or their open repetitions are others, and when the last comparison was cancelled. On the UI thread only.
 */
final class RunComparison {
  private final Supplier<List<TimelineStrip>> strips;
  private DifferencesJob job;
  /** What is compared: of each run its repetitions, with those of the base first; empty for nothing. */
  private List<List<ApplicationAnalysis>> compared = List.of();

  /** @param strips those that show a run */
  RunComparison(Supplier<List<TimelineStrip>> strips) {
    this.strips = strips;
  }

  /**
   * Marks the differences, unless that is being done or was done.
   *
   * @param runs null for none, so that nothing is marked
   */
  void compare(AlignedRuns runs) {
    Map<TimelineRun, List<ApplicationAnalysis>> repetitions = new LinkedHashMap<>();
    List<List<ApplicationAnalysis>> now = new ArrayList<>();
    if (runs != null && runs.runs().size() > 1) {
      runs.runs().forEach(run -> repetitions.put(run, repetitions(run)));
      now.add(repetitions.get(runs.baseRun()));
      now.addAll(repetitions.values());
    }
    if (now.equals(compared)) {
      return;
    }
    cancel();
    compared = now;
    strips.get().forEach(each -> each.setDifferences(null));
    if (!now.isEmpty()) {
      job = new DifferencesJob(runs, repetitions, new DifferencesJob.Listener() {
        @Override
        public void found(DifferencesJob by, TimelineRun run, RunDifferences differences) {
          if (by == job) {
            show(run, differences);
          }
        }

        @Override
        public void ended(DifferencesJob by, boolean isComplete) {
          if (by == job) {
            job = null;
            compared = isComplete ? compared : List.of();
          }
        }
      });
      job.schedule();
    }
  }

  private void show(TimelineRun run, RunDifferences differences) {
    strips.get().stream().filter(each -> each.run().timeline() == run.timeline()
        && !each.control().canvas().isDisposed()).forEach(each -> each.setDifferences(differences));
  }

  /** The open runs that repeat a run, with itself. */
  private static List<ApplicationAnalysis> repetitions(TimelineRun run) {
    SessionState state = OpenSession.current().state();
    Application own = run.analysis().application();
    Set<Path> traces = OpenSession.current().runs().repetitions(own.getTrace().directory());
    List<ApplicationAnalysis> all = new ArrayList<>();
    for (Application each : state.isOpen() ? state.session().getApplications() : List.of(own)) {
      boolean isRepetition = traces.contains(each.getTrace().directory())
          && each.getTrace() != own.getTrace()
          && AlignedRuns.program(each).equals(AlignedRuns.program(own));
      if (each == own || isRepetition) {
        all.add(state.analyses().of(each));
      }
    }
    return all;
  }

  /** Keeps nothing of traces that are no longer open. */
  void forgetUnless(List<Trace> open) {
    if (compared.stream().flatMap(List::stream)
        .anyMatch(each -> !open.containsAll(each.workload().traces()))) {
      cancel();
    }
  }

  /** The job that compares; null for none. */
  DifferencesJob job() {
    return job;
  }

  /** Compares no longer, and keeps nothing of what was compared. */
  void cancel() {
    compared = List.of();
    if (job != null) {
      job.cancel();
      job = null;
    }
  }
}
