package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.ui.IWorkbenchCommandConstants;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.ide.IDE;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.timeline.MessageLines;
import org.parallax.analysis.timeline.PathPieces;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.ChartTheme;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.testing.LogEntries;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;
import org.parallax.ui.views.Views;

/** The timeline in a real workbench, of a trace whose picture can be told from the code. */
class TimelineViewTest extends TimelineFixture {
  @Test
  void lanesShowWhatThreadsDoAndWaitFor() throws Exception {
    TimelineView view = open(relay());
    TimelineScene scene = view.control().scene();
    assertEquals(List.of("relay[0]", "relay[1]"),
        scene.lanes().rows().stream().map(Lanes.Lane::name).toList());
    assertEquals(new TimeWindow(0, 100 * MS), window(view));
    assertEquals("solve", state(view, 0, 30 * MS));
    assertEquals("MPI_Send", state(view, 0, 62 * MS));
    assertEquals("", state(view, 0, 80 * MS));
    assertEquals("prepare", state(view, 1, 10 * MS));
    assertEquals(WaitState.LATE_SENDER.label(), state(view, 1, 40 * MS));
    assertEquals("MPI_Recv", state(view, 1, 65 * MS));
    assertEquals("use", state(view, 1, 90 * MS));
  }

  @Test
  void messagesAndTheCriticalPathAreDrawn() throws Exception {
    TimelineView view = open(relay());
    MessageLines messages = view.control().drawn().messages();
    assertEquals(List.of(new MessageLines.Line(0, 60 * MS, 1, 70 * MS, 4096, false)),
        messages.lines());
    PathPieces path = view.control().drawn().path();
    assertEquals(List.of(new PathPieces.Piece(0, 0, 60 * MS, ArcKind.WORK),
        new PathPieces.Piece(1, 70 * MS, 100 * MS, ArcKind.MESSAGE)), path.pieces());
    // They can be switched off.
    view.control().showLines(false, false);
    awaitPicture(view);
    assertNull(view.control().drawn().messages());
    assertNull(view.control().drawn().path());
  }

  @Test
  void picturesHaveTheColoursOfStatesAndAreSaved() throws Exception {
    TimelineView view = open(relay());
    Path png = directory.resolve("timeline.png");
    Path svg = directory.resolve("timeline.svg");
    for (Path file : List.of(png, svg)) {
      Job job = view.control().canvas().save(file);
      Workbench.await("the file", () -> job.getResult() != null);
      assertTrue(job.getResult().isOK() && Files.size(file) > 1000, file.toString());
    }
    String drawing = Files.readString(svg);
    for (String name : List.of("relay[0]", "relay[1]", "solve", "late sender", " ms<")) {
      assertTrue(drawing.contains(name), name);
    }
    var picture = javax.imageio.ImageIO.read(png.toFile());
    Set<Integer> colors = new java.util.HashSet<>();
    for (int x = 0; x < picture.getWidth(); x++) {
      colors.add(picture.getRGB(x, picture.getHeight() / 4));
      for (int y = 0; y < picture.getHeight(); y += 7) {
        colors.add(picture.getRGB(x, y));
      }
    }
    StateColors expected = new StateColors(
        view.control().scene().timeline(), view.control().canvas().theme());
    TimelineDrawing drawn = view.control().drawn();
    for (long ms : new long[] {10, 40, 90}) {
      int column = (int) drawn.scene().window().place(ms * MS, drawn.states().columns());
      assertTrue(colors.contains(expected.of(drawn.state(1, column)).getRGB()), ms + " ms");
    }
  }

