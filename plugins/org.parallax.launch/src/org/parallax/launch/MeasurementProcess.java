package org.parallax.launch;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.core.runtime.PlatformObject;
import org.eclipse.core.runtime.Status;
import org.eclipse.debug.core.DebugEvent;
import org.eclipse.debug.core.DebugException;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.model.IProcess;
import org.eclipse.debug.core.model.IStreamsProxy;
import org.eclipse.osgi.util.NLS;
import org.parallax.record.LaunchRun;
import org.parallax.record.TraceWatch;
import org.parallax.ui.platform.Background;

/**
 * A launch as a whole, among its applications: it has no output of its own, lasts until the last
 * repetition has ended, and ends all that runs when it is terminated.
 */
public final class MeasurementProcess extends PlatformObject implements IProcess {
  private final ILaunch launch;
  private final LaunchRun run;
  private final Map<String, String> attributes = new ConcurrentHashMap<>();
  private volatile TraceWatch.Counts counts = TraceWatch.Counts.NONE;
  private volatile boolean isTerminated;
  private volatile int exitValue;

  MeasurementProcess(ILaunch launch, LaunchRun run) {
    this.launch = launch;
    this.run = run;
    attributes.put(ATTR_PROCESS_TYPE, ParallelLaunchDelegate.ID + ".measurement");
    fire(DebugEvent.CREATE);
  }

  private void fire(int kind) {
    DebugPlugin.getDefault().fireDebugEventSet(new DebugEvent[] {new DebugEvent(this, kind)});
  }

  /** What has arrived by now. */
  public TraceWatch.Counts counts() {
    return counts;
  }

  /** What is run. */
  public LaunchRun run() {
    return run;
  }

  void arrived(TraceWatch.Counts now) {
    if (!now.equals(counts)) {
      counts = now;
      fire(DebugEvent.CHANGE);
    }
  }

  void ended(int status) {
    exitValue = status;
    isTerminated = true;
    fire(DebugEvent.TERMINATE);
  }

  @Override
  public String getLabel() {
    return NLS.bind(Messages.measurement, new Object[] {run.plan().name(),
        Quantities.count(counts.events()), Quantities.bytes(counts.bytes())});
  }

  @Override
  public ILaunch getLaunch() {
    return launch;
  }

  /** None: the applications have theirs. */
  @Override
  public IStreamsProxy getStreamsProxy() {
    return null;
  }

  @Override
  public void setAttribute(String key, String value) {
    if (value == null) {
      attributes.remove(key);
    } else {
      attributes.put(key, value);
    }
  }

  @Override
  public String getAttribute(String key) {
    return attributes.get(key);
  }

  @Override
  public int getExitValue() throws DebugException {
    if (!isTerminated) {
      throw new DebugException(Status.error(Messages.stillRuns));
    }
    return exitValue;
  }

  @Override
  public boolean canTerminate() {
    return !isTerminated;
  }

  @Override
  public boolean isTerminated() {
    return isTerminated;
  }

  /** Ends all, in the background: traces are completed. */
  @Override
  public void terminate() {
    run.startNoMore();
    Background.run("end of " + run.plan().name(), run::stop);
  }

  @Override
  public <T> T getAdapter(Class<T> adapter) {
    if (adapter == IProcess.class) {
      return adapter.cast(this);
    }
    if (adapter == ILaunch.class) {
      return adapter.cast(launch);
    }
    return adapter == ILaunchConfiguration.class
        ? adapter.cast(launch.getLaunchConfiguration()) : super.getAdapter(adapter);
  }
}
