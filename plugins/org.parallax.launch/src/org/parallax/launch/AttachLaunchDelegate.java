package org.parallax.launch;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.IStatusHandler;
import org.eclipse.debug.core.model.LaunchConfigurationDelegate;
import org.eclipse.osgi.util.NLS;
import org.parallax.launch.tuning.LaunchTuning;
import org.parallax.launch.tuning.TuningSettings;
import org.parallax.record.Agent;
import org.parallax.record.AttachPlan;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchCheck;
import org.parallax.record.LaunchPlan;
import org.parallax.record.RecordException;
import org.parallax.record.RunningProgram;

/**
 * Records programs that run already, and tunes them if the configuration says so. Which ones is asked by a status handler, unless the configuration has their
 * numbers, as one that is not saved can.
 */
public final class AttachLaunchDelegate extends LaunchConfigurationDelegate {
  /**
   * The code of the status by which a person is asked for programs. The source is the configuration, the answer a list
   * of {@link RunningProgram}s, empty if the person wants none; null without a workbench.
   */
  public static final int PROGRAMS = 3;

  @Override
  public void launch(ILaunchConfiguration configuration, String mode, ILaunch launch,
      IProgressMonitor monitor) throws CoreException {
    try {
      Agent agent = ParallelLaunchDelegate.agent();
      List<RunningProgram> programs = programs(configuration, agent);
      TuningSettings tuning = LaunchPlans.tuning(configuration);
      if (tuning != null) {
        LaunchTuning.check(agent.tuner());
      }
      LaunchPlan plan = programs.isEmpty() ? null : LaunchPlans.attached(configuration, programs);
      if (plan == null || !LaunchProblems.accept(configuration, LaunchCheck.of(plan, agent))) {
        monitor.setCanceled(true);  // the platform forgets the launch
        return;
      }
      ParallelLaunchDelegate.start(plan, agent, launch, tuning);
    } catch (RecordException e) {
      throw LaunchProblems.failure(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      monitor.setCanceled(true);
    }
  }

  private static List<RunningProgram> programs(ILaunchConfiguration configuration, Agent agent)
      throws CoreException, RecordException, InterruptedException {
    String named = configuration.getAttribute(LaunchAttributes.ATTACH_PROCESSES, "").strip();
    if (!named.isEmpty()) {
      return named(named, RunningProgram.list(agent));
    }
    IStatus ask =
        new Status(IStatus.INFO, ParallelLaunchDelegate.ID, PROGRAMS, Messages.choosePrograms, null);
    IStatusHandler handler = DebugPlugin.getDefault().getStatusHandler(ask);
    Object answer = handler == null ? null : handler.handleStatus(ask, configuration);
    if (!(answer instanceof List<?> chosen)) {
      throw AttachPlan.needsWorkbench();
    }
    return chosen.stream().map(RunningProgram.class::cast).toList();
  }

  private static List<RunningProgram> named(String numbers, List<RunningProgram> all)
      throws RecordException {
    List<RunningProgram> found = new ArrayList<>();
    for (String number : numbers.split("[,\\s]+")) {
      found.add(all.stream().filter(each -> Long.toString(each.pid()).equals(number)).findFirst()
          .orElseThrow(() -> new RecordException(NLS.bind(Messages.noProcess, number))));
    }
    return found;
  }
}
