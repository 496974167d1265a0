package org.parallax.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.debug.core.ILaunchManager;
import org.eclipse.debug.core.model.IProcess;
import org.eclipse.debug.ui.DebugUITools;
import org.eclipse.debug.ui.IDebugUIConstants;
import org.eclipse.ui.console.TextConsole;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.trace.testing.OpenMpi;
import org.parallax.ui.testing.Workbench;

/** Launch configurations of programs with known answers, and how they end. */
public final class Launching {
  public static final Path NATIVE = Path.of(System.getProperty("parallax.native"));
  static final String OPEN_MPI = OpenMpi.lines();

  private Launching() {
  }

  /** As after the first start: no launches, no configurations, no traces. */
  public static void reset() throws Exception {
    ILaunchManager manager = DebugPlugin.getDefault().getLaunchManager();
    for (ILaunch launch : manager.getLaunches()) {
      if (!launch.isTerminated()) {
        launch.terminate();
      }
    }
    Workbench.await("launches to end", () -> Arrays.stream(manager.getLaunches())
        .allMatch(ILaunch::isTerminated)
        && Job.getJobManager().find(MeasurementJob.FAMILY).length == 0);
    manager.removeLaunches(manager.getLaunches());
    Measurements.get().removeEnded();
    Workbench.reset();
    for (ILaunchConfiguration each : manager.getLaunchConfigurations()) {
      each.delete();
    }
    // Nobody answers whether to switch perspectives.
    org.eclipse.jface.preference.IPreferenceStore preferences =
        DebugUITools.getPreferenceStore();
    preferences.setValue("org.eclipse.debug.ui.switch_to_perspective", "never");
    preferences.setValue(IDebugUIConstants.PREF_BUILD_BEFORE_LAUNCH, false);
  }

  /** Copies a program into a project. */
  public static IFile program(IProject project, String name) throws Exception {
    Path target = project.getLocation().toPath().resolve(name);
    Files.copy(NATIVE.resolve("programs").resolve(name).toRealPath(), target);
    IFile file = project.getFile(name);
    file.refreshLocal(IResource.DEPTH_ZERO, null);
    return file;
  }

  /** The demonstration program with 4 ranks. */
  public static ApplicationSettings heat(IFile program, String arguments) {
    return ApplicationSettings.EMPTY.with(Field.NAME, "heat")
        .with(Field.PROGRAM, "${workspace_loc:" + program.getFullPath() + "}")
        .with(Field.ARGUMENTS, arguments).with(Field.LAUNCHER, "mpirun.openmpi")
        .with(Field.PROCESSES, "4").with(Field.ENVIRONMENT, OPEN_MPI);
  }

  /** A saved configuration of these applications, and further attributes. */
  public static ILaunchConfiguration configuration(String name, Map<String, String> attributes,
      ApplicationSettings... applications) throws CoreException {
    ILaunchConfigurationWorkingCopy copy = DebugPlugin.getDefault().getLaunchManager()
        .getLaunchConfigurationType(LaunchAttributes.TYPE).newInstance(null, name);
    ApplicationSettings.write(List.of(applications)).forEach(copy::setAttribute);
    attributes.forEach(copy::setAttribute);
    return copy.doSave();
  }

  /** Launches as the workbench does, in the background. */
  public static ILaunch launch(ILaunchConfiguration configuration) throws Exception {
    CompletableFuture<ILaunch> launched = CompletableFuture.supplyAsync(() -> {
      try {
        return configuration.launch(ILaunchManager.PROFILE_MODE, null);
      } catch (CoreException e) {
        throw new IllegalStateException(e);
      }
    });
    Workbench.await("the launch", launched::isDone);
    try {
      return launched.get();
    } catch (ExecutionException e) {
      throw e.getCause().getCause() instanceof CoreException refused ? refused : e;
    }
  }

  /** Waits until all has ended and traces are open. */
  public static void awaitEnd(ILaunch launch) {
    Workbench.await("the end of the launch", () -> launch.isTerminated()
        && Job.getJobManager().find(MeasurementJob.FAMILY).length == 0);
    Workbench.settle();
  }

  static MeasurementProcess whole(ILaunch launch) {
    return (MeasurementProcess) launch.getProcesses()[0];
  }

  /** The processes of applications. */
  static List<IProcess> applications(ILaunch launch) {
    List<IProcess> all = Arrays.asList(launch.getProcesses());
    return all.subList(1, all.size());
  }

  /** What the console of a process shows. */
  static String console(IProcess process) {
    TextConsole[] console = new TextConsole[1];
    Workbench.await("a console", () -> {
      console[0] = (TextConsole) DebugUITools.getConsole(process);
      return console[0] != null;
    });
    return console[0].getDocument().get();
  }

  static void assertContains(String part, String text) {
    assertTrue(text.contains(part), () -> "\"" + part + "\" is not in: " + text);
  }
}
