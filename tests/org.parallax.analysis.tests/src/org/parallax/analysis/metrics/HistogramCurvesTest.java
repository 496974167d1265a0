package org.parallax.analysis.metrics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.compare.OtherRun;
import org.parallax.analysis.metrics.HistogramCurves.Curve;
import org.parallax.analysis.metrics.HistogramCurves.Part;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;

/** Curves of several nodes and runs are those of histograms, on one time axis. */
class HistogramCurvesTest {
  @TempDir Path directory;
  private final List<Trace> traces = new ArrayList<>();

  @AfterEach
  void close() {
    traces.forEach(Trace::close);
  }

  /** Rank 0 works from the begin, rank 1 from a quarter of the time on. */
  private Application run(String name, long beginNs, long lengthNs) throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name));
    for (int rank = 0; rank < 2; rank++) {
      var process = trace.process("host", "/opt/ring").mpi(7, rank, 2);
      process.thread(0).threadBegin(beginNs + rank * lengthNs / 4, -1)
          .sample(beginNs + lengthNs / 2, "main").threadEnd(beginNs + lengthNs);
      process.exit(beginNs + lengthNs, 0);
    }
    traces.add(Trace.open(trace.write()));
    return SessionBuilder.of(traces.get(traces.size() - 1)).getApplications().get(0);
  }

  private static List<HistogramMetric> metric(ApplicationAnalysis analysis, String key) {
    return List.of(HistogramMetric.all(analysis).get(key));
  }

  @Test
  void curvesOfARunAreThoseOfTheReport() throws Exception {
    Application application = run("run", 0, 1000);
    var analysis = new ApplicationAnalysis(application);
    TreeNode tree = ProgramTree.logical(application);
    for (String key : List.of("cpu", "utilization", "threads", "samples")) {
      Table table = HistogramReport.of(analysis, metric(analysis, key), Level.PROCESS, null, 20,
          Progress.NONE);
      HistogramCurves curves = HistogramCurves.of(metric(analysis, key).get(0),
          List.of(new Part(analysis, tree, Level.PROCESS, "")), null, 20, Progress.NONE);
      assertEquals(2, curves.curves().size());
      for (int i = 0; i < 2; i++) {
        int column = i + 2;
        assertEquals(table.columns().get(column).label(), curves.curves().get(i).name());
        assertArrayEquals(table.rows().stream()
            .mapToDouble(row -> ((Number) row.values().get(column)).doubleValue()).toArray(),
            curves.curves().get(i).values());
      }
      assertEquals(table.rows().stream().map(row -> row.values().get(0)).toList(),
          Arrays.stream(curves.borders()).limit(20).boxed().toList());
    }
  }

  @Test
  void aZoomIsTheHistogramOfThatPhaseAndStaysInTheRun() throws Exception {
    Application application = run("run", 0, 1000);
    var analysis = new ApplicationAnalysis(application);
    TreeNode tree = ProgramTree.logical(application);
    HistogramMetric cpu = metric(analysis, "cpu").get(0);
    Window zoom = new Window(200, 600);
    Table table = HistogramReport.of(analysis.during(new Phase("zoom", zoom)), List.of(cpu),
        Level.APPLICATION, null, 8, Progress.NONE);
    HistogramCurves curves = HistogramCurves.of(cpu,
        List.of(new Part(analysis, tree, null, "")), zoom, 8, Progress.NONE);
    assertArrayEquals(table.rows().stream()
        .mapToDouble(row -> (Long) row.values().get(2)).toArray(),
        curves.curves().get(0).values());
    assertEquals(3, curves.bin(399));
    assertEquals(0, curves.bin(-5));
    assertEquals(7, curves.bin(5000));
    HistogramCurves moved = HistogramCurves.of(cpu,
        List.of(new Part(analysis, tree, null, "")), new Window(900, 1300), 8, Progress.NONE);
    assertEquals(600, moved.visible().beginNs());
    assertEquals(1000, moved.visible().endNs());
    // A process alone, whose thread begins later, is on the same axis.
    TreeNode second = tree.children().get(0).children().get(1);
    Curve curve = HistogramCurves.of(cpu, List.of(new Part(analysis, second, null, "")), null, 4,
        Progress.NONE).curves().get(0);
    assertArrayEquals(new double[] {0, 250, 250, 250}, curve.values());
  }

  @Test
  void anotherRunBeginsAtTheSameMoment() throws Exception {
    Application now = run("now", 5_000, 1000);
    Application before = run("before", 70_000, 500);
    var analysis = new ApplicationAnalysis(now);
    var other = new ApplicationAnalysis(before);
    HistogramMetric threads = metric(analysis, "threads").get(0);
    HistogramCurves curves = HistogramCurves.of(threads, List.of(
        new Part(analysis, ProgramTree.logical(now), null, ""),
        new Part(other, ProgramTree.logical(before), null, "before")), null, 8, Progress.NONE);
    assertArrayEquals(new double[] {1, 1, 2, 2, 2, 2, 2, 2}, curves.curves().get(0).values());
    Curve dashed = curves.curves().get(1);
    assertTrue(dashed.isOther());
    assertEquals(curves.curves().get(0).key() + " (before)", dashed.name());
    double none = Double.NaN;
    assertArrayEquals(new double[] {1, 2, 2, 2, none, none, none, none}, dashed.values());
  }

  @Test
  void partsOfAnotherRunAreFoundByNameOrPlace() throws Exception {
    TreeNode now = ProgramTree.logical(run("now", 5_000, 1000));
    TreeNode before = ProgramTree.logical(run("before", 70_000, 500));
    TreeNode second = now.children().get(0).children().get(1);
    assertEquals(before.children().get(0).children().get(1), OtherRun.node(second, before));
    assertEquals(before, OtherRun.node(now, before));
    Phase part = OtherRun.phase(new ApplicationAnalysis((Application) now.object()),
        new Phase("part", new Window(5_100, 5_200)),
        new ApplicationAnalysis((Application) before.object()));
    assertEquals("part", part.name());
    assertEquals(70_100, part.window().beginNs());
    assertEquals(70_200, part.window().endNs());
  }
}
