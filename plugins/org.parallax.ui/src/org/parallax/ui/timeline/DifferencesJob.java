package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.Change;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.compare.PhaseDifferences;
import org.parallax.analysis.compare.ProcedureDifferences;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.compare.WaitDifferences;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.Analyses;
import org.parallax.ui.session.OpenSession;

/** Compares procedures, waits and phases of runs with those of one of them, each with its repetitions. */
final class DifferencesJob extends Job {
  private static final double CONFIDENCE = 0.95;

  private final AlignedRuns runs;
  private final Map<TimelineRun, List<ApplicationAnalysis>> repetitions;
  private final Listener listener;
  /** Those of the session when the job was made: later ones are not to know traces that were closed meanwhile. */
  private final Analyses analyses = OpenSession.current().state().analyses();

  /** Is told on the UI thread. */
  interface Listener {
    /** A run was compared, or is the one with which others are. */
    void found(DifferencesJob by, TimelineRun run, RunDifferences differences);

    /** @param isComplete whether all runs were compared; else the job was cancelled, or a trace closed */
    void ended(DifferencesJob by, boolean isComplete);
  }

  /**
   * On the UI thread.
   *
   * @param repetitions of each run its analyses, itself among them
   */
  DifferencesJob(AlignedRuns runs, Map<TimelineRun, List<ApplicationAnalysis>> repetitions,
      Listener listener) {
    super(Messages.differencesJob);
    this.runs = runs;
    this.repetitions = repetitions;
    this.listener = listener;
    addJobChangeListener(new JobChangeAdapter() {
      @Override
      public void done(IJobChangeEvent event) {
        boolean isComplete = event.getResult().isOK();
        UiThread.later(() -> listener.ended(DifferencesJob.this, isComplete));
      }
    });
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    Progress progress = new JobProgress(getName(), monitor);
    try {
      TimelineRun base = runs.baseRun();
      Side before = side(base, progress);
      for (TimelineRun run : runs.runs()) {
        boolean isCompared = run != base && !repetitions.get(run).equals(repetitions.get(base));
        RunDifferences found = isCompared ? compare(base, before, run, progress)
            : RunDifferences.none(PhaseRows.of(PhaseDifferences.of(phases(run.analysis(), progress))));
        UiThread.later(() -> listener.found(this, run, found));
      }
      return Status.OK_STATUS;
    } catch (CancellationException | OperationCanceledException e) {
      return Status.CANCEL_STATUS;
    } catch (RuntimeException e) {
      // A trace that was closed meanwhile is no fault.
      boolean isFault = repetitions.values().stream().flatMap(List::stream).allMatch(each ->
          OpenSession.current().state().traces().containsAll(each.workload().traces()));
      if (!isFault) {
        return Status.CANCEL_STATUS;
      }
      UiLog.log(e.getMessage(), e);
      return Status.OK_STATUS;
    }
  }

  /** What is compared of a run and its repetitions. */
  private record Side(List<Table> profiles, List<long[]> waitNs, List<ProgramPhases> phases) {
    /** The time of all threads of the run that took most. */
    double mostNs() {
      return profiles.stream().mapToLong(Table::total).max().orElse(0);
    }
  }

  private Side side(TimelineRun run, Progress progress) {
    Side side = new Side(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (ApplicationAnalysis each : repetitions.get(run)) {
      side.profiles.add(ProfileReport.of(each, Level.PROCEDURE, null, progress));
      side.waitNs.add(each.timeline().waitNs(progress));
      side.phases.add(phases(each, progress));
    }
    return side;
  }

  private ProgramPhases phases(ApplicationAnalysis run, Progress progress) {
    progress.check();
    return analyses.phases(run, progress);
  }

  private RunDifferences compare(TimelineRun base, Side before, TimelineRun run, Progress progress) {
    Side now = side(run, progress);
    ProcedureMatching matching = new ProcedureMatching(
        repetitions.get(base).stream().map(ApplicationAnalysis::application).toList(),
        repetitions.get(run).stream().map(ApplicationAnalysis::application).toList());
    Table difference = ComparisonReport.of(new ComparisonReport.RunTables(base.name(), before.profiles),
        new ComparisonReport.RunTables(run.name(), now.profiles), matching,
        new ComparisonReport.Options("time", CONFIDENCE, true, 0));
    double leastNs = Change.LEAST_OF_RUN * Math.max(before.mostNs(), now.mostNs());
    ProgramTimeline timeline = run.timeline();
    return RunDifferences.of(timeline, base.name(), ProcedureDifferences.of(difference, matching),
        WaitDifferences.of(before.waitNs, now.waitNs, CONFIDENCE, leastNs),
        PhaseRows.of(PhaseDifferences.of(phases(run.analysis(), progress), before.phases, now.phases,
            CONFIDENCE, Change.LEAST_OF_RUN * (timeline.endNs() - timeline.beginNs()))));
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == OpenSession.current();
  }
}
