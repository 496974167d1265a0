package org.parallax.launch;

import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.MultiStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.IStatusHandler;
import org.eclipse.debug.core.model.LaunchConfigurationDelegate;
import org.eclipse.osgi.util.NLS;
import org.parallax.record.Agent;
import org.parallax.record.LaunchCheck;
import org.parallax.record.LaunchPlan;
import org.parallax.record.LaunchRun;
import org.parallax.record.Problem;
import org.parallax.record.RecordException;
import org.parallax.ui.platform.InstalledAgent;
import org.parallax.ui.platform.Texts;

/**
 * Launches parallel programs under the agent: those of our own type, and C/C++ Applications of CDT.
 * What is missing is told before anything runs; without a workbench, warnings do not stop a launch.
 */
public final class ParallelLaunchDelegate extends LaunchConfigurationDelegate {
  /** The id of this plug-in. */
  public static final String ID = "org.parallax.launch";
  /** The codes of statuses that a handler shows to a person. */
  public static final int WARNINGS = 1;
  public static final int ERRORS = 2;

  private static CoreException failure(String message) {
    return new CoreException(
        new Status(IStatus.ERROR, ID, ERRORS, Texts.sentence(message), null));
  }

  @Override
  public boolean finalLaunchCheck(ILaunchConfiguration configuration, String mode,
      IProgressMonitor monitor) throws CoreException {
    monitor.subTask(Messages.checking);
    List<Problem> problems;
    try {
      problems = LaunchCheck.of(LaunchPlans.of(configuration), agent());
    } catch (RecordException e) {
      throw failure(e.getMessage());
    }
    List<Problem> errors = problems.stream().filter(Problem::isError).toList();
    if (!errors.isEmpty()) {
      throw new CoreException(status(IStatus.ERROR, ERRORS, configuration, errors));
    }
    if (problems.isEmpty()) {
      return true;
    }
    IStatus warnings = status(IStatus.WARNING, WARNINGS, configuration, problems);
    IStatusHandler handler = DebugPlugin.getDefault().getStatusHandler(warnings);
    return handler == null || Boolean.TRUE.equals(handler.handleStatus(warnings, configuration));
  }

  private static IStatus status(int severity, int code, ILaunchConfiguration configuration,
      List<Problem> problems) {
    if (problems.size() == 1) {
      return new Status(severity, ID, code, Texts.sentence(problems.get(0).text()), null);
    }
    MultiStatus all = new MultiStatus(ID, code, NLS.bind(Messages.problems,
        configuration.getName(), problems.size()));
    for (Problem each : problems) {
      all.add(new Status(severity, ID, code, Texts.sentence(each.text()), null));
    }
    return all;
  }

  /**
   * The agent; where it would be if it is not there, which the check tells.
   *
   * @throws RecordException when there is none for this machine
   */
  public static Agent agent() throws RecordException {
    return Agent.isNamed() ? Agent.named() : InstalledAgent.find();
  }

  @Override
  public void launch(ILaunchConfiguration configuration, String mode, ILaunch launch,
      IProgressMonitor monitor) throws CoreException {
    try {
      LaunchPlan plan = LaunchPlans.of(configuration);
      LaunchRun run = new LaunchRun(plan, agent());
      MeasurementProcess whole = new MeasurementProcess(launch, run);
      launch.addProcess(whole);
      new MeasurementJob(launch, run, whole).schedule();
    } catch (RecordException e) {
      throw failure(e.getMessage());
    }
  }
}
