package org.parallax.ui.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.commands.ICommandService;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/** Traces without a project: they are opened from anywhere, and come back at the next start. */
class ReopenedTracesTest {
  private static final IEclipsePreferences STORE = InstanceScope.INSTANCE.getNode(Ids.BUNDLE);

  @TempDir Path directory;
  private final ReopenedTraces listener = new ReopenedTraces();
  private String asked;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    OpenSession.current().addListener(listener);
  }

  @AfterEach
  void forget() throws Exception {
    OpenSession.current().removeListener(listener);
    STORE.remove("openTraces");
    STORE.remove("isReopening");
    Workbench.reset();
  }

  private Path sample(String name) throws Exception {
    return SampleTraces.unbalanced(Files.createDirectory(directory.resolve(name)), 3);
  }

  private static List<Path> open() {
    return OpenSession.current().state().traces().stream().map(Trace::directory).toList();
  }

  @Test
  void aDirectoryOpensWithoutAProject() throws Exception {
    Path trace = sample("run (1), 100%");
    var command = Workbench.window().getService(ICommandService.class).deserialize(
        "org.parallax.ui.openDirectory(directory="
            + trace.toString().replaceAll("([%(),=])", "%$1") + ")");
    Workbench.window().getService(IHandlerService.class).executeCommand(command, null);
    Workbench.settle();
    assertEquals(List.of(trace), open());
    assertEquals(0, ResourcesPlugin.getWorkspace().getRoot().getProjects().length);
    assertEquals(Ids.PERSPECTIVE, Workbench.page().getPerspective().getId());
  }

  @Test
  void theMenuFileHasIt() {
    Menu menu = Workbench.window().getShell().getMenuBar().getItem(0).getMenu();
    menu.notifyListeners(SWT.Show, new Event());
    List<String> texts = Arrays.stream(menu.getItems())
        .map(item -> item.getText().replace("&", "").replaceFirst("\t.*", "")).toList();
    assertTrue(texts.contains("Open Trace\u2026"), texts::toString);
  }

  @Test
  void whatIsOpenIsWrittenDownAtEachChange() throws Exception {
    Path first = sample("first");
    Path second = sample("second");
    OpenSession.current().open(List.of(first, second));
    Workbench.settle();
    assertEquals(List.of(first, second), ReopenedTraces.read());
    OpenSession.current().close(OpenSession.current().state().traces().subList(0, 1));
    Workbench.settle();
    assertEquals(List.of(second), ReopenedTraces.read());
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    assertEquals(List.of(), ReopenedTraces.read());
  }

  @Test
  void theyAreThereAfterTheNextStart() throws Exception {
    Path first = sample("first");
    Path second = sample("second");
    OpenSession.current().open(List.of(first, second));
    Workbench.settle();
    List<Path> written = ReopenedTraces.read();
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    // When the workbench ends nobody tells of what is closed then.
    STORE.put("openTraces",
        String.join("\n", written.stream().map(Path::toString).toList()));
    assertFalse(OpenSession.current().state().isOpen());
    new CommandLineStartup().earlyStartup();
    Workbench.await("the traces", () -> OpenSession.current().state().isOpen());
    assertTrue(STORE.getBoolean("isReopening", false), "a workbench that hangs now is known at the next start");
    Workbench.settle();
    assertEquals(List.of(first, second), open());
    Workbench.await("proof that it does not hang", () -> !STORE.getBoolean("isReopening", false));
  }

  @Test
  void tracesThatHungTheWorkbenchAreNotReopenedUnasked() throws Exception {
    Path trace = sample("hangs");
    STORE.put("openTraces", trace.toString());
    STORE.putBoolean("isReopening", true);
    Display.getCurrent().timerExec(100, new Runnable() {
      @Override
      public void run() {
        Shell dialog = Workbench.dialog("Reopen Traces");
        if (dialog == null) {
          Display.getCurrent().timerExec(100, this);
          return;
        }
        asked = Workbench.texts(dialog);
        Workbench.press(Workbench.button(dialog, "Do Not Open"));
      }
    });
    new CommandLineStartup().earlyStartup();
    Workbench.await("the question", () -> asked != null);
    Workbench.settle();
    assertTrue(asked.contains(trace.toString()), asked);
    assertFalse(OpenSession.current().state().isOpen());
    assertEquals(List.of(), ReopenedTraces.read(), "nor at the start after the next");
    assertFalse(STORE.getBoolean("isReopening", false));
  }

  @Test
  void aSessionComesBackAsAWholeAndItsPartsAlone() {
    Path session = Path.of("/s.session");
    Path a = Path.of("/a");
    Path b = Path.of("/b");
    Path c = Path.of("/c");
    List<OpenRun> runs = List.of(
        new OpenRun(session, "", "base", true, List.of(new OpenRun.Repetition(a, List.of(a)))),
        new OpenRun(session, "", "new", false, List.of(new OpenRun.Repetition(b, List.of(b)))));
    assertEquals(List.of(session, c), List.copyOf(ReopenedTraces.sources(List.of(a, b, c), runs)));
    assertEquals(List.of(b, c), List.copyOf(ReopenedTraces.sources(List.of(b, c), runs)));
    assertEquals(List.of(a, c), List.copyOf(ReopenedTraces.sources(List.of(a, c), List.of())));
  }
}
