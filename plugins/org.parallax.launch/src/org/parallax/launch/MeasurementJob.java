package org.parallax.launch;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.eclipse.core.resources.IContainer;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.model.IProcess;
import org.eclipse.osgi.util.NLS;
import org.parallax.launch.tuning.LaunchTuning;
import org.parallax.record.CommandLine;
import org.parallax.record.LaunchPlan.PlannedApplication;
import org.parallax.record.LaunchRun;
import org.parallax.record.RecordException;
import org.parallax.record.Recording;
import org.parallax.record.TraceWatch;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Background;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;

/**
 * Runs a launch, tells meanwhile what has arrived, and opens what was recorded. Cancelling it ends
 * the programs; their traces stay.
 */
public final class MeasurementJob extends Job {
  /** To which all jobs of this kind belong. */
  public static final Object FAMILY = new Object();

  private static final long POLL_MS = 500;

  private final ILaunch launch;
  private final LaunchRun run;
  private final MeasurementProcess whole;
  /** Null if its programs are not tuned. */
  private final LaunchTuning tuning;
  private final Measurement measurement;
  private final Map<Path, TraceWatch> watches = new ConcurrentHashMap<>();
  /** The recorder of programs that ran before; null for others. */
  private volatile AttachedProcess attached;
  private volatile String failure;
  private volatile int exitStatus;

  /** @param tuning tunes its programs, or null */
  MeasurementJob(ILaunch launch, LaunchRun run, MeasurementProcess whole, LaunchTuning tuning) {
    super(NLS.bind(Messages.recording, run.plan().name()));
    this.launch = launch;
    this.run = run;
    this.whole = whole;
    this.tuning = tuning;
    this.measurement = new Measurement(series(launch), run, whole);
    setPriority(LONG);
    Measurements.get().add(measurement);
    LaunchViews.show(LaunchViews.MEASUREMENTS);
    if (tuning != null) {
      LaunchViews.show(LaunchViews.TUNING);
    }
  }

  /** Runs of one configuration follow each other. */
  private static String series(ILaunch launch) {
    ILaunchConfiguration configuration = launch.getLaunchConfiguration();
    IFile file = configuration.getFile();
    return file == null ? configuration.getName() : file.getFullPath().toString();
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == FAMILY;
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    monitor.beginTask(getName(), IProgressMonitor.UNKNOWN);
    long beginNs = System.nanoTime();
    Thread runner = Background.run(getName(), this::runPrograms);
    try {
      boolean isCancelled = false;
      do {
        runner.join(POLL_MS);
        measurement.arrived(System.nanoTime() - beginNs, look());
        monitor.subTask(progress());
        if (monitor.isCanceled() && !isCancelled) {
          isCancelled = true;
          whole.terminate();
        }
      } while (runner.isAlive());
    } catch (InterruptedException e) {
      run.stop();
      Thread.currentThread().interrupt();
    }
    measurement.arrived(System.nanoTime() - beginNs, look());
    whole.ended(exitStatus);
    return finish(monitor);
  }

  private IStatus finish(IProgressMonitor monitor) {
    if (failure != null) {
      run.deleteIfEmpty();
      measurement.ended(exitStatus, failure, traces());
      return UiLog.error(failure);
    }
    refresh();
    List<Path> traces = traces();
    measurement.ended(exitStatus, "", traces);
    if (!traces.isEmpty()) {
      UiThread.later(measurement::open);
    }
    return monitor.isCanceled() ? Status.CANCEL_STATUS : Status.OK_STATUS;
  }

  /** What can be opened. */
  private List<Path> traces() {
    return run.traces().stream().filter(trace -> !Trace.isTrace(trace) || isRecorded(trace))
        .toList();
  }

  /** A trace without a process says nothing; its recorder has told why. */
  private boolean isRecorded(Path trace) {
    TraceWatch watch = watches.get(trace);
    return watch == null || watch.look().processes() > 0;
  }

  private TraceWatch.Counts look() {
    TraceWatch.Counts all = TraceWatch.Counts.NONE;
    for (TraceWatch watch : watches.values()) {
      all = all.plus(watch.look());
    }
    return all;
  }

  private String progress() {
    String arrived = measurement.arrivedText();
    return run.plan().repetitions() == 1 ? arrived : NLS.bind(Messages.runOf,
        new Object[] {run.repetition(), run.plan().repetitions(), arrived});
  }

  private void runPrograms() {
    try {
      exitStatus = run.run(Recording.Output.PIPE, new LaunchRun.Listener() {
        @Override
        public void starting(PlannedApplication application, int repetition, ProcessBuilder recorder)
            throws RecordException {
          if (tuning != null) {
            tuning.starting(application, recorder);
          }
        }

        @Override
        public void started(Recording recording, int repetition) {
          watches.put(recording.trace(), new TraceWatch(recording.trace()));
          show(recording, repetition);
          if (tuning != null) {
            tuning.started(recording);
          }
        }
      });
      if (attached != null && exitStatus != 0) {
        failure = attached.said();
      }
    } catch (RecordException e) {
      failure = Texts.sentence(e.getMessage());
    } catch (InterruptedException e) {
      failure = Messages.interrupted;
    } catch (RuntimeException e) {
      failure = NLS.bind(Messages.fault, e);
      UiLog.log(failure, e);
    } finally {
      if (tuning != null) {
        tuning.close();
      }
    }
  }

  /** Its console, and its line below the launch. */
  private void show(Recording recording, int repetition) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put(IProcess.ATTR_PROCESS_TYPE, ParallelLaunchDelegate.ID + ".application");
    attributes.put(IProcess.ATTR_CMDLINE, CommandLine.join(recording.application().command()));
    attributes.put(DebugPlugin.ATTR_WORKING_DIRECTORY,
        recording.application().directory().toString());
    attributes.put(DebugPlugin.ATTR_LAUNCH_TIMESTAMP,
        Long.toString(System.currentTimeMillis()));
    String name = recording.application().name();
    if (recording.application().isAttached()) {
      attached = new AttachedProcess(launch, run, recording, NLS.bind(Messages.attachedTo, name,
          recording.application().attached().stream().map(String::valueOf)
              .collect(Collectors.joining(", "))), attributes);
      return;
    }
    new RecordedProcess(launch, run, recording, run.plan().repetitions() == 1 ? name
        : NLS.bind(Messages.applicationRun, new Object[] {name, repetition,
            run.plan().repetitions()}), attributes);
  }

  /** Shows new traces in the workspace, if they are in it. */
  private void refresh() {
    for (IContainer container : ResourcesPlugin.getWorkspace().getRoot()
        .findContainersForLocationURI(run.plan().output().toUri())) {
      Job refresh = Job.createSystem(Messages.refresh, (ICoreRunnable) monitor -> {
        IResource there = container;
        while (!there.exists() && there.getParent() != null && !there.getParent().exists()) {
          there = there.getParent();
        }
        try {
          there.refreshLocal(IResource.DEPTH_INFINITE, monitor);
        } catch (CoreException e) {
          UiLog.log(e.getMessage(), e);
        }
      });
      refresh.schedule();
    }
  }
}