  @Test
  void keysZoomAndMoveAndGoBack() throws Exception {
    TimelineView view = open(relay());
    key(view, '+', '+', 0);
    TimeWindow zoomed = window(view);
    assertEquals(100 * MS / 1.5, zoomed.lengthNs(), 2);
    assertEquals(50 * MS, (zoomed.beginNs() + zoomed.endNs()) / 2.0, 2);
    key(view, SWT.ARROW_RIGHT, '\0', 0);
    TimeWindow moved = window(view);
    assertEquals(zoomed.beginNs() + zoomed.lengthNs() / 8.0, moved.beginNs(), 2);
    assertEquals(zoomed.lengthNs(), moved.lengthNs());
    key(view, SWT.END, '\0', 0);
    assertEquals(100 * MS, window(view).endNs());
    key(view, SWT.HOME, '\0', 0);
    assertEquals(0, window(view).beginNs());
    assertEquals(zoomed.lengthNs(), window(view).lengthNs());
    key(view, SWT.ARROW_LEFT, '\0', 0);
    assertEquals(0, window(view).beginNs(), "there is nothing before");
    // Back through all of them, and forward again.
    key(view, SWT.ARROW_LEFT, '\0', SWT.ALT);
    key(view, SWT.ARROW_LEFT, '\0', SWT.ALT);
    assertEquals(moved, window(view));
    key(view, SWT.ARROW_LEFT, '\0', SWT.ALT);
    assertEquals(zoomed, window(view));
    key(view, SWT.ARROW_LEFT, '\0', SWT.ALT);
    assertEquals(new TimeWindow(0, 100 * MS), window(view));
    assertFalse(view.control().canGoBack());
    key(view, SWT.ARROW_RIGHT, '\0', SWT.ALT);
    assertEquals(zoomed, window(view));
    key(view, '-', '-', 0);
    key(view, '0', '0', 0);
    assertEquals(new TimeWindow(0, 100 * MS), window(view));
  }

  /** The workbench has the same keys for where one was in editors. */
  @Test
  void commandsOfNavigationGoBackInTheTimelineWhenItIsActive() throws Exception {
    IProject project = Workbench.project("runs");
    for (String name : List.of("a.txt", "b.txt")) {
      Files.writeString(project.getLocation().append(name).toPath(), name);
      project.refreshLocal(1, null);
      IDE.openEditor(Workbench.page(), project.getFile(name));
    }
    TimelineView view = open(relay());
    key(view, '+', '+', 0);
    TimeWindow zoomed = window(view);
    IHandlerService handlers = Workbench.window().getService(IHandlerService.class);
    handlers.executeCommand(IWorkbenchCommandConstants.NAVIGATE_BACKWARD_HISTORY, null);
    assertEquals(new TimeWindow(0, 100 * MS), window(view));
    handlers.executeCommand(IWorkbenchCommandConstants.NAVIGATE_FORWARD_HISTORY, null);
    assertEquals(zoomed, window(view));
    key(view, SWT.ARROW_LEFT, '\0', SWT.ALT);
    assertEquals(new TimeWindow(0, 100 * MS), window(view));
  }

  @Test
  void whatIsInSightStaysRightWhenZoomedDeep() throws Exception {
    TimelineView view = open(relay());
    for (int i = 0; i < 60; i++) {
      view.control().zoom(0.5, 40 * MS);
    }
    awaitPicture(view);
    assertTrue(window(view).lengthNs() <= TimeWindow.LEAST_NS);
    assertEquals(WaitState.LATE_SENDER.label(), state(view, 1, window(view).beginNs() + 1));
    assertEquals("solve", state(view, 0, window(view).beginNs() + 1));
    view.control().showAll();
    awaitPicture(view);
    assertEquals("use", state(view, 1, 90 * MS));
  }

  @Test
  void wheelZoomsAtThePointerAndMoves() throws Exception {
    TimelineView view = open(relay());
    int x = x(view, 25 * MS);
    mouse(view, SWT.MouseVerticalWheel, x, y(view, 0), SWT.MOD1, 3);
    awaitPicture(view);
    assertEquals(100 * MS / 1.5, window(view).lengthNs(), 2);
    assertEquals(x, x(view, 25 * MS), 1, "what is under the pointer stays there");
    long begin = window(view).beginNs();
    mouse(view, SWT.MouseVerticalWheel, x, y(view, 0), SWT.SHIFT, -3);
    awaitPicture(view);
    assertTrue(window(view).beginNs() > begin);
    mouse(view, SWT.MouseVerticalWheel, x, y(view, 0), SWT.MOD1, -3);
    awaitPicture(view);
    assertTrue(window(view).lengthNs() > 99 * MS);
  }

