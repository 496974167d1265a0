package org.parallax.launch;

import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.model.LaunchConfigurationDelegate;
import org.parallax.launch.tuning.LaunchTuning;
import org.parallax.launch.tuning.TuningSettings;
import org.parallax.record.Agent;
import org.parallax.record.LaunchCheck;
import org.parallax.record.LaunchPlan;
import org.parallax.record.LaunchRun;
import org.parallax.record.Problem;
import org.parallax.record.RecordException;
import org.parallax.ui.platform.InstalledAgent;

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

  @Override
  public boolean finalLaunchCheck(ILaunchConfiguration configuration, String mode,
      IProgressMonitor monitor) throws CoreException {
    monitor.subTask(Messages.checking);
    List<Problem> problems;
    try {
      TuningSettings tuning = LaunchPlans.tuning(configuration);
      if (tuning != null) {
        LaunchTuning.check(agent().tuner());
      }
      problems = LaunchCheck.of(LaunchPlans.of(configuration), agent());
    } catch (RecordException e) {
      throw LaunchProblems.failure(e.getMessage());
    }
    return LaunchProblems.accept(configuration, problems);
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
      start(LaunchPlans.of(configuration), agent(), launch, LaunchPlans.tuning(configuration));
    } catch (RecordException e) {
      throw LaunchProblems.failure(e.getMessage());
    }
  }

  /**
   * Records what a plan says, in the background.
   *
   * @param settings how it is tuned, or null
   */
  static void start(LaunchPlan plan, Agent agent, ILaunch launch, TuningSettings settings) throws RecordException {
    LaunchRun run = new LaunchRun(plan, agent);
    LaunchTuning tuning = settings == null ? null : new LaunchTuning(settings, agent.tuner(),
        run.directory().resolveSibling(run.directory().getFileName() + LaunchTuning.SUFFIX));
    MeasurementProcess whole = new MeasurementProcess(launch, run);
    launch.addProcess(whole);
    new MeasurementJob(launch, run, whole, tuning).schedule();
  }
}
