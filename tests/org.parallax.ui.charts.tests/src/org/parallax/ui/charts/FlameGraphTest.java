package org.parallax.ui.charts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.CallTreeDifference;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Application;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Frames are where their times say, and have the colours of what they are. */
class FlameGraphTest {
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  private static final ChartTheme LIGHT = ChartTheme.of(Color.WHITE, Color.BLACK, FONT);
  private static final ChartTheme DARK =
      ChartTheme.of(new Color(0x2f2f2f), new Color(0xdddddd), FONT);
  private static final int WIDTH = 1000;
  private static final int ROW = 20;

  @TempDir Path directory;
  private final List<Trace> traces = new ArrayList<>();

  @AfterEach
  void close() {
    traces.forEach(Trace::close);
  }

  /** A run of one thread that is on each path for so long. */
  private Application run(String name, Map<String, Long> paths) throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name));
    var process = trace.process("host", "/opt/program");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    long now = 0;
    for (Map.Entry<String, Long> path : paths.entrySet()) {
      now += path.getValue();
      thread.sample(now, path.getKey());
    }
    thread.threadEnd(now);
    process.exit(now, 0);
    traces.add(Trace.open(trace.write()));
    return SessionBuilder.of(traces.get(traces.size() - 1)).getApplications().get(0);
  }

  private static CallTree tree(Application application) {
    return CallTree.of(new ApplicationAnalysis(application), null, Progress.NONE);
  }

  /** main 1000: a 500 (x 100, y 400), b 300, its own 200. */
  private CallTree planted() throws Exception {
    Map<String, Long> paths = new LinkedHashMap<>();
    paths.put("main/a/x", 100L);
    paths.put("main/a/y", 400L);
    paths.put("main/b", 300L);
    paths.put("main", 200L);
    return tree(run("planted", paths));
  }

  private static FlameLayout layout(CallTree tree, Node zoom, boolean upwards) {
    return new FlameLayout(tree, Weight.WALL, zoom, WIDTH, 200, ROW, 0, upwards);
  }

  private static Map<String, String> frames(FlameLayout layout) {
    Map<String, String> frames = new LinkedHashMap<>();
    layout.visit((node, x, y, width) -> frames.put(node == null ? "less" : node.path(),
        Math.round(x) + " " + Math.round(y) + " " + Math.round(width)));
    return frames;
  }

  private static Node node(CallTree tree, String path) {
    return tree.nodes().stream().filter(node -> node.path().equals(path)).findFirst()
        .orElseThrow();
  }

  @Test
  void framesAreAsWideAsTheirTimes() throws Exception {
    CallTree tree = planted();
    FlameLayout down = layout(tree, tree.root(), false);
    assertEquals(Map.of("", "0 0 1000", "main", "0 20 1000", "main;a", "0 40 500",
        "main;a;y", "0 60 400", "main;a;x", "400 60 100", "main;b", "500 40 300"), frames(down));
    assertEquals(4, down.rows());
    FlameLayout up = layout(tree, tree.root(), true);
    assertEquals("0 180 1000", frames(up).get(""));
    assertEquals("400 120 100", frames(up).get("main;a;x"));
    for (FlameLayout layout : List.of(down, up, layout(tree, node(tree, "main;a"), false))) {
      layout.visit((node, x, y, width) -> {
        assertSame(node, layout.at(x + 0.5, y + 1));
        assertSame(node, layout.at(x + width - 0.5, y + ROW - 1));
        assertEquals(new Rectangle2D.Double(x, y, width, ROW), layout.bounds(node));
      });
      assertNull(layout.at(900, layout.bounds(layout.zoom()).y + (layout.upwards() ? -30 : 61)));
      assertNull(layout.at(-1, 5));
    }
  }

  @Test
  void theFrameThatIsZoomedToHasAllOfTheWidth() throws Exception {
    CallTree tree = planted();
    FlameLayout zoomed = layout(tree, node(tree, "main;a"), false);
    assertEquals(Map.of("", "0 0 1000", "main", "0 20 1000", "main;a", "0 40 1000",
        "main;a;y", "0 60 800", "main;a;x", "800 60 200"), frames(zoomed));
    assertNull(zoomed.bounds(node(tree, "main;b")));
    FlameLayout scrolled = new FlameLayout(tree, Weight.WALL, tree.root(), WIDTH, 30, ROW, 40,
        false);
    assertTrue(frames(scrolled).containsKey("main;a;x"));
    assertEquals("0 0 500", frames(scrolled).get("main;a"));
    assertEquals(4, scrolled.rows());
  }

  @Test
  void whatIsNarrowerThanAPixelIsOneBlock() throws Exception {
    Map<String, Long> paths = new LinkedHashMap<>();
    paths.put("main/large", 9_000L);
    for (int i = 0; i < 2_000; i++) {
      paths.put("main/small" + i, 5L);
    }
    CallTree tree = tree(run("narrow", paths));
    Map<String, String> frames = frames(layout(tree, tree.root(), false));
    assertEquals(List.of("", "main", "less", "main;large"), List.copyOf(frames.keySet()));
    assertEquals("474 40 526", frames.get("less"));
  }

  private static BufferedImage draw(FlameDrawing drawing) {
    return Pictures.draw(drawing, WIDTH, 200, 1, null);
  }

  @Test
  void coloursAreStableAndTellKinds() throws Exception {
    Map<String, Long> paths = new LinkedHashMap<>();
    paths.put("main/solve", 500L);
    paths.put("main/MPI_Barrier", 500L);
    CallTree tree = tree(run("kinds", paths));
    for (ChartTheme theme : List.of(LIGHT, DARK)) {
      FlameDrawing drawing =
          new FlameDrawing(layout(tree, tree.root(), false), theme, null, null, null);
      Color solve = drawing.color(node(tree, "main;solve"));
      assertTrue(solve.getRed() > solve.getBlue(), solve.toString());
      assertEquals(solve, drawing.color(node(tree, "main;solve")));
      assertNotEquals(solve, drawing.color(node(tree, "main")));
      BufferedImage image = draw(drawing);
      assertEquals(theme.background().getRGB(), image.getRGB(5, 150));
      boolean first = node(tree, "main").callees().get(0).name().equals("solve");
      assertEquals(solve.getRGB(), image.getRGB(first ? 490 : 990, 42));
      FlameDrawing search = new FlameDrawing(layout(tree, tree.root(), false), theme, null,
          each -> each.name().equals("solve"), null);
      assertNotEquals(solve, search.color(node(tree, "main;solve")), "matches stand out");
      assertNotEquals(image.getRGB(700, 22), draw(search).getRGB(700, 22), "others are pale");
    }
  }

  @Test
  void differencesAreRedAndBlue() throws Exception {
    Application before = run("before",
        new LinkedHashMap<>(Map.of("main/slower", 100L, "main/faster", 300L, "main/same", 200L)));
    Application now = run("now",
        new LinkedHashMap<>(Map.of("main/slower", 300L, "main/faster", 100L, "main/same", 200L)));
    CallTree tree = tree(now);
    CallTreeDifference difference = new CallTreeDifference(tree, tree(before),
        new ProcedureMatching(List.of(before), List.of(now)), Weight.WALL, false);
    FlameDrawing drawing =
        new FlameDrawing(layout(tree, tree.root(), false), LIGHT, difference, null, null);
    Color slower = drawing.color(node(tree, "main;slower"));
    Color faster = drawing.color(node(tree, "main;faster"));
    Color same = drawing.color(node(tree, "main;same"));
    assertTrue(slower.getRed() > slower.getBlue() + 100, slower.toString());
    assertTrue(faster.getBlue() > faster.getRed() + 100, faster.toString());
    assertEquals(same.getRed(), same.getBlue());
    assertEquals(same, drawing.color(node(tree, "main")), "its callees make up for each other");
  }

  @Test
  void filesHaveAllRows() throws Exception {
    CallTree tree = planted();
    FlameLayout cut = new FlameLayout(tree, Weight.WALL, tree.root(), WIDTH, 30, ROW, 0, false);
    FlameDrawing drawing = new FlameDrawing(cut, LIGHT, null, null, null);
    Drawing all = drawing.complete();
    assertEquals(4 * ROW, all.completeHeight(30));
    Path svg = directory.resolve("flames.svg");
    Pictures.write(all, WIDTH, all.completeHeight(30), svg);
    String text = Files.readString(svg);
    assertTrue(text.contains(">main<") && text.contains(">y<"), "names are text");
    Path png = directory.resolve("flames.png");
    Pictures.write(all, WIDTH, all.completeHeight(30), png);
    assertEquals(2 * 4 * ROW, ImageIO.read(png.toFile()).getHeight());
  }

  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** 46 functions that call each of 46, three levels deep. */
  @Test
  void hundredThousandFramesAreDrawnAtOnce() throws Exception {
    Map<String, Long> paths = new LinkedHashMap<>();
    for (int i = 0; i < 46 * 46 * 46; i++) {
      paths.put("main/a" + i / 46 / 46 + "/b" + i / 46 % 46 + "/c" + i % 46, 1L + i % 100);
    }
    CallTree tree = tree(run("many", paths));
    assertTrue(tree.nodes().size() > 99_000);
    FlameLayout layout = new FlameLayout(tree, Weight.WALL, tree.root(), 1_920, 1_000, ROW, 0,
        false);
    double leastMs = Double.MAX_VALUE;
    for (int i = 0; i < 30; i++) {
      long begin = cpuNs();
      BufferedImage image = Pictures.draw(
          new FlameDrawing(layout, LIGHT, null, null, null), 1_920, 1_000, 1, null);
      leastMs = Math.min(leastMs, (cpuNs() - begin) / 1e6);
      assertFalse(image.getRGB(10, 70) == Color.WHITE.getRGB());
    }
    System.out.printf("a flame graph of %d frames in %.1f ms%n", tree.nodes().size(), leastMs);
    assertTrue(leastMs < 50, leastMs + " ms");
  }
}
