package org.parallax.launch;

import java.io.PrintStream;
import java.nio.file.Path;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.equinox.app.IApplication;
import org.eclipse.equinox.app.IApplicationContext;
import org.eclipse.osgi.util.NLS;
import org.parallax.record.Agent;
import org.parallax.record.FileVariables;
import org.parallax.record.HeadlessLaunch;
import org.parallax.record.LaunchFile;
import org.parallax.record.LaunchPlan;
import org.parallax.record.RecordException;

/**
 * Runs launches of a workspace without its workbench, and without a display: {@code eclipse -data
 * WORKSPACE -application org.parallax.launch.run NAME}. Other than {@code parallax launch} it knows
 * configurations that are not shared, all of Eclipse's variables, and projects that are linked.
 */
public final class LaunchApplication implements IApplication {
  private static final Integer WRONG_USE = 2;
  private static final Integer FAILED = 1;

  @Override
  public Object start(IApplicationContext context) {
    context.applicationRunning();
    String[] arguments =
        (String[]) context.getArguments().get(IApplicationContext.APPLICATION_ARGS);
    return run(arguments, System.err);
  }

  @Override
  public void stop() {
    // What runs ends with this program.
  }

  /**
   * Runs a launch.
   *
   * @param arguments the name of a configuration, or a file
   * @return the status to end with
   */
  static Integer run(String[] arguments, PrintStream err) {
    HeadlessLaunch.Teller teller = teller(err);
    if (arguments.length != 1) {
      teller.error(Messages.applicationUse);
      return WRONG_USE;
    }
    try {
      LaunchPlan plan = plan(arguments[0]);
      Agent agent = ParallelLaunchDelegate.agent();
      return HeadlessLaunch.check(plan, agent, teller)
          ? (Integer) HeadlessLaunch.run(plan, agent, teller) : FAILED;
    } catch (RecordException e) {
      teller.error(e.getMessage());
    } catch (CoreException e) {
      teller.error(e.getStatus().getMessage());
    } catch (InterruptedException e) {
      teller.error(Messages.interrupted);
    }
    return FAILED;
  }

  private static LaunchPlan plan(String argument) throws RecordException, CoreException {
    for (ILaunchConfiguration each : DebugPlugin.getDefault().getLaunchManager()
        .getLaunchConfigurations()) {
      if (each.getName().equals(argument)) {
        return LaunchPlans.of(each);
      }
    }
    Path file = Path.of(argument).toAbsolutePath().normalize();
    if (!argument.endsWith(LaunchFile.SUFFIX)) {
      throw new RecordException(NLS.bind(Messages.applicationNone, argument,
          ResourcesPlugin.getWorkspace().getRoot().getLocation()));
    }
    for (IFile shared : ResourcesPlugin.getWorkspace().getRoot()
        .findFilesForLocationURI(file.toUri())) {
      return LaunchPlans.of(
          DebugPlugin.getDefault().getLaunchManager().getLaunchConfiguration(shared));
    }
    LaunchFile launch = LaunchFile.read(file);
    FileVariables variables = new FileVariables(file, null);
    return LaunchPlan.of(launch.name(), launch.settings(), variables.base(), variables);
  }

  private static HeadlessLaunch.Teller teller(PrintStream err) {
    return new HeadlessLaunch.Teller() {
      @Override
      public void error(String text) {
        err.println("parallax: " + text);
      }

      @Override
      public void warn(String text) {
        err.println("parallax: warning: " + text);
      }

      @Override
      public void note(String text) {
        err.println(text);
      }
    };
  }
}
