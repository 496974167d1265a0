package org.parallax.launch.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.debug.core.ILaunchManager;
import org.eclipse.debug.core.model.IDisconnect;
import org.eclipse.debug.core.model.IProcess;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.TabFolder;
import org.eclipse.swt.widgets.TabItem;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.launch.Launching;
import org.parallax.launch.Measurement;
import org.parallax.launch.Measurements;
import org.parallax.launch.LaunchViews;
import org.parallax.launch.tuning.TuningSession;
import org.parallax.launch.tuning.TuningSessions;
import org.parallax.record.LaunchAttributes;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** Profile As &gt; Running Program, with real processes. */
class AttachTest {
  private static final String TITLE = "Profile Running Program";
  /** Of this run alone: the dialog also lists the programs of other runs on this machine. */
  private static final String NAME = "plxq" + ProcessHandle.current().pid();

  private final List<Process> started = new ArrayList<>();
  private IFile program;

  @BeforeEach
  void makePrograms() throws Exception {
    Launching.reset();
    IProject project = Workbench.project("programs");
    program = Launching.program(project, "mutex_queue");
    program.move(project.getFullPath().append(NAME), true, null);
    program = project.getFile(NAME);
  }

  @AfterEach
  void endPrograms() {
    started.forEach(each -> {
      each.descendants().forEach(ProcessHandle::destroyForcibly);
      each.destroyForcibly();
    });
  }

  private Process start(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    started.add(process);
    return process;
  }

  private Process startQueue() throws Exception {
    return start(program.getLocation().toOSString(), "3", "1000000000", "1");
  }

  interface Driver {
    void drive(Shell dialog) throws Exception;
  }

  /** Drives the dialog once it is there and lists processes. */
  private static Throwable[] drive(Driver driver) {
    Throwable[] failure = new Throwable[1];
    Display display = Display.getCurrent();
    long end = System.currentTimeMillis() + 60_000;
    display.timerExec(50, new Runnable() {
      @Override
      public void run() {
        Shell dialog = Workbench.dialog(TITLE);
        if (dialog == null && System.currentTimeMillis() < end) {
          display.timerExec(50, this);
          return;
        }
        try {
          driver.drive(dialog);
        } catch (Throwable e) {
          failure[0] = e;
        } finally {
          if (dialog != null && !dialog.isDisposed()) {
            dialog.close();
          }
        }
      }
    });
    return failure;
  }

  private static Table table(Shell dialog) {
    return Workbench.find(dialog, Table.class, each -> each.getColumnCount() == 7).get(0);
  }

  private static Text filter(Shell dialog) {
    return Workbench.find(dialog, Text.class, each -> (each.getStyle() & SWT.SEARCH) != 0).get(0);
  }

  private static void select(Shell dialog, Process... processes) {
    List<String> pids = Arrays.stream(processes).map(each -> Long.toString(each.pid())).toList();
    Table table = table(dialog);
    table.setSelection(Arrays.stream(table.getItems()).filter(item -> pids.contains(item.getText(0)))
        .toArray(TableItem[]::new));
    assertEquals(processes.length, table.getSelectionCount());
    table.notifyListeners(SWT.Selection, new Event());
  }

  private static boolean mayRecord(Shell dialog) {
    return Workbench.button(dialog, "Record").isEnabled();
  }

  private static MeasurementsView view() {
    return (MeasurementsView) Workbench.page().findView(LaunchViews.MEASUREMENTS);
  }

  private static Action action(String text) {
    return view().actions().stream().filter(each -> each.getText().replace("&", "").equals(text))
        .findFirst().orElseThrow();
  }

  private static Measurement newest() {
    return Measurements.get().all().get(0);
  }

