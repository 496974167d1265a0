package org.parallax.ui.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.TableItem;
import org.jfree.chart.ChartRenderingInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.HistogramCurves;
import org.parallax.analysis.metrics.HistogramCurves.Curve;
import org.parallax.analysis.metrics.HistogramMetric;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.ui.charts.HistogramDrawing;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.RunAlignment;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;
import org.parallax.ui.views.LevelNames;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;

/** Time histograms in a real workbench, of ranks whose work is known. */
class HistogramViewTest {
  private static final long MS = 1_000_000;
  private static final long LENGTH_NS = 5 * 41 * MS;

  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    OpenSession.current().state().phases().forEach(OpenSession.current()::removePhase);
  }

  /** A label that is cut says nothing, and takes room from the curves. */
  @Test
  void aLowChartHasNoLabelThatWouldBeCut() throws Exception {
    HistogramView view = view();
    var drawing = new HistogramDrawing(curves(view), Set.of(0), null, view.pane().canvas().theme(), false);
    double high = left(drawing, 500);
    double low = left(drawing, 110);
    assertTrue(low < high - 10, "the curves begin at " + low + " and " + high);
  }

  private static double left(HistogramDrawing drawing, int height) {
    var image = new java.awt.image.BufferedImage(600, height, java.awt.image.BufferedImage.TYPE_INT_RGB);
    ChartRenderingInfo info = new ChartRenderingInfo();
    drawing.draw(image.createGraphics(), 600, height, info);
    return info.getPlotInfo().getDataArea().getX();
  }

  private Path sample(String name, int steps) throws Exception {
    return SampleTraces.unbalanced(Files.createDirectory(directory.resolve(name)), steps);
  }

  private HistogramView view() throws Exception {
    HistogramView view =
        ChartDriver.fresh(HistogramView.class, Ids.HISTOGRAM_VIEW);
    ChartDriver.open(sample("run", 5));
    Workbench.await("a picture", () -> view.pane().plotArea() != null);
    return view;
  }

  private static HistogramCurves curves(HistogramView view) {
    return view.result().curves();
  }

  private static int x(HistogramView view, long timeNs) {
    Rectangle area = view.pane().plotArea();
    Window visible = curves(view).visible();
    return area.x + (int) Math.round((double) area.width * (timeNs - visible.beginNs())
        / (visible.endNs() - visible.beginNs()));
  }

  private static void drag(HistogramView view, long fromNs, long toNs, int mask) {
    Rectangle area = view.pane().plotArea();
    ChartDriver.drag(view.pane().canvas(), x(view, fromNs), x(view, toNs),
        area.y + area.height / 2, mask);
  }

  /** The time of a few points on the screen. */
  private static double tolerance(HistogramView view) {
    return 3.0 * LENGTH_NS / view.pane().plotArea().width;
  }

  @Test
  void curvesAreThoseOfTheCore() throws Exception {
    HistogramView view = view();
    assertEquals("utilization", curves(view).metric().key());
    assertEquals(List.of("ring"), curves(view).curves().stream().map(Curve::name).toList());
    for (Level level : List.of(Level.APPLICATION, Level.MACHINE, Level.PROCESS, Level.THREAD)) {
      Views.choose(view.levelChoice(), LevelNames.of(level));
      for (String key : List.of("cpu", "barrier-wait", "samples", "running")) {
        view.chooseMetric(key);
        Workbench.settle();
        Path path = OpenSession.current().state().traces().get(0).directory();
        try (Trace trace = Trace.open(path)) {
          var analysis = new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
          HistogramMetric metric = HistogramMetric.all(analysis).get(key);
          Table table = HistogramReport.of(analysis, List.of(metric), level, null,
              view.pane().bins(), Progress.NONE);
          assertEquals(table.columns().stream().skip(2).map(column -> column.label()).toList(),
              curves(view).curves().stream().map(Curve::name).toList());
          for (int i = 2; i < table.columns().size(); i++) {
            int column = i;
            assertArrayEquals(table.rows().stream()
                .mapToDouble(row -> ((Number) row.values().get(column)).doubleValue()).toArray(),
                curves(view).curves().get(i - 2).values(), key);
          }
        }
      }
    }
    // Rank 0 works for 40 of 41 ms, the others for 10.
    Views.choose(view.levelChoice(), "Process");
    view.chooseMetric("cpu");
    Workbench.settle();
    assertEquals(5 * 40 * MS + 5 * MS,
        IntStream.range(0, curves(view).curves().get(0).values().length)
            .mapToDouble(bin -> curves(view).curves().get(0).values()[bin]).sum(), 5.1 * MS);
  }

  @Test
  void theSelectedNodesHaveACurveEach() throws Exception {
    HistogramView view = view();
    TreeNode tree = OpenSession.current().state().scope();
    TreeNode first = tree.children().get(0);
    OpenSession.current().select(OpenSession.current().state().selection().withNodes(
        List.of(first.children().get(1), tree, tree.children().get(1))));
    Workbench.settle();
    assertEquals(List.of("node1:ring[1]", "ring", "node2"),
        curves(view).curves().stream().map(Curve::name).toList());
    OpenSession.current().setScope(first.children().get(0));
    Workbench.settle();
    assertEquals(List.of("node1:ring[0]"),
        curves(view).curves().stream().map(Curve::name).toList());
  }

  @Test
  void dragZoomsAndNavigationIsUndone() throws Exception {
    HistogramView view = view();
    double tolerance = tolerance(view);
    Window all = curves(view).visible();
    assertEquals(LENGTH_NS, all.endNs() - all.beginNs());
    drag(view, 50 * MS, 100 * MS, SWT.SHIFT);
    Window zoomed = curves(view).visible();
    assertEquals(50 * MS, zoomed.beginNs(), tolerance);
    assertEquals(100 * MS, zoomed.endNs(), tolerance);
    drag(view, 60 * MS, 70 * MS, SWT.MOD1);
    assertEquals(10 * MS, length(view), tolerance);
    ChartDriver.key(view.pane().canvas(), SWT.ARROW_LEFT, '\0', SWT.ALT);
    assertEquals(zoomed.beginNs(), curves(view).visible().beginNs());
    ChartDriver.key(view.pane().canvas(), SWT.ARROW_RIGHT, '\0', SWT.ALT);
    assertEquals(10 * MS, length(view), tolerance);
    ChartDriver.key(view.pane().canvas(), SWT.HOME, '\0', 0);
    assertEquals(all.beginNs(), curves(view).visible().beginNs());
    assertEquals(10 * MS, length(view), tolerance);
    ChartDriver.key(view.pane().canvas(), SWT.END, '\0', 0);
    assertEquals(all.endNs(), curves(view).visible().endNs());
    assertEquals(10 * MS, length(view), tolerance);
    ChartDriver.key(view.pane().canvas(), '0', '0', 0);
    assertEquals(LENGTH_NS, length(view));
    ChartDriver.mouse(view.pane().canvas(), SWT.MouseDoubleClick, 100, 100, 0, 2);
    assertNull(view.pane().zoom());
    // Escape gives a drag up.
    Rectangle area = view.pane().plotArea();
    var canvas = view.pane().canvas();
    ChartDriver.mouse(canvas, SWT.MouseDown, area.x + 50, area.y + 20, 0, 1);
    ChartDriver.mouse(canvas, SWT.MouseMove, area.x + 150, area.y + 20, SWT.BUTTON1, 0);
    ChartDriver.key(canvas, SWT.ESC, SWT.ESC, SWT.BUTTON1);
    ChartDriver.mouse(canvas, SWT.MouseUp, area.x + 150, area.y + 20, SWT.BUTTON1, 1);
    assertNull(view.pane().zoom());
  }

  private static long length(HistogramView view) {
    return curves(view).visible().endNs() - curves(view).visible().beginNs();
  }

  @Test
  void wheelAndKeysZoomAndMove() throws Exception {
    HistogramView view = view();
    var canvas = view.pane().canvas();
    int x = x(view, 100 * MS);
    ChartDriver.wheel(canvas, x, 100, 0, 1);
    assertEquals(LENGTH_NS / 1.5, length(view), 2);
    assertEquals(x, x(view, 100 * MS), 2, "the time under the pointer stays");
    long begin = curves(view).visible().beginNs();
    ChartDriver.wheel(canvas, x, 100, SWT.SHIFT, -1);
    assertEquals(begin + LENGTH_NS / 1.5 / 8, curves(view).visible().beginNs(), 2);
    ChartDriver.key(canvas, SWT.ARROW_LEFT, '\0', 0);
    assertEquals(begin, curves(view).visible().beginNs(), 2);
    ChartDriver.key(canvas, '-', '-', 0);
    assertEquals(LENGTH_NS, length(view));
    ChartDriver.key(canvas, '+', '+', 0);
    assertEquals(LENGTH_NS / 1.5, length(view), 2);
    // So many steps that follow each other are undone at once.
    ChartDriver.key(canvas, SWT.ARROW_LEFT, '\0', SWT.ALT);
    assertEquals(LENGTH_NS, length(view));
  }

  @Test
  void aPhaseThatIsDrawnLimitsTheTables() throws Exception {
    HistogramView view = view();
    double tolerance = tolerance(view);
    drag(view, 82 * MS, 123 * MS, 0);
    ChartDriver.answer("Define Phase", "middle");
    ChartDriver.key(view.pane().canvas(), 'p', 'p', 0);
    Phase phase = OpenSession.current().state().selection().phase();
    assertEquals("middle", phase.name());
    assertEquals(List.of(phase), OpenSession.current().state().phases());
    assertEquals(82 * MS, phase.window().beginNs(), tolerance);
    assertEquals(123 * MS, phase.window().endNs(), tolerance);
    assertEquals(LENGTH_NS, length(view), "the chart shows all of the time");
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    Workbench.settle();
    assertEquals("middle", profile.result().parameters().get("phase"));
    assertEquals(4 * (phase.window().endNs() - phase.window().beginNs()),
        profile.result().total());
    // After a switch no key is needed, and the next name is proposed.
    view = (HistogramView) Workbench.page().showView(Ids.HISTOGRAM_VIEW);
    Workbench.settle();
    view.phaseAction().setChecked(true);
    String[] proposed = {null};
    view.pane().canvas().getDisplay().timerExec(400, () -> {
      var dialog = Workbench.dialog("Define Phase");
      proposed[0] = Workbench.find(dialog, org.eclipse.swt.widgets.Text.class,
          each -> (each.getStyle() & SWT.READ_ONLY) == 0).get(0).getText();
      dialog.close();
    });
    drag(view, 10 * MS, 20 * MS, 0);
    assertEquals("phase 1", proposed[0]);
    assertEquals(phase, OpenSession.current().state().selection().phase(), "nothing was defined");
    Menus.choose(view.pane().canvas().getMenu(), "Show All Phases");
    assertNull(OpenSession.current().state().selection().phase());
  }

  @Test
  void legendHidesCurvesAndToolTipsTellValues() throws Exception {
    HistogramView view = view();
    Views.choose(view.levelChoice(), "Process");
    assertEquals(Set.of(0, 1, 2, 3), view.legend().shown());
    Rectangle area = view.pane().plotArea();
    String tip = view.pane().canvas().toolTip(area.x + 5, area.y + 5);
    assertTrue(tip.contains("node1:ring[0]: 100 %") && tip.contains("node2:ring[3]: 100 %"), tip);
    TableItem item = view.legend().table().getItem(3);
    assertEquals("node2:ring[3]", item.getText());
    Event click = new Event();
    click.item = item;
    view.legend().table().notifyListeners(SWT.Selection, click);
    Workbench.settle();
    assertEquals(Set.of(0, 1, 2), view.legend().shown());
    assertFalse(item.getChecked());
    tip = view.pane().canvas().toolTip(area.x + 5, area.y + 5);
    assertFalse(tip.contains("node2:ring[3]"), tip);
    assertNull(view.pane().canvas().toolTip(2, 2));
  }

  @Test
  void anotherRunLiesOverTheCurvesFromTheSameStart() throws Exception {
    HistogramView view = ChartDriver.fresh(HistogramView.class, Ids.HISTOGRAM_VIEW);
    ChartDriver.open(sample("now", 5), sample("before", 3));
    ChartDriver.select("now");
    Views.choose(view.runs().combo(), "ring@before");
    assertEquals(List.of(false, true),
        curves(view).curves().stream().map(Curve::isOther).toList());
    assertEquals(LENGTH_NS, length(view), "the longer run is all in sight");
    double[] before = curves(view).curves().get(1).values();
    assertTrue(Double.isNaN(before[before.length - 1]), "it has ended");
    assertEquals(100, before[0], 0.01);
    ChartDriver.select("before");
    Views.choose(view.runs().combo(), "ring in now");
    assertEquals(LENGTH_NS, length(view), "the longer run is all in sight");
    assertEquals(LENGTH_NS, curves(view).whole().endNs());
  }

  @Test
  void anotherRunIsWhereTheTimelineHasIt() throws Exception {
    HistogramView view = ChartDriver.fresh(HistogramView.class, Ids.HISTOGRAM_VIEW);
    ChartDriver.open(sample("now", 5), sample("before", 3));
    ChartDriver.select("now");
    Views.choose(view.runs().combo(), "ring@before");
    Trace before = OpenSession.current().state().traces().get(1);
    try {
      OpenSession.current().align(RunAlignment.START.shifted(before, 41 * MS));
      Workbench.settle();
      assertEquals(0, curves(view).whole().beginNs());
      assertEquals(LENGTH_NS, curves(view).whole().endNs());
      double[] shifted = curves(view).curves().get(1).values();
      assertTrue(Double.isNaN(shifted[curves(view).bin(30 * MS)]), "it has not begun");
      assertEquals(100, shifted[curves(view).bin(50 * MS)], 0.01);
      assertEquals(100, shifted[curves(view).bin(150 * MS)], 0.01);
      assertTrue(Double.isNaN(shifted[curves(view).bin(180 * MS)]), "it has ended");
      OpenSession.current().align(RunAlignment.START.shifted(before, -41 * MS));
      Workbench.settle();
      assertEquals(-41 * MS, curves(view).whole().beginNs());
      assertEquals(LENGTH_NS, curves(view).whole().endNs());
      assertEquals(100, curves(view).curves().get(1).values()[0], 0.01);
    } finally {
      OpenSession.current().align(RunAlignment.START);
    }
  }

  @Test
  void aZoomStaysWithinTheRunThatIsSelected() throws Exception {
    HistogramView view = ChartDriver.fresh(HistogramView.class, Ids.HISTOGRAM_VIEW);
    ChartDriver.open(sample("now", 5), sample("before", 3));
    ChartDriver.select("now");
    Workbench.await("a picture", () -> view.pane().plotArea() != null);
    drag(view, 150 * MS, 200 * MS, SWT.SHIFT);
    long length = length(view);
    ChartDriver.select("before");
    Window visible = curves(view).visible();
    assertTrue(visible.endNs() <= curves(view).whole().endNs(), "it is in the shorter run");
    assertEquals(length, length(view));
    assertEquals(visible.beginNs(), view.pane().zoom().beginNs());
    ChartDriver.wheel(view.pane().canvas(), 200, 100, 0, -1);
    ChartDriver.wheel(view.pane().canvas(), 200, 100, 0, -1);
    ChartDriver.wheel(view.pane().canvas(), 200, 100, 0, -1);
    assertNull(view.pane().zoom());
    assertEquals(3 * 41 * MS, length(view));
  }

  @Test
  void pinnedHistogramStays() throws Exception {
    HistogramView view = view();
    view.pin().setChecked(true);
    view.pin().run();
    OpenSession.current().setScope(OpenSession.current().state().scope().children().get(0));
    Workbench.settle();
    assertEquals(List.of("ring"), curves(view).curves().stream().map(Curve::name).toList());
    view.pin().setChecked(false);
    view.pin().run();
    Workbench.settle();
    assertEquals(List.of("node1"), curves(view).curves().stream().map(Curve::name).toList());
  }

  @Test
  void picturesHaveALegend() throws Exception {
    HistogramView view = view();
    Path svg = directory.resolve("curves.svg");
    ChartDriver.save(view.pane().canvas(), svg);
    String text = Files.readString(svg);
    assertTrue(text.contains(">time (ms)<"), "the axis");
    assertTrue(text.contains(">ring<"), "the legend");
    Path png = directory.resolve("curves.png");
    ChartDriver.save(view.pane().canvas(), png);
    assertEquals(2 * view.pane().canvas().getClientArea().width,
        ImageIO.read(png.toFile()).getWidth());
  }

  @Test
  void exportHasTheValuesInSight() throws Exception {
    HistogramView view = view();
    view.chooseMetric("cpu");
    Workbench.settle();
    Path file = directory.resolve("curves.csv");
    Job job = view.export(curves(view), file);
    Workbench.await("the file", () -> job.getResult() != null);
    List<String> lines = Files.readAllLines(file);
    assertEquals("bin,from,to,cpu ring", lines.get(0).replace("name,", "bin,"));
    assertEquals(view.pane().bins() + 1, lines.size());
    String[] first = lines.get(1).split(",");
    assertEquals(Math.round(curves(view).curves().get(0).values()[0]), Long.parseLong(first[3]));
  }

  @Test
  void withoutATraceAndWithADamagedOneThereAreWords() throws Exception {
    HistogramView view = ChartDriver.fresh(HistogramView.class, Ids.HISTOGRAM_VIEW);
    assertTrue(view.message().contains("No trace is open. To see the time histogram"),
        view.message());
    ChartDriver.open(
        Path.of(System.getProperty("parallax.root"), "native/format/golden/damaged"));
    assertFalse(curves(view).curves().isEmpty());
    assertFalse(view.warnings().isEmpty(), "the damage is told");
  }
}
