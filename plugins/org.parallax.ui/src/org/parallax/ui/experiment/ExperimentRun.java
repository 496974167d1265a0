package org.parallax.ui.experiment;

import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.emf.ecore.util.EcoreUtil;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.table.Table;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.ExperimentRunner;
import org.parallax.experiment.run.Pilot;
import org.parallax.experiment.run.TrialTables;
import org.parallax.model.Experiment;
import org.parallax.model.Trial;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;

/** Runs an experiment; what was made is kept when it is cancelled. */
public final class ExperimentRun extends Job implements ExperimentRunner.Listener {
  /** How far it is. */
  public enum State { RUNNING, DONE, CANCELLED, FAILED }

  /**
   * What there is to see of a run.
   *
   * @param trials null before the first one
   * @param remainingNs about how long the rest takes; -1 when not known
   * @param message what went wrong, or empty
   */
  public record Snapshot(State state, Table trials, int done, int all, long remainingNs, Pilot pilot,
      String message) {
  }

  private final Path file;
  private final boolean force;
  private Experiment experiment;
  private volatile Snapshot snapshot =
      new Snapshot(State.RUNNING, null, 0, 0, -1, null, "");

  ExperimentRun(Path file, boolean force) {
    super(NLS.bind(Messages.runJob, file.getFileName()));
    this.file = file;
    this.force = force;
    setUser(false);
  }

  public Path file() {
    return file;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  public boolean isRunning() {
    return snapshot.state() == State.RUNNING;
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    try {
      experiment = ExperimentFile.read(file);
      if (experiment.getRuns().isEmpty()) {
        throw new ExperimentException(Messages.noDesign);
      }
      show(State.RUNNING, -1, null, "");
      new ExperimentRunner(file, experiment, NativeTools.find())
          .run(force, this, new JobProgress(getName(), monitor));
      show(State.DONE, 0, snapshot.pilot(), "");
    } catch (CancellationException | OperationCanceledException e) {
      show(State.CANCELLED, -1, snapshot.pilot(), "");
      return Status.CANCEL_STATUS;
    } catch (ExperimentException | TraceException e) {
      show(monitor.isCanceled() ? State.CANCELLED : State.FAILED, -1, snapshot.pilot(),
          Texts.sentence(e.getMessage()));
    } catch (RuntimeException e) {
      UiLog.log(e.toString(), e);
      show(State.FAILED, -1, snapshot.pilot(), NLS.bind(Messages.runFault, e));
    }
    return Status.OK_STATUS;
  }

  private void show(State state, long remainingNs, Pilot pilot, String message) {
    Table trials = experiment == null ? null
        : TrialTables.trials(file.toString(), EcoreUtil.copy(experiment));
    int all = experiment == null ? 0 : experiment.getTrials().size();
    int done = experiment == null ? 0 : (int) experiment.getTrials().stream()
        .filter(trial -> !trial.getMeasurements().isEmpty()).count();
    snapshot = new Snapshot(state, trials, done, all, remainingNs, pilot, message);
    UiThread.later(() -> {
      Experiments.get().tell(this);
      Experiments.get().written(file);
    });
  }

  @Override
  public void made(Trial trial, int done, int all, long remainingNs) {
    show(State.RUNNING, remainingNs, snapshot.pilot(), "");
  }

  @Override
  public void failed(Trial trial, String failure) {
    show(State.RUNNING, snapshot.remainingNs(), snapshot.pilot(),
        NLS.bind(Messages.trialFailed, Texts.sentence(failure)));
  }

  @Override
  public void piloted(Pilot pilot) {
    show(State.RUNNING, snapshot.remainingNs(), pilot, "");
  }

  @Override
  public boolean belongsTo(Object other) {
    return other == Experiments.family();
  }
}
