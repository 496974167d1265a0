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
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.compare.ProcedureDifferences;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/** Compares the profiles of runs with that of one of them, each with its repetitions. */
final class DifferencesJob extends Job {
  private static final double CONFIDENCE = 0.95;

  private final AlignedRuns runs;
  private final Map<TimelineRun, List<ApplicationAnalysis>> repetitions;
  private final Listener listener;

  /** Is told on the UI thread. */
  interface Listener {
    /** A run was compared. */
    void found(DifferencesJob by, TimelineRun run, RunDifferences differences);

    /** @param isComplete whether all runs were compared; else the job was cancelled, or a trace closed */
    void ended(DifferencesJob by, boolean isComplete);
  }

  /**
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
      List<Table> before = profiles(base, progress);
      for (TimelineRun run : runs.runs()) {
        if (run != base && !repetitions.get(run).equals(repetitions.get(base))) {
          RunDifferences found = compare(base, before, run, progress);
          UiThread.later(() -> listener.found(this, run, found));
        }
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

  private List<Table> profiles(TimelineRun run, Progress progress) {
    List<Table> tables = new ArrayList<>();
    for (ApplicationAnalysis each : repetitions.get(run)) {
      tables.add(ProfileReport.of(each, Level.PROCEDURE, null, progress));
    }
    return tables;
  }

  private RunDifferences compare(
      TimelineRun base, List<Table> before, TimelineRun run, Progress progress) {
    ProcedureMatching matching = new ProcedureMatching(
        repetitions.get(base).stream().map(ApplicationAnalysis::application).toList(),
        repetitions.get(run).stream().map(ApplicationAnalysis::application).toList());
    Table difference = ComparisonReport.of(new ComparisonReport.RunTables(base.name(), before),
        new ComparisonReport.RunTables(run.name(), profiles(run, progress)), matching,
        new ComparisonReport.Options("time", CONFIDENCE, true, 0));
    return RunDifferences.of(run.timeline(), base.name(), ProcedureDifferences.of(difference, matching));
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == OpenSession.current();
  }
}
