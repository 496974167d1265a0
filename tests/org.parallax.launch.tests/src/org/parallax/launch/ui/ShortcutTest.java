package org.parallax.launch.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchManager;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.ide.IDE;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.launch.LaunchPlans;
import org.parallax.launch.Launching;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** Profile As &gt; Parallel Program, on binaries, projects and editors. */
class ShortcutTest {
  private final ILaunchManager manager = DebugPlugin.getDefault().getLaunchManager();
  private IProject project;
  private IFile source;

  @BeforeEach
  void makeProject() throws Exception {
    Launching.reset();
    project = Workbench.project("programs");
    source = project.getFile("queue.txt");
    source.create(new ByteArrayInputStream("no program\n".getBytes()), true, null);
  }

  private ILaunch awaitLaunch() {
    Workbench.await("a launch", () -> manager.getLaunches().length == 1
        && manager.getLaunches()[0].getProcesses().length == 2);
    ILaunch launch = manager.getLaunches()[0];
    Launching.awaitEnd(launch);
    return launch;
  }

  /** Answers the next dialog of this title, which stays open until then. */
  private static void answer(String title, java.util.function.Consumer<Shell> answer) {
    Display display = Display.getCurrent();
    long end = System.currentTimeMillis() + 120_000;
    display.timerExec(100, new Runnable() {
      @Override
      public void run() {
        Shell dialog = Workbench.dialog(title);
        if (dialog != null) {
          try {
            answer.accept(dialog);
          } finally {
            if (!dialog.isDisposed()) {
              dialog.close();
            }
          }
        } else if (System.currentTimeMillis() < end) {
          display.timerExec(100, this);
        }
      }
    });
  }

  @Test
  void programsAreToldByTheirContent() throws Exception {
    IFile program = Launching.program(project, "mutex_queue");
    ProgramTester tester = new ProgramTester();
    assertTrue(tester.test(program, "canLaunch", new Object[0], null));
    assertTrue(tester.test(project, "canLaunch", new Object[0], null));
    assertFalse(tester.test(source, "canLaunch", new Object[0], null));
    project.close(null);
    assertFalse(tester.test(project, "canLaunch", new Object[0], null));
    project.open(null);
  }

  @Test
  void aBinaryIsLaunchedWithAConfigurationThatIsKept() throws Exception {
    IFile program = Launching.program(project, "mutex_queue");
    ParallelLaunchShortcut shortcut = new ParallelLaunchShortcut();
    assertEquals(0, shortcut.getLaunchConfigurations(new StructuredSelection(program)).length);
    shortcut.launch(new StructuredSelection(program), ILaunchManager.PROFILE_MODE);
    ILaunch launch = awaitLaunch();
    ILaunchConfiguration made = launch.getLaunchConfiguration();
    assertEquals("mutex_queue", made.getName());
    assertEquals(List.of(made),
        List.of(shortcut.getLaunchConfigurations(new StructuredSelection(program))));
    assertEquals(1, OpenSession.current().state().traces().size());
    // The second time it is the same one.
    manager.removeLaunch(launch);
    shortcut.launch(new StructuredSelection(program), ILaunchManager.PROFILE_MODE);
    assertEquals(made, awaitLaunch().getLaunchConfiguration());
    assertEquals(1, manager.getLaunchConfigurations().length);
  }

  @Test
  void aProgramOfMpiGetsItsLauncher() throws Exception {
    IFile program = Launching.program(project, "heat.openmpi");
    ILaunchConfiguration made = ParallelLaunchShortcut.create(program);
    ApplicationSettings application =
        ApplicationSettings.read(LaunchPlans.settings(made)).get(0);
    assertEquals("mpirun.openmpi", application.get(Field.LAUNCHER));
    assertTrue(Integer.parseInt(application.get(Field.PROCESSES)) >= 2);
    assertEquals("${workspace_loc:/programs/heat.openmpi}", application.get(Field.PROGRAM));
    assertEquals(List.of(made), ParallelLaunchShortcut.configurations(program));
  }

  @Test
  void ofSeveralProgramsOfAProjectOneIsChosen() throws Exception {
    Launching.program(project, "heat.openmpi");
    Launching.program(project, "mutex_queue");
    answer("Profile As Parallel Program", dialog -> {
      Table table = Workbench.find(dialog, Table.class, each -> true).get(0);
      Workbench.await("two programs", () -> table.getItemCount() == 2);
      table.setSelection(1);
      table.notifyListeners(SWT.Selection, new Event());
      Button ok = Workbench.button(dialog, "OK");
      Workbench.press(ok);
    });
    IEditorPart editor = IDE.openEditor(Workbench.page(), source);
    new ParallelLaunchShortcut().launch(editor, ILaunchManager.PROFILE_MODE);
    assertEquals("mutex_queue", awaitLaunch().getLaunchConfiguration().getName());
  }

  @Test
  void aProjectWithoutProgramsIsToldSo() {
    String[] text = new String[1];
    answer("Profile As Parallel Program", dialog -> {
      text[0] = Workbench.texts(dialog);
      dialog.close();
    });
    new ParallelLaunchShortcut().launch(new StructuredSelection((IResource) project),
        ILaunchManager.PROFILE_MODE);
    assertTrue(text[0].contains("programs has no program"), text[0]);
    assertEquals(0, manager.getLaunches().length);
  }
}
