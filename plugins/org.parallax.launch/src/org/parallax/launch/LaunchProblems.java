package org.parallax.launch;

import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.MultiStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.IStatusHandler;
import org.eclipse.osgi.util.NLS;
import org.parallax.record.Problem;
import org.parallax.ui.platform.Texts;

/** What a launch lacks, as the platform tells it to a person. */
final class LaunchProblems {
  private LaunchProblems() {
  }

  /** A message that ends a launch. */
  static CoreException failure(String message) {
    return new CoreException(new Status(IStatus.ERROR, ParallelLaunchDelegate.ID,
        ParallelLaunchDelegate.ERRORS, Texts.sentence(message), null));
  }

  /**
   * Tells what was found; of warnings only, a person decides, and without a workbench they are passed over.
   *
   * @return whether to launch
   * @throws CoreException when there is an error among them
   */
  static boolean accept(ILaunchConfiguration configuration, List<Problem> problems)
      throws CoreException {
    List<Problem> errors = problems.stream().filter(Problem::isError).toList();
    if (!errors.isEmpty()) {
      throw new CoreException(
          status(IStatus.ERROR, ParallelLaunchDelegate.ERRORS, configuration, errors));
    }
    if (problems.isEmpty()) {
      return true;
    }
    IStatus warnings =
        status(IStatus.WARNING, ParallelLaunchDelegate.WARNINGS, configuration, problems);
    IStatusHandler handler = DebugPlugin.getDefault().getStatusHandler(warnings);
    return handler == null || Boolean.TRUE.equals(handler.handleStatus(warnings, configuration));
  }

  private static IStatus status(int severity, int code, ILaunchConfiguration configuration,
      List<Problem> problems) {
    if (problems.size() == 1) {
      return new Status(severity, ParallelLaunchDelegate.ID, code,
          Texts.sentence(problems.get(0).text()), null);
    }
    MultiStatus all = new MultiStatus(ParallelLaunchDelegate.ID, code,
        NLS.bind(Messages.problems, configuration.getName(), problems.size()));
    for (Problem each : problems) {
      all.add(new Status(severity, ParallelLaunchDelegate.ID, code, Texts.sentence(each.text()),
          null));
    }
    return all;
  }
}