  @Test
  void dragSelectsARangeAndWithShiftZooms() throws Exception {
    TimelineView view = open(relay());
    double point = 100.0 * MS / view.control().drawn().layout().plot().width;
    drag(view, 20 * MS, 60 * MS, SWT.SHIFT);
    assertEquals(20 * MS, window(view).beginNs(), point);
    assertEquals(60 * MS, window(view).endNs(), point);
    assertNull(OpenSession.current().state().selection().phase());
    drag(view, 30 * MS, 50 * MS, 0);
    assertEquals(List.of(), OpenSession.current().state().phases(), "it has no name");
    assertEquals(30 * MS, OpenSession.current().state().selection().phase().window().beginNs(),
        point);
    ChartDriver.answer("Define Phase", "middle");
    key(view, 'p', 'p', 0);
    Phase phase = OpenSession.current().state().selection().phase();
    assertEquals(List.of(phase), OpenSession.current().state().phases());
    assertEquals(30 * MS, phase.window().beginNs(), point);
    assertEquals(50 * MS, phase.window().endNs(), point);
    assertEquals("middle", phase.name());
    assertEquals(phase, view.control().scene().phase(), "it is marked");
    assertEquals(20 * MS, window(view).beginNs(), point, "what is in sight stays");
    key(view, 'z', 'z', 0);
    assertEquals(30 * MS, window(view).beginNs(), point);
    key(view, SWT.ARROW_LEFT, '\0', SWT.ALT);
    ChartDriver.answer("Define Phase", "in sight");
    Menus.choose(view.control().canvas().getMenu(), "Keep Range or Visible Time as a Phase");
    assertEquals(2, OpenSession.current().state().phases().size());
    ChartDriver.answer("Define Phase", "by key");
    key(view, 'p', 'p', 0);
    assertEquals("by key", OpenSession.current().state().selection().phase().name());
    OpenSession.current().state().phases().forEach(OpenSession.current()::removePhase);
    Workbench.settle();
  }

  @Test
  void clickSelectsTheThreadAndWhatItDoes() throws Exception {
    TimelineView view = open(relay());
    mouse(view, SWT.MouseDown, x(view, 90 * MS), y(view, 1), 0, 1);
    mouse(view, SWT.MouseUp, x(view, 90 * MS), y(view, 1), SWT.BUTTON1, 1);
    awaitPicture(view);
    Selection selection = OpenSession.current().state().selection();
    assertEquals("relay[1]", selection.scope().threads().get(0).getProcess().getName());
    assertEquals(1, selection.scope().threads().size());
    assertEquals("use", selection.procedure().getName());
    assertEquals(Set.of(1), view.control().scene().selected());
    assertEquals(2, view.control().scene().lanes().rows().size(), "the other lane stays");
    assertEquals(selection.procedure(), view.control().scene().procedure());
    // Only its lane, when that is wanted.
    view.onlySelected().setChecked(true);
    view.onlySelected().run();
    awaitPicture(view);
    assertEquals(1, view.control().scene().lanes().rows().size());
    assertEquals("use", state(view, 1, 90 * MS));
    view.onlySelected().setChecked(false);
    view.onlySelected().run();
    awaitPicture(view);
    // By keys: up to the other thread, which at half of the time solves.
    key(view, SWT.ARROW_UP, '\0', 0);
    key(view, SWT.CR, '\r', 0);
    assertEquals("relay[0]", OpenSession.current().state().scope().threads().get(0).getProcess()
        .getName());
    assertEquals("solve", OpenSession.current().state().selection().procedure().getName());
  }

  @Test
  void toolTipsTellWhatIsUnderThePointer() throws Exception {
    TimelineView view = open(relay());
    ChartCanvas canvas = view.control().canvas();
    mouse(view, SWT.MouseMove, x(view, 40 * MS), y(view, 1), 0, 0);
    Workbench.await("a tool tip", () -> canvas.getToolTipText() != null);
    String text = canvas.getToolTipText();
    assertTrue(text.startsWith("relay[1] at "), text);
    for (String part : List.of("late sender", "main > MPI_Recv", "20 ms to 70 ms (50 ms)",
        "from 20 ms to 60 ms (40 ms)", "message from relay[0]: 4096 bytes, sent at 60 ms, "
            + "received at 70 ms")) {
      assertTrue(text.contains(part), part + " in: " + text);
    }
    mouse(view, SWT.MouseMove, x(view, 30 * MS), y(view, 0), 0, 0);
    Workbench.await("another", () -> canvas.getToolTipText() != null
        && canvas.getToolTipText().startsWith("relay[0] at "));
    text = canvas.getToolTipText();
    assertTrue(text.contains("main > solve") && text.contains("on the critical path"), text);
    mouse(view, SWT.MouseMove, 2, 2, 0, 0);
    assertNull(canvas.getToolTipText());
  }

