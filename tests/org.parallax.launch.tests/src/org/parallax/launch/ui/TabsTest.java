package org.parallax.launch.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.ui.DebugUITools;
import org.eclipse.debug.ui.IDebugUIConstants;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.custom.CTabItem;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.launch.LaunchPlans;
import org.parallax.launch.Launching;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.ui.testing.Workbench;

/** The tabs in the dialog of the platform, as a person fills them in. */
class TabsTest {
  private IFile heat;

  @BeforeEach
  void makeProgram() throws Exception {
    Launching.reset();
    IProject project = Workbench.project("programs");
    heat = Launching.program(project, "heat.openmpi");
  }

  interface Driver {
    void drive(Shell dialog) throws Exception;
  }

  /** Opens the dialog on a configuration, drives it, and closes it. */
  static void inDialog(ILaunchConfiguration configuration, Driver driver) throws Exception {
    Throwable[] failure = new Throwable[1];
    Display.getCurrent().asyncExec(() -> {
      Shell[] dialog = new Shell[1];
      try {
        Workbench.await("the dialog", () -> (dialog[0] = Workbench.dialog(
            "Profile Configurations")) != null && !folders(dialog[0]).isEmpty());
        driver.drive(dialog[0]);
      } catch (Throwable e) {
        failure[0] = e;
      } finally {
        if (dialog[0] != null && !dialog[0].isDisposed()) {
          dialog[0].close();
        }
      }
    });
    DebugUITools.openLaunchConfigurationDialogOnGroup(Workbench.window().getShell(),
        new StructuredSelection(configuration), IDebugUIConstants.ID_PROFILE_LAUNCH_GROUP);
    if (failure[0] != null) {
      throw new AssertionError(failure[0]);
    }
  }

  private static List<CTabFolder> folders(Shell dialog) {
    return Workbench.find(dialog, CTabFolder.class, folder -> folder.getItemCount() >= 4);
  }

  static void tab(Shell dialog, String name) {
    CTabFolder folder = folders(dialog).get(0);
    for (CTabItem item : folder.getItems()) {
      if (item.getText().equals(name)) {
        folder.setSelection(item);
        Event event = new Event();
        event.item = item;
        folder.notifyListeners(SWT.Selection, event);
        Workbench.handleEvents();
        return;
      }
    }
    throw new AssertionError("no tab " + name);
  }

  /** The field after the label with this text. */
  static <T extends Control> T field(Shell dialog, String label, Class<T> type) {
    for (Label each : Workbench.find(dialog, Label.class, Control::isVisible)) {
      if (each.getText().replace("&", "").equals(label + ":")) {
        Control[] siblings = each.getParent().getChildren();
        return type.cast(siblings[List.of(siblings).indexOf(each) + 1]);
      }
    }
    throw new AssertionError("no field " + label);
  }

  private static void apply(Shell dialog) {
    Workbench.await("a change", () -> Workbench.button(dialog, "Apply").isEnabled());
    Workbench.press(Workbench.button(dialog, "Apply"));
  }

  @Test
  void theProgramsOfAllProjectsAreOffered() throws Exception {
    IProject other = Workbench.project("others");
    Launching.program(other, "mutex_queue");
    Workbench.project("closed").close(null);
    ILaunchConfiguration configuration = Launching.configuration("empty", Map.of(),
        ApplicationSettings.EMPTY.with(Field.NAME, "empty"));
    inDialog(configuration, dialog -> {
      List<String> offered = new ArrayList<>();
      answerPrograms(offered);
      Workbench.press(Workbench.button(dialog, "Search..."));
      assertEquals(List.of("others/mutex_queue", "programs/heat.openmpi"), offered);
      assertEquals("${workspace_loc:/others/mutex_queue}",
          field(dialog, "Program", Text.class).getText());
      apply(dialog);
    });
  }

  /** Takes the first of the programs that are offered. */
  private static void answerPrograms(List<String> offered) {
    Display.getCurrent().timerExec(50, () -> {
      Shell chooser = Workbench.dialog("Program");
      if (chooser == null) {
        answerPrograms(offered);
        return;
      }
      Table table = Workbench.find(chooser, Table.class, each -> true).get(0);
      Workbench.await("programs", () -> table.getItemCount() > 0);
      Arrays.stream(table.getItems()).map(TableItem::getText).forEach(offered::add);
      table.setSelection(0);
      table.notifyListeners(SWT.Selection, new Event());
      Workbench.press(Workbench.button(chooser, "OK"));
    });
  }