  @Test
  void chosenProgramsAreRecordedPausedAndLetGo() throws Exception {
    Process first = startQueue();
    Process second = startQueue();
    Process shell = start("sh", "-c", "sleep 600; true");
    Throwable[] failure = drive(dialog -> {
      Workbench.await("processes of the program", () -> table(dialog).getItemCount() == 2);
      assertEquals(NAME, filter(dialog).getText());
      assertFalse(mayRecord(dialog));
      filter(dialog).setText("sleep 600");
      select(dialog, shell);
      assertFalse(mayRecord(dialog));
      assertTrue(Workbench.texts(dialog).contains("is a shell or launcher; name the program"),
          Workbench.texts(dialog));
      filter(dialog).setText(NAME);
      Workbench.press(Workbench.button(dialog, "Refresh"));
      Workbench.await("the list", () -> table(dialog).getItemCount() == 2
          && Arrays.stream(table(dialog).getItems()).allMatch(item -> item.getText(4).equals("4")));
      select(dialog, first, second);
      assertTrue(mayRecord(dialog));
      assertTrue(Workbench.texts(dialog).contains("2 processes get one trace"));
      // What needs the start of a program cannot be chosen.
      assertFalse(Workbench.button(dialog, "End background processes that a program leaves behind").isEnabled());
      assertTrue(Workbench.button(dialog, "pthread").isEnabled());
      Workbench.press(Workbench.button(dialog, "Record"));
    });
    new RunningLaunchShortcut().launch(new StructuredSelection(program), ILaunchManager.PROFILE_MODE);
    Workbench.await("a measurement", () -> failure[0] != null || Measurements.get().all().size() == 1);
    assertEquals(null, failure[0]);
    Workbench.await("events", () -> newest().hasEnded() || newest().counts().processes() == 2
        && newest().counts().events() > 100 && newest().canPause() && action("Pause Recording").isEnabled());
    assertEquals("", newest().failure());
    assertEquals("running", newest().stateText());
    assertTrue(view().status().endsWith("Stop and Detach end the recording; the program goes on."),
        view().status());
    Action pause = action("Pause Recording");
    pause.setChecked(true);
    pause.run();
    Workbench.await("a pause", () -> newest().stateText().equals("recording paused"));
    pause.setChecked(false);
    pause.run();
    Workbench.await("its end", () -> newest().stateText().equals("running"));
    ILaunch launch = DebugPlugin.getDefault().getLaunchManager().getLaunches()[0];
    IProcess process = launch.getProcesses()[1];
    assertTrue(((IDisconnect) process).canDisconnect());
    assertTrue(((IDisconnect) launch).canDisconnect());
    action("Detach").run();
    Launching.awaitEnd(launch);
    assertEquals("detached, the program goes on", newest().stateText());
    assertEquals(2, OpenSession.current().state().traces().get(0).processes().size());
    assertTrue(first.isAlive() && second.isAlive());
    Workbench.await("the view to know", () -> !action("Detach").isEnabled());
    ILaunchConfiguration saved = launch.getLaunchConfiguration();
    assertEquals(NAME + " (running)", saved.getName());
    assertEquals(saved, RunningLaunchShortcut.configuration(NAME));
  }

  private static ILaunch launch(Map<String, String> attributes) throws Exception {
    ILaunchConfigurationWorkingCopy copy =
        RunningLaunchShortcut.configuration("").copy("attached");
    attributes.forEach(copy::setAttribute);
    return Launching.launch(copy);
  }

  /** A chosen program is recorded and tuned; the tab Tuning of the dialog says so. */
  @Test
  void aChosenProgramIsTunedWhileItIsRecorded() throws Exception {
    Process queue = startQueue();
    Throwable[] failure = drive(dialog -> {
      Workbench.await("the process", () -> table(dialog).getItemCount() == 1);
      select(dialog, queue);
      TabFolder folder = Workbench.find(dialog, TabFolder.class, each -> true).get(0);
      TabItem tuning = Arrays.stream(folder.getItems()).filter(each -> each.getText().equals("Tuning")).findFirst().orElseThrow();
      folder.setSelection(tuning);
      Combo mode = Workbench.find((Composite) tuning.getControl(), Combo.class, each -> true).get(0);
      mode.select(1);
      mode.notifyListeners(SWT.Selection, new Event());
      Workbench.press(Workbench.button(dialog, "Record"));
    });
    new RunningLaunchShortcut().launch(new StructuredSelection(program), ILaunchManager.PROFILE_MODE);
    Workbench.await("a session", () -> failure[0] != null || !TuningSessions.get().all().isEmpty()
        && TuningSessions.get().all().get(0).state().processes().stream().anyMatch(each -> each.pid() == queue.pid()));
    assertEquals(null, failure[0]);
    TuningSession session = TuningSessions.get().all().get(0);
    assertFalse(session.state().isActing());
    action("Detach").run();
    Launching.awaitEnd(DebugPlugin.getDefault().getLaunchManager().getLaunches()[0]);
    assertEquals("detached, the program goes on", newest().stateText());
    Workbench.await("the end of tuning", () -> !session.isLive());
    assertTrue(queue.isAlive());
  }

  @Test
  void theTimeLimitEndsItAndRefusalsAreShownAsTheRecorderSaysThem() throws Exception {
    Process queue = startQueue();
    Process shell = start("sh", "-c", "sleep 600; true");
    Launching.awaitEnd(launch(Map.of(LaunchAttributes.ATTACH_PROCESSES, Long.toString(queue.pid()),
        LaunchAttributes.ATTACH_TIME, "0.3s")));
    assertEquals("detached, the program goes on", newest().stateText());
    assertTrue(queue.isAlive());
    Launching.awaitEnd(launch(
        Map.of(LaunchAttributes.ATTACH_PROCESSES, Long.toString(shell.pid()))));
    Workbench.await("its failure", () -> newest().stateText().equals("failed"));
    assertEquals("cannot attach: process " + shell.pid() + " (sh) is a shell or launcher; name the program "
        + "that it has started: pgrep -P " + shell.pid() + " -a", newest().failure());
    Workbench.await("two rows", () -> view().table().rows().size() == 2);
    view().table().widget().setSelection(0);
    view().table().widget().notifyListeners(SWT.Selection, new Event());
    assertEquals(List.of(newest().failure()), view().told());
    assertTrue(shell.isAlive());
  }
}