  /** It lay over the next trace. */
  @Test
  void aToolTipGoesWithItsTrace() throws Exception {
    TimelineView view = open(relay());
    ChartCanvas canvas = view.control().canvas();
    for (boolean closes : new boolean[] {false, true}) {
      mouse(view, SWT.MouseMove, x(view, 15 * MS), y(view, closes ? 1 : 0), 0, 0);
      Workbench.await("a tool tip", () -> canvas.getToolTipText() != null);
      if (closes) {
        OpenSession.current().close(OpenSession.current().state().traces());
        Workbench.settle();
      } else {
        OpenSession.current().open(List.of(SampleTraces.threads(
            Files.createDirectory(directory.resolve("other")))));
        Workbench.await("the other trace", () -> OpenSession.current().state().traces().size() == 2);
        awaitPicture(view);
      }
      assertNull(canvas.getToolTipText());
    }
    // Nor does one that was asked for before come later.
    open(relay());
    mouse(view, SWT.MouseMove, x(view, 40 * MS), y(view, 1), 0, 0);
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    assertNull(canvas.getToolTipText());
  }

  /** A source beside the timeline leaves it a third of its width. */
  /** Views are told a little later that traces have been closed. */
  @Test
  void aResultIsNotShownAfterItsTraceWasClosed() throws Exception {
    open(relay());
    List<String> log = LogEntries.ofParallax();
    // This thread handles no events meanwhile: first comes the closing, then the result.
    OpenSession.current().close(OpenSession.current().state().traces());
    Thread.sleep(500);
    OpenSession.current().setScope(OpenSession.current().state().trees().get(0).children().get(0));
    Thread.sleep(500);
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
    assertEquals(log, LogEntries.ofParallax());
  }

  @Test
  void aNarrowViewShowsHowTheCriticalPathGoesFromLaneToLane() throws Exception {
    TimelineView view = open(token(60));
    TimelineDrawing wide = drawing(view);
    draw(wide, 1600);
    TimelineDrawing narrow = drawing(view);
    draw(narrow, 240);
    assertTrue(wide.pathArcs() > 30, "wide: " + wide.pathArcs());
    assertTrue(narrow.pathArcs() > 20, "narrow: " + narrow.pathArcs());
  }

  /** The path goes from lane to lane more often than there is room for. */
  @Test
  void aDenseCriticalPathLeavesTheStatesReadable() throws Exception {
    TimelineView view = open(token(300));
    view.control().showLines(false, true);
    awaitPicture(view);
    TimelineDrawing drawing = drawing(view);
    var with = draw(drawing, 700);
    assertTrue(drawing.pathArcs() > 40, "lines: " + drawing.pathArcs());
    view.control().showLines(false, false);
    awaitPicture(view);
    var without = draw(drawing(view), 700);
    java.awt.Rectangle plot = drawing.layout().plot();
    ChartTheme theme = view.control().canvas().theme();
    int black = theme.foreground().getRGB();
    int white = theme.background().getRGB();
    int covered = 0;
    for (int x = plot.x; x < plot.x + plot.width; x++) {
      for (int y = plot.y; y < plot.y + plot.height; y++) {
        int shown = with.getRGB(x, y);
        // Through faint edges, the colours of states are still seen.
        covered += shown != without.getRGB(x, y) && (shown == black || shown == white) ? 1 : 0;
      }
    }
    double part = (double) covered / (plot.width * plot.height);
    assertTrue(part > 0.02 && part < 0.13, "covered: " + part);
  }

  private static TimelineDrawing drawing(TimelineView view) {
    TimelineScene scene = view.control().scene();
    ChartTheme theme = view.control().canvas().theme();
    return new TimelineDrawing(scene, theme, new StateColors(scene.timeline(), theme), () -> true);
  }

  private static java.awt.image.BufferedImage draw(TimelineDrawing drawing, int width) {
    var image = new java.awt.image.BufferedImage(
        width, 300, java.awt.image.BufferedImage.TYPE_INT_RGB);
    drawing.draw(image.createGraphics(), width, 300, null);
    return image;
  }