  @Test
  void whatAPersonWritesIsWhatIsSaved() throws Exception {
    ILaunchConfiguration configuration = Launching.configuration("heat", Map.of(),
        Launching.heat(heat, ""));
    inDialog(configuration, dialog -> {
      field(dialog, "Arguments", Text.class).setText("10 64 64");
      field(dialog, "Processes", Text.class).setText("2");
      Workbench.press(Workbench.button(dialog, "Duplicate"));
      Combo mode = field(dialog, "Mode", Combo.class);
      mode.select(2);
      mode.notifyListeners(SWT.Selection, new Event());
      field(dialog, "Trace", Text.class).setText("/old/trace");
      // What is not run has no program.
      assertThrows(AssertionError.class, () -> field(dialog, "Program", Text.class));
      tab(dialog, "Measurement");
      field(dialog, "Samples per second", Spinner.class).setSelection(500);
      Button file = Workbench.button(dialog, "file");
      file.setSelection(false);
      file.notifyListeners(SWT.Selection, new Event());
      field(dialog, "Throttle", Text.class).setText("off");
      field(dialog, "Keep only the last", Text.class).setText("60s");
      Combo control = field(dialog, "Pause recording", Combo.class);
      control.select(2);
      control.notifyListeners(SWT.Selection, new Event());
      tab(dialog, "Collectors");
      field(dialog, "Commands", Text.class).setText("./sensors.sh");
      tab(dialog, "Tuning");
      Combo tune = field(dialog, "Tune while it runs", Combo.class);
      assertFalse(field(dialog, "Model files", Text.class).isEnabled());
      tune.select(2);
      tune.notifyListeners(SWT.Selection, new Event());
      field(dialog, "Model files", Text.class).setText("work-unit.yaml");
      Button route = Workbench.find(dialog, Button.class, each -> each.getText().startsWith("pvm-route: ")).get(0);
      route.setSelection(false);
      route.notifyListeners(SWT.Selection, new Event());
      tab(dialog, "Runs");
      field(dialog, "Runs", Spinner.class).setSelection(3);
      apply(dialog);
    });
    Map<String, String> saved = LaunchPlans.settings(DebugPlugin.getDefault().getLaunchManager()
        .getLaunchConfigurations()[0]);
    List<ApplicationSettings> applications = ApplicationSettings.read(saved);
    assertEquals(Launching.heat(heat, "10 64 64").with(Field.PROCESSES, "2"), applications.get(0));
    assertEquals(2, applications.size());
    assertEquals("comparison", applications.get(1).get(Field.MODE));
    assertEquals("/old/trace", applications.get(1).get(Field.TRACE));
    assertEquals("500", saved.get(LaunchAttributes.SAMPLE_HZ));
    assertEquals("-file", saved.get(LaunchAttributes.ADAPTERS));
    assertEquals("off", saved.get(LaunchAttributes.THROTTLE));
    assertEquals("paused", saved.get(LaunchAttributes.CONTROL));
    assertEquals("60s", saved.get(LaunchAttributes.KEEP_LAST));
    assertEquals("./sensors.sh", saved.get(LaunchAttributes.EXTERNALS));
    assertEquals("3", saved.get(LaunchAttributes.REPETITIONS));
    assertEquals("act", saved.get(LaunchAttributes.TUNE));
    assertEquals("work-unit.yaml", saved.get(LaunchAttributes.TUNE_FILES));
    assertEquals(List.of(false, true), List.of(saved.get(LaunchAttributes.TUNE_MODELS).contains("pvm-route"),
        saved.get(LaunchAttributes.TUNE_MODELS).contains("pvm-encoding")));
  }

  @Test
  void rowsAreMovedAndRemovedWithAllTheyHave() throws Exception {
    ApplicationSettings one = Launching.heat(heat, "1");
    ApplicationSettings two = Launching.heat(heat, "2").with(Field.NAME, "second")
        .with(Field.HOSTS, "localhost");
    ILaunchConfiguration configuration =
        Launching.configuration("two", Map.of(), one, two, one);
    inDialog(configuration, dialog -> {
      Table table = Workbench.find(dialog, Table.class,
          each -> each.isVisible() && each.getColumnCount() == 5).get(0);
      assertEquals("second", table.getItem(1).getText(0));
      table.setSelection(1);
      table.notifyListeners(SWT.Selection, new Event());
      assertEquals("localhost", field(dialog, "Hosts", Text.class).getText());
      Workbench.press(Workbench.button(dialog, "Up"));
      assertEquals("second", table.getItem(0).getText(0));
      table.setSelection(2);
      table.notifyListeners(SWT.Selection, new Event());
      Workbench.press(Workbench.button(dialog, "Remove"));
      apply(dialog);
    });
    assertEquals(List.of(two, one), ApplicationSettings.read(LaunchPlans.settings(
        DebugPlugin.getDefault().getLaunchManager().getLaunchConfigurations()[0])));
  }

  @Test
  void whatIsMissingIsToldInTheDialog() throws Exception {
    ILaunchConfiguration configuration = Launching.configuration("heat", Map.of(),
        Launching.heat(heat, "").with(Field.ENVIRONMENT, "PATH=/nowhere"));
    inDialog(configuration, dialog -> {
      Workbench.await("the problem", () -> Workbench.texts(dialog)
          .contains("The launcher mpirun.openmpi does not exist"));
      assertFalse(Workbench.button(dialog, "Profile").isEnabled());
      field(dialog, "Environment", Text.class).setText("");
      field(dialog, "Launcher", Combo.class).setText("");
      // A program of MPI alone runs, but a person is told.
      Workbench.await("the warning", () -> Workbench.texts(dialog).contains("has no launcher"));
      assertTrue(Workbench.button(dialog, "Profile").isEnabled());
      field(dialog, "Program", Text.class).setText("");
      Workbench.await("the message", () -> Workbench.texts(dialog).contains("has no program"));
    });
  }

  @Test
  void adaptersAreWrittenTheShorterWay() {
    assertEquals("", MeasurementTab.text(MeasurementTab.adapters("")));
    assertEquals("-file,-stream", MeasurementTab.text(
        MeasurementTab.adapters("-stream,-file")).lines().findFirst().map(text ->
            String.join(",", new TreeSet<>(List.of(text.split(","))))).orElse(""));
    assertEquals("mpi", MeasurementTab.text(MeasurementTab.adapters("mpi")));
  }
}
