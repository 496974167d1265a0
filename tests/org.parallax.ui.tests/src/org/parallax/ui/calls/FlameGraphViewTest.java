package org.parallax.ui.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.geom.Rectangle2D;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.Phase;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;
import org.parallax.ui.views.Views;

/** Flame graphs in a real workbench, of call paths whose times are known. */
class FlameGraphViewTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    OpenSession.current().state().phases().forEach(OpenSession.current()::removePhase);
  }

  /** main/a/x 40 ms or more, main/b 30 ms, main/MPI_Barrier 20 ms, main 10 ms. */
  private Path run(String name, long xMs) {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name)).sampleHz(10);
    var process = trace.process("host", "/opt/flames");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    thread.sample(xMs * MS, "main/a/x").sample((xMs + 30) * MS, "main/b")
        .sample((xMs + 50) * MS, "main/wait_all").sample((xMs + 60) * MS, "main")
        .threadEnd((xMs + 60) * MS);
    process.exit((xMs + 60) * MS, 0);
    return trace.write();
  }

  private static FlameGraphView view() throws Exception {
    return ChartDriver.fresh(FlameGraphView.class, Ids.FLAME_GRAPH_VIEW);
  }

  private static Node node(FlameGraphView view, String path) {
    return view.result().tree().nodes().stream().filter(node -> node.path().equals(path))
        .findFirst().orElseThrow();
  }

  private static Rectangle2D bounds(FlameGraphView view, String path) {
    return view.flames().layout().bounds(node(view, path));
  }

  private static void click(FlameGraphView view, String path) {
    Rectangle2D bounds = bounds(view, path);
    ChartDriver.click(view.flames().canvas(), (int) bounds.getCenterX(),
        (int) bounds.getCenterY());
  }

  private static void key(FlameGraphView view, int code) {
    ChartDriver.key(view.flames().canvas(), code, '\0', 0);
  }

  /** Rank 1 waits 40 ms for rank 0, which is in main/a. */
  private Path lateSender() {
    TraceBuilder trace = new TraceBuilder(directory.resolve("late")).sampleHz(10);
    trace.mpiJob("host", "/opt/flames", 2);
    trace.process(0).thread(0).threadBegin(0, -1).sample(30 * MS, "main/a")
        .send(40 * MS, 41 * MS, "main/MPI_Send", 1, 1, 7, 4096).threadEnd(42 * MS);
    trace.process(1).thread(0).threadBegin(0, -1)
        .receive(0, 42 * MS, "main/b/MPI_Recv", 1, 0, 7, 4096).threadEnd(43 * MS);
    return trace.write();
  }

  @Test
  void thePathAndWaitsHaveTheOtherSideOnTop() throws Exception {
    FlameGraphView view = view();
    ChartDriver.open(lateSender());
    Views.choose(view.subjectChoice(), "Critical path");
    assertTrue(node(view, "main;b;MPI_Recv;-- Msg;MPI_Send;main").isOfOther());
    Views.choose(view.subjectChoice(), "Waits");
    assertEquals(40 * MS, view.result().tree().totalNs(Weight.WALL));
    assertEquals(40 * MS, node(view, "main;b;MPI_Recv;-- late sender").inclusiveNs(Weight.WALL));
    assertTrue(!view.weightChoice().isEnabled(), "waits are in wall time");
    click(view, "main;b;MPI_Recv;-- late sender");
    assertTrue(view.flames().description().contains("lost waiting"), view.flames().description());
    Views.choose(view.subjectChoice(), "Time");
    assertTrue(view.weightChoice().isEnabled());
  }

  @Test
  void framesAreProportionalAndAClickZooms() throws Exception {
    FlameGraphView view = view();
    ChartDriver.open(run("run", 40));
    double width = view.flames().canvas().getClientArea().width;
    assertEquals(width, bounds(view, "main").getWidth(), 0.01);
    assertEquals(0.4 * width, bounds(view, "main;a;x").getWidth(), 0.01);
    assertEquals(0.3 * width, bounds(view, "main;b").getWidth(), 0.01);
    assertEquals(0.4 * width, bounds(view, "main;b").getX(), 0.01);
    assertTrue(bounds(view, "main;a;x").getY() > bounds(view, "main").getY(), "an icicle");
    click(view, "main;b");
    assertEquals(width, bounds(view, "main;b").getWidth(), 0.01);
    assertNull(bounds(view, "main;a"));
    assertEquals("flames \u203a main \u203a b",
        view.crumbs().getText().replaceAll("<[^>]*>", ""));
    assertEquals("b", OpenSession.current().state().selection().procedure().getName());
    // Back by key, by the crumbs, and forward.
    key(view, SWT.BS);
    assertEquals(view.result().tree().root(), view.flames().zoom());
    ChartDriver.key(view.flames().canvas(), SWT.ARROW_RIGHT, '\0', SWT.ALT);
    assertEquals(node(view, "main;b"), view.flames().zoom());
    Event link = new Event();
    link.text = "1";
    view.crumbs().notifyListeners(SWT.Selection, link);
    assertEquals(node(view, "main"), view.flames().zoom());
    key(view, SWT.HOME);
    assertEquals(view.result().tree().root(), view.flames().zoom());
  }

  @Test
  void keysMoveTheFocusAndTellIt() throws Exception {
    FlameGraphView view = view();
    ChartDriver.open(run("run", 40));
    key(view, SWT.ARROW_DOWN);
    assertEquals("main", view.flames().focus().path());
    key(view, SWT.ARROW_DOWN);
    assertEquals("main;a", view.flames().focus().path());
    key(view, SWT.ARROW_RIGHT);
    assertEquals("main;b", view.flames().focus().path());
    assertEquals("b\n30.00 ms inclusive, 30.00 % of all; 30.00 ms exclusive; 1 samples",
        view.flames().description());
    key(view, SWT.ARROW_LEFT);
    key(view, SWT.ARROW_DOWN);
    assertEquals("main;a;x", view.flames().focus().path());
    key(view, SWT.CR);
    assertEquals("main;a;x", view.flames().zoom().path());
    key(view, SWT.ARROW_UP);
    assertEquals("main;a", view.flames().focus().path());
    key(view, SWT.BS);
    view.flames().setUpwards(true);
    Workbench.settle();
    assertTrue(bounds(view, "main;a;x").getY() < bounds(view, "main").getY(), "flames go up");
    key(view, SWT.ARROW_UP);
    assertEquals("main;a;x", view.flames().focus().path());
  }

  @Test
  void searchTellsItsShare() throws Exception {
    FlameGraphView view = view();
    ChartDriver.open(run("run", 40));
    view.searchField().setText("wait");
    Workbench.settle();
    assertEquals("20.00 % found", view.foundText());
    view.searchField().setText("a");
    Workbench.settle();
    assertEquals("100.00 % found", view.foundText(), "main has it, what it calls counts once");
    WeakReference<Trace> trace = new WeakReference<>(OpenSession.current().state().traces().get(0));
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    Workbench.awaitGone(trace);
    view.searchField().setText("");
    Workbench.settle();
    assertEquals("", view.foundText());
  }

  @Test
  void followsPhaseNodesAndProcedures() throws Exception {
    FlameGraphView view = view();
    ChartDriver.open(run("run", 40));
    click(view, "main;a");
    Phase phase = new Phase("first", new Window(0, 60 * MS));
    OpenSession.current().definePhase(phase);
    OpenSession.current().setPhase(phase);
    Workbench.settle();
    assertEquals(60 * MS, view.result().tree().totalNs(Weight.WALL));
    assertEquals("main;a", view.flames().zoom().path(), "it stays where it was");
    assertEquals(20 * MS, node(view, "main;b").inclusiveNs(Weight.WALL));
    OpenSession.current().setPhase(null);
    Workbench.settle();
    assertEquals(100 * MS, view.result().tree().totalNs(Weight.WALL));
  }

  @Test
  void anotherRunIsComparedInColours() throws Exception {
    FlameGraphView view = view();
    ChartDriver.open(run("now", 40), run("before", 20));
    ChartDriver.select("now");
    Views.choose(view.runs().combo(), "flames@before");
    assertEquals(20 * MS,
        view.result().difference().changeNs(node(view, "main;a;x")));
    assertEquals(0, view.result().difference().changeNs(node(view, "main;b")));
    Path png = directory.resolve("difference.png");
    ChartDriver.save(view.flames().canvas(), png);
    var image = ImageIO.read(png.toFile());
    Rectangle2D changed = bounds(view, "main;a;x");
    int rgb = image.getRGB((int) (2 * changed.getMaxX() - 12), (int) (2 * changed.getY() + 4));
    int red = rgb >> 16 & 255;
    int blue = rgb & 255;
    assertTrue(red > blue + 80, Integer.toHexString(rgb));
    String tip = view.flames().canvas().toolTip((int) changed.getCenterX(),
        (int) changed.getCenterY());
    assertTrue(tip.contains("20.00 ms more than the 20.00 ms in flames@before"), tip);
    ChartDriver.select("before");
    Views.choose(view.runs().combo(), "flames in now");
    assertEquals(-20 * MS, view.result().difference().changeNs(node(view, "main;a;x")));
    view.normalized().setSelection(true);
    view.normalized().notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
    assertEquals(0, view.result().difference().changeNs(node(view, "main")), 1);
  }

  @Test
  void picturesAreSaved() throws Exception {
    FlameGraphView view = view();
    ChartDriver.open(run("run", 40));
    Path svg = directory.resolve("flames.svg");
    ChartDriver.save(view.flames().canvas(), svg);
    String text = Files.readString(svg);
    for (String name : List.of("flames", "main", "wait_all")) {
      assertTrue(text.contains(">" + name + "<"), name);
    }
  }

  @Test
  void withoutATraceAndWithADamagedOneThereAreWords() throws Exception {
    FlameGraphView view = view();
    assertTrue(view.message().contains("No trace is open. To see the flame graph"),
        view.message());
    ChartDriver.open(
        Path.of(System.getProperty("parallax.root"), "native/format/golden/damaged"));
    String told = view.warnings().toString();
    assertTrue(told.contains("There are no call paths in") && told.contains("checksum"), told);
  }
}