  @Test
  void whatIsInSightIsToldInWords() throws Exception {
    TimelineView view = open(relay());
    assertEquals("0 ms to 100 ms (100 ms)", view.control().status());
    assertEquals("relay[0], at 50 ms: solve. Visible: 0 ms to 100 ms (100 ms)",
        view.control().description());
    key(view, SWT.ARROW_DOWN, '\0', 0);
    assertEquals("relay[1], at 50 ms: late sender. Visible: 0 ms to 100 ms (100 ms)",
        view.control().description());
  }

  @Test
  void threadsOfAProcessStandTogetherBelowItsName() throws Exception {
    TimelineView view = open(SampleTraces.threads(
        Files.createDirectory(directory.resolve("source"))));
    List<Lanes.Lane> rows = view.control().scene().lanes().rows();
    assertEquals(List.of("server", "main", "reader"),
        rows.stream().map(Lanes.Lane::name).toList().stream()
            .map(name -> name.replaceAll("\\[.*", "")).toList());
    assertFalse(rows.get(0).isThread());
    assertEquals("accept", state(view, 0, 5 * MS));
    assertEquals("read", state(view, 1, 10 * MS));
  }

  @Test
  void manyThreadsScroll() throws Exception {
    TimelineView view =
        open(SampleTraces.wide(Files.createDirectory(directory.resolve("wide")), 200));
    TimelineLayout layout = view.control().drawn().layout();
    assertTrue(layout.mostScroll() > 0 && view.control().canvas().getVerticalBar().getVisible());
    int shown = layout.endRow(0);
    assertTrue(shown < 200);
    assertEquals("", state(view, 199, 5 * MS), "it is out of sight");
    mouse(view, SWT.MouseVerticalWheel, layout.plot().x + 5, y(view, 1), 0, -3);
    awaitPicture(view);
    assertNotEquals(0, view.control().scene().scroll());
    view.control().moveCurrent(199);
    awaitPicture(view);
    assertEquals(layout.mostScroll(), view.control().scene().scroll());
    assertEquals("solve", state(view, 199, 5 * MS));
  }

  @Test
  void followsTheSelectionAndTellsWhatIsMissing() throws Exception {
    TimelineView view = view();
    assertTrue(view.message().contains("No trace is open"), view.message());
    open(relay());
    assertEquals("", view.message());
    Views.click("relay", "node1", "relay[1]");
    awaitPicture(view);
    assertEquals(Level.PROCESS, OpenSession.current().state().scope().level());
    assertEquals(Set.of(1), view.control().scene().selected());
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    assertTrue(view.message().contains("No trace is open"), view.message());
  }

  @Test
  void goingAroundInALongTraceNeverKeepsTheUiThread() throws Exception {
    TimelineView view =
        open(SampleTraces.unbalanced(Files.createDirectory(directory.resolve("long")), 20_000));
    QuietMachine.measure(attempt -> {
      UiWatch watch = new UiWatch();
      for (int step = 0; step < 30; step++) {
        view.control().zoom(step < 15 ? 0.6 : 1.5);
        view.control().move(0.1);
        watch.run(() -> view.control().drawn().scene().window().equals(window(view)));
      }
      watch.assertNoStall(100);
    });
  }

  @Test
  void readingThatWasStoppedGoesOn() throws Exception {
    TimelineView view = view();
    TraceOpening.open(Workbench.window(), List.of(
        SampleTraces.unbalanced(Files.createDirectory(directory.resolve("long")), 20_000)));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    Workbench.await("a first picture", () -> view.control().drawn() != null);
    for (Job job : Job.getJobManager().find(OpenSession.current())) {
      if (job instanceof ReadTimelineJob) {
        job.cancel();
      }
    }
    Workbench.settle();
    boolean stopped = view.control().status().contains("stopped");
    key(view, SWT.F5, '\0', 0);
    Workbench.settle();
    assertFalse(view.control().status().contains("stopped"));
    assertTrue(view.control().scene().timeline().hasPath(), stopped ? "read again" : "read");
    assertEquals(StateColumns.Quality.EXACT, view.control().drawn().states().quality());
  }
}
