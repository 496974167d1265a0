package org.parallax.launch.ui;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.Test;
import org.parallax.launch.LaunchPlans;
import org.parallax.launch.Launching;
import org.parallax.launch.Measurements;
import org.parallax.launch.LaunchViews;
import org.parallax.launch.tuning.SimulatedTuning;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.ui.testing.Screenshots;
import org.parallax.ui.testing.Workbench;

/** Takes the pictures of a launch's tabs; not a test, see {@link Screenshots}. */
class LaunchScreenshots {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 840;
  private static final List<String> TABS = List.of("Measurement", "Applications");
  private static final int VIEW_WIDTH = 1000;
  private static final int VIEW_HEIGHT = 600;
  private static final long SEEN_NS = 8_000_000_000L;

  @Test
  void pictures() throws Exception {
    Path images = Files.createDirectories(Path.of(System.getProperty("parallax.root"))
        .resolve(System.getProperty("parallax.screenshot.dir", "docs/images")));
    Launching.reset();
    ILaunchConfiguration configuration = configuration();
    IThemeEngine themes = PlatformUI.getWorkbench().getService(IThemeEngine.class);
    for (String theme : List.of("default", "dark")) {
      String suffix = theme.equals("dark") ? "-dark.png" : ".png";
      themes.setTheme("org.eclipse.e4.ui.css.theme.e4_" + theme, false);
      TabsTest.inDialog(configuration, dialog -> {
        dialog.setBounds(0, 0, WIDTH, HEIGHT);
        dialog.getDisplay().setCursorLocation(WIDTH + 10, HEIGHT + 10);  // no tool tip
        for (String tab : TABS) {
          TabsTest.tab(dialog, tab);
          Screenshots.take(dialog,
              images.resolve("launch-" + tab.toLowerCase(Locale.ROOT) + suffix));
        }
      });
      measurements(configuration, images.resolve("view-measurements" + suffix));
      tuning(images.resolve("view-liveTuning" + suffix));
      processes(images.resolve("attach-processes" + suffix));
    }
  }

  /** A launch that has ended, and one that runs. */
  private static void measurements(ILaunchConfiguration configuration, Path file)
      throws Exception {
    Measurements.get().removeEnded();
    Shell shell = Workbench.window().getShell();
    shell.setBounds(0, 0, VIEW_WIDTH, VIEW_HEIGHT);
    ILaunchConfigurationWorkingCopy once = configuration.copy("heat");
    once.setAttribute(LaunchAttributes.REPETITIONS, "");
    once.setAttribute(LaunchAttributes.EXTERNALS, "");
    ApplicationSettings heat =
        ApplicationSettings.read(LaunchPlans.settings(configuration)).get(0);
    ApplicationSettings.write(List.of(heat)).forEach(once::setAttribute);
    Launching.awaitEnd(Launching.launch(once));
    ApplicationSettings.write(List.of(heat.with(Field.ARGUMENTS, "1000000 256 256")))
        .forEach(once::setAttribute);
    ILaunch launch = Launching.launch(once);
    Workbench.await("some rates", () -> Measurements.get().all().size() == 2
        && Measurements.get().all().get(0).elapsedNs() > SEEN_NS);
    IViewPart view = Workbench.page().showView(LaunchViews.MEASUREMENTS);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    Screenshots.take(view, file);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    launch.terminate();
    Launching.awaitEnd(launch);
  }

  /** A simulated session with three tasks, whose fragments have grown. */
  private static void tuning(Path file) throws Exception {
    Workbench.window().getShell().setBounds(0, 0, VIEW_WIDTH, VIEW_HEIGHT);
    LiveTuningView view = (LiveTuningView) Workbench.page().showView(LaunchViews.TUNING);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    try (SimulatedTuning tuning = new SimulatedTuning("master-1", 3, 10, null)) {
      tuning.session().command("act");
      Workbench.await("actions", () -> tuning.session().state().kept() == 3);
      Workbench.await("them in sight", () -> view.pages().table(0).rows().stream()
          .filter(row -> row.values().contains("kept")).count() == 3);
      view.pages().selectRow(view.pages().table(0).rows().get(0));
      Screenshots.take(view, file);
    }
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    Workbench.page().hideView(view);
  }

  /** The list of processes: ranks of a program, one of which is selected, and the shell that has started them. */
  private static void processes(Path file) throws Exception {
    Path directory = Files.createTempDirectory("attach");
    Files.copy(Launching.NATIVE.resolve("programs/mutex_queue").toRealPath(), directory.resolve("solver"));
    Process shell = new ProcessBuilder("sh", "-c", "for rank in 0 1 2 3; do "
        + "PMIX_RANK=$rank ./solver 3 1000000000 4 & done; wait; true").directory(directory.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      AttachDialog dialog = new AttachDialog(Workbench.window().getShell(),
          RunningLaunchShortcut.configuration("solver").getWorkingCopy());
      dialog.setBlockOnOpen(false);
      dialog.open();
      Table table = Workbench.find(dialog.getShell(), Table.class, each -> each.getColumnCount() == 7).get(0);
      Workbench.await("processes", () -> {
        if (table.getItemCount() < 5) {
          Workbench.press(Workbench.button(dialog.getShell(), "Refresh"));
        }
        return table.getItemCount() == 5;
      });
      table.setSelection(0);
      table.notifyListeners(SWT.Selection, new Event());
      Screenshots.take(dialog.getShell(), file);
      dialog.close();
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
      Files.delete(directory.resolve("solver"));
      Files.delete(directory);
    }
  }

  /** The demonstration program, five times, compared with an older run. */
  private static ILaunchConfiguration configuration() throws Exception {
    IProject project = Workbench.project("programs");
    IFile heat = Launching.program(project, "heat.openmpi");
    Path before = project.getLocation().toPath().resolve("before");
    Files.writeString(Files.createDirectory(before).resolve("manifest"), "parallax-trace = 1\n");
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    return Launching.configuration("heat",
        Map.of(LaunchAttributes.REPETITIONS, "5", LaunchAttributes.MONITOR_HZ, "10",
            LaunchAttributes.EXTERNALS, "./sensors.sh"),
        Launching.heat(heat, "200 256 256"), ApplicationSettings.EMPTY.with(Field.NAME, "before")
            .with(Field.MODE, "comparison")
            .with(Field.TRACE, "${workspace_loc:/programs/before}"));
  }
}
