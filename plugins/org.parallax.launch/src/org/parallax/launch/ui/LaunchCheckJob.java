package org.parallax.launch.ui;

import java.util.List;
import java.util.Map;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.parallax.launch.LaunchPlans;
import org.parallax.launch.ParallelLaunchDelegate;
import org.parallax.record.LaunchCheck;
import org.parallax.record.Problem;
import org.parallax.record.RecordException;
import org.parallax.ui.platform.UiThread;

/** Looks at what a configuration needs, some moments after its last change. */
final class LaunchCheckJob extends Job {
  private static final long DELAY_MS = 300;

  /** Is told on the UI thread. */
  interface Listener {
    void checked(Map<String, Object> attributes, List<Problem> problems);
  }

  private final Listener listener;
  private volatile ILaunchConfiguration configuration;
  private volatile Map<String, Object> attributes;

  LaunchCheckJob(Listener listener) {
    super(Messages.checkJob);
    this.listener = listener;
    setSystem(true);
  }

  /** @param attributes those of the configuration now */
  void look(ILaunchConfiguration changed, Map<String, Object> now) {
    cancel();
    try {
      configuration = changed.copy(changed.getName());
    } catch (CoreException e) {
      return;
    }
    attributes = now;
    schedule(DELAY_MS);
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    Map<String, Object> looked = attributes;
    List<Problem> problems;
    try {
      problems = LaunchCheck.of(LaunchPlans.of(configuration), ParallelLaunchDelegate.agent());
    } catch (RecordException e) {
      problems = List.of(new Problem(Problem.Severity.ERROR, Problem.Topic.PROGRAM,
          e.getMessage(), ""));
    }
    List<Problem> found = problems;
    if (!monitor.isCanceled()) {
      UiThread.later(() -> listener.checked(looked, found));
    }
    return Status.OK_STATUS;
  }
}
