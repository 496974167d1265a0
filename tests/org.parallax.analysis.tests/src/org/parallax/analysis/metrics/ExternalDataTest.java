package org.parallax.analysis.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.SessionFile;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/** What monitors measured, in histograms and metric tables: planted integrals, and an oracle. */
class ExternalDataTest {
  private static final long MS = 1_000_000L;

  @TempDir Path directory;

  /** A program on two machines for 1 s, a thread in each process, and a server on the second. */
  private Path run(String name, long shiftNs, String... series) throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name)).mpiJob("node1", "/opt/ring", 1);
    TracedProcess other = builder.process("node2", "/opt/server");
    for (TracedProcess process : List.of(builder.process(0), other)) {
      process.realtimeShift(shiftNs).exit(1000 * MS, 0).thread(0).threadBegin(0, -1)
          .sample(500 * MS, "main").threadEnd(1000 * MS);
    }
    Path trace = builder.write();
    for (int i = 0; i < series.length; i++) {
      Files.writeString(trace.resolve("s" + i + ".series"), "parallax-series 1\n" + series[i]);
    }
    return trace;
  }

  private static Table histogram(ApplicationAnalysis analysis, Level level, TreeNode node,
      int bins, String... keys) {
    Map<String, HistogramMetric> all = HistogramMetric.all(analysis);
    return HistogramReport.of(analysis, Arrays.stream(keys).map(key -> {
      assertTrue(all.containsKey(key), key + " in " + all.keySet());
      return all.get(key);
    }).toList(), level, node, bins, Progress.NONE);
  }

  private static List<Object> column(Table table, int column) {
    return table.rows().stream().map(row -> row.values().get(column)).toList();
  }

  private static List<String> keys(Table table) {
    return table.columns().stream().skip(2).map(Column::key).toList();
  }

  /** {@code NAME UNIT: VALUES} of the rows that monitors measured. */
  private static List<String> externals(Table table) {
    return table.rows().stream().filter(row -> row.name().startsWith("external:"))
        .map(row -> row.name() + " " + row.unit().symbol() + ": " + row.values()).toList();
  }

  private static ApplicationAnalysis of(LoadedSession session, int application) {
    return new ApplicationAnalysis(session.getApplications().get(application));
  }

  /**
   * <pre>
   * queue    4      |2    |-   |8        a gauge of node1
   * sent     0 ..........100 ....... 200   a counter of it
   *          0     250   500  600       1000 ms</pre>
   */
  @Test
  void plantedIntegrals() throws Exception {
    Path trace = run("a", 0, "clock run\nobject machine node1\nmetric queue gauge\n"
        + "metric sent counter bytes\ndata\n0 4 0\n0.25 2 -\n0.5 - 100\n0.6 8 -\n1 0 200\n");
    LoadedSession session = SessionBuilder.open(List.of(trace), Progress.NONE);
    try {
      ApplicationAnalysis ring = of(session, 0);
      Table table = histogram(ring, Level.APPLICATION, null, 4, "external:queue", "external:sent");
      assertEquals(List.of("external:queue node1", "external:sent node1"), keys(table));
      assertEquals("sent [bytes/s], node1", table.columns().get(3).label());
      assertEquals(List.of(4.0, 2.0, 8.0, 8.0), column(table, 2));
      assertEquals(List.of(200.0, 200.0, 200.0, 200.0), column(table, 3));
      assertEquals(List.of(), table.warnings());

      Table thin = histogram(ring, Level.THREAD, null, 10, "external:queue");
      assertEquals(List.of(4.0, 4.0, 3.0, 2.0, 2.0, "", 8.0, 8.0, 8.0, 8.0), column(thin, 2));

      List<Row> rows = MetricsReport.of(ring, Level.MACHINE, null, Progress.NONE).rows().stream()
          .filter(row -> row.name().startsWith("external:")).toList();
      assertEquals(List.of("external:queue", "external:sent"),
          rows.stream().map(Row::name).toList());
      assertEquals((4 * 0.25 + 2 * 0.25 + 8 * 0.4) / 0.9, (Double) rows.get(0).values().get(0), 1e-9);
      assertEquals(200L, rows.get(1).values().get(0));
      assertEquals(Unit.BYTES, rows.get(1).unit());
    } finally {
      SessionBuilder.close(session);
    }
  }

  @Test
  void ofWhichObjectAndAtWhichLevel() throws Exception {
    Path trace = run("a", 0,
        "clock run\nobject machine node1\nmetric m gauge\nobject machine node2\nmetric m gauge\n"
            + "object process node1 1000\nmetric p counter\nobject process node2 1001\n"
            + "metric p counter\nobject application server\nmetric a gauge\n"
            + "object application nobody\nmetric n gauge\ndata\n0 1 2 0 0 5 6\n1 1 2 10 20 5 6\n",
        "clock run\nobject machine node1\nmetric m gauge\ndata\n0 7\n1 7\n");
    LoadedSession session = SessionBuilder.open(List.of(trace), Progress.NONE);
    try {
      ApplicationAnalysis all = ApplicationAnalysis.global(session.getApplications());
      Table table = histogram(all, Level.APPLICATION, null, 1, "external:m", "external:p",
          "external:a", "external:n");
      assertEquals(List.of("external:m node1", "external:m node2", "external:m node1 (s1)",
          "external:p ring", "external:p server", "external:a server",
          "external:n application nobody"), keys(table));
      assertEquals(List.of(1.0, 2.0, 7.0, 10.0, 20.0, 5.0, 6.0),
          table.rows().get(0).values().subList(2, 9));
      assertEquals(List.of("external:p node1", "external:p node2"),
          keys(histogram(all, Level.MACHINE, null, 1, "external:p")));
      assertEquals(List.of("external:p node1:ring[0]", "external:p node2:server"),
          keys(histogram(all, Level.THREAD, null, 1, "external:p")));

      TreeNode physical = ProgramTree.physical(session);
      assertEquals(List.of("node1", "node2", "s0", "s0 (application nobody)"),
          physical.children().stream().map(TreeNode::name).toList());
      TreeNode node2 = physical.children().get(1);
      assertEquals(List.of("server: server", "s0"),
          node2.children().stream().map(TreeNode::name).toList());
      assertEquals(List.of("external:m node2", "external:p node2"),
          keys(histogram(all, Level.MACHINE, node2, 1, "external:m", "external:p")));
      assertEquals(List.of("external:p node2:server"), keys(histogram(all, Level.PROCESS,
          node2.children().get(0), 1, "external:p")));
      TreeNode external = node2.children().get(1);
      assertEquals(Level.EXTERNAL, external.level());
      Table only = histogram(all, Level.PROCESS, external, 1, "external:m", "external:a");
      assertEquals(List.of("external:m node2"), keys(only));
      assertEquals(List.of("external:a was not measured for Workload > node2 > s0 or its parts, "
          + "but for: "
          + "server"), only.warnings());
      assertEquals(List.of(0L, 1000 * MS), only.rows().get(0).values().subList(0, 2));
      Table metrics = MetricsReport.of(all, Level.PROCESS, external, Progress.NONE);
      assertEquals(List.of("external:m number: [2.0]"), externals(metrics));
      assertEquals(1, metrics.rows().size());
      assertEquals("node2", metrics.columns().get(0).key());

      // Of one application only what it or its machines and processes have, and what nobody has.
      ApplicationAnalysis server = of(session, 1);
      assertEquals(List.of("external:m", "external:p", "external:a", "external:n"),
          HistogramMetric.all(server).keySet().stream()
              .filter(key -> key.startsWith("external:")).toList());
      assertEquals(List.of("external:m node2"),
          keys(histogram(server, Level.PROCESS, null, 1, "external:m")));
      assertEquals(List.of("external:p number: [20.0]", "external:a number: [5.0]"), externals(
          MetricsReport.of(server, Level.APPLICATION, null, Progress.NONE)));
      assertEquals(List.of("external:p number: [10.0, 20.0]", "external:a number: [, 5.0]"),
          externals(MetricsReport.join(List.of(
              MetricsReport.of(of(session, 0), Level.APPLICATION, null, Progress.NONE),
              MetricsReport.of(server, Level.APPLICATION, null, Progress.NONE)))));
      assertTrue(server.traceWarnings().contains("external data: s0 of application nobody belongs "
          + "to no machine, process or application of the trace " + trace + "; it is shown with "
          + "the whole workload"));
      assertEquals(1, of(session, 0).traceWarnings().stream()
          .filter(warning -> warning.startsWith("external data: ")).count());
    } finally {
      SessionBuilder.close(session);
    }
  }

  @Test
  void processesOfOnePartAreAddedUp() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("sum")).mpiJob("node1", "/opt/ring", 3);
    for (int i = 0; i < 3; i++) {
      builder.process(i).thread(0).threadBegin(0, -1).threadEnd(1000 * MS);
    }
    Path trace = builder.write();
    Files.writeString(trace.resolve("rss.series"), "parallax-series 1\nclock run\n"
        + "object process node1 1000\nmetric rss gauge bytes\nobject process node1 1001\n"
        + "metric rss gauge bytes\nobject process node1 1002\nmetric rss gauge bytes\ndata\n"
        + "0 10 20 -\n0.5 30 20 -\n1 0 0 0\n");
    LoadedSession session = SessionBuilder.open(List.of(trace), Progress.NONE);
    try {
      Table table = histogram(of(session, 0), Level.APPLICATION, null, 2, "external:rss");
      assertEquals(List.of(30.0, 50.0), column(table, 2));
      assertEquals(3, table.columns().size());
      assertEquals(List.of("external:rss bytes: [40]"), externals(
          MetricsReport.of(of(session, 0), Level.MACHINE, null, Progress.NONE)));
      assertEquals(List.of("external:rss bytes: [20, 20, ]"), externals(
          MetricsReport.of(of(session, 0), Level.PROCESS, null, Progress.NONE)));
    } finally {
      SessionBuilder.close(session);
    }
  }

  /** The growth of a counter, and a gauge's value, at a moment, by looking at every reading. */
  private static double levelAt(long[] timesNs, double[] values, boolean counter, long atNs) {
    int before = -1;
    int after = -1;
    for (int i = 0; i < timesNs.length; i++) {
      if (counter && Double.isNaN(values[i])) {
        continue;
      }
      if (timesNs[i] <= atNs) {
        before = i;
      } else if (after < 0) {
        after = i;
      }
    }
    if (before < 0 || after < 0) {
      return Double.NaN;
    }
    return !counter ? values[before]
        : (values[after] - values[before]) * 1e9 / (timesNs[after] - timesNs[before]);
  }

  /**
   * Random series at whole milliseconds and phases of several intervals, against the sum over every
   * millisecond. What bins say of the whole adds up to what the whole says.
   */
  @Test
  void randomSeriesAgainstEveryMillisecond() throws Exception {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      int readings = 2 + random.nextInt(40);
      long[] times = random.longs(readings, -200, 1200).sorted().distinct().toArray();
      double[][] values = new double[2][times.length];
      StringBuilder text = new StringBuilder(
          "clock run\nobject machine node1\nmetric g gauge\nmetric c counter\ndata\n");
      double total = 0;
      for (int i = 0; i < times.length; i++) {
        total += random.nextInt(3) * random.nextInt(1000);
        values[0][i] = random.nextInt(5) == 0 ? Double.NaN : random.nextInt(100) - 20;
        values[1][i] = random.nextInt(5) == 0 ? Double.NaN : total;
        text.append(String.format(Locale.ROOT, "%.3f", times[i] / 1e3));
        for (double[] column : values) {
          text.append(' ').append(Double.isNaN(column[i]) ? "-" : Double.toString(column[i]));
        }
        text.append('\n');
      }
      for (int i = 0; i < times.length; i++) {
        times[i] *= MS;
      }
      LoadedSession session =
          SessionBuilder.open(List.of(run("seed" + seed, 0, text.toString())), Progress.NONE);
      try {
        ApplicationAnalysis ring = of(session, 0);
        check(ring, Window.ALL, times, values, random, seed);
        List<long[]> parts = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          long begin = random.nextInt(900) * MS;
          parts.add(new long[] {begin, begin + (1 + random.nextInt(200)) * MS});
        }
        Window window = Window.union(parts.toArray(long[][]::new));
        check(ring.during(new Phase("part", window)), window, times, values, random, seed);
      } finally {
        SessionBuilder.close(session);
      }
    }
  }

  private static void check(ApplicationAnalysis analysis, Window window, long[] times,
      double[][] values, Random random, int seed) {
    Table table = histogram(analysis, Level.APPLICATION, null, 1 + random.nextInt(30),
        "external:g", "external:c");
    String[] names = {"external:g", "external:c"};
    for (int column = 0; column < 2; column++) {
      double whole = 0;
      long wholeKnown = 0;
      for (Row row : table.rows()) {
        long from = (Long) row.values().get(0);
        long to = (Long) row.values().get(1);
        double sum = 0;
        long known = 0;
        // In steps at whose borders everything that changes does so, and the bins.
        for (long at = Math.floorDiv(from, MS) * MS; at < to; at += MS) {
          long inside = window.overlapNs(Math.max(at, from), Math.min(at + MS, to));
          double level = levelAt(times, values[column], column == 1, at);
          if (!Double.isNaN(level)) {
            sum += level * inside;
            known += inside;
          }
        }
        Object found = row.values().get(2 + column);
        if (known == 0) {
          assertEquals("", found, "seed " + seed);
        } else {
          assertEquals(sum / known, (Double) found, 1e-9 * (1 + Math.abs(sum / known)),
              "seed " + seed);
          whole += (Double) found * known;
          wholeKnown += known;
        }
      }
      String name = names[column];
      Table metrics = MetricsReport.of(analysis, Level.MACHINE, null, Progress.NONE);
      List<Object> said = metrics.rows().stream().filter(row -> row.name().equals(name))
          .map(row -> row.values().get(0)).toList();
      assertEquals(wholeKnown == 0, said.isEmpty(), "seed " + seed);
      if (wholeKnown > 0) {
        double expected = column == 0 ? whole / wholeKnown : whole / 1e9;
        assertEquals(expected, (Double) said.get(0), 1e-9 * (1 + Math.abs(expected)),
            "seed " + seed);
      }
    }
  }

  @Test
  void severalTracesAreOnOneTimeBase() throws Exception {
    String series = "object machine node1\nmetric load gauge\ndata\n";
    long start = TraceBuilder.BASE_REALTIME_NS / 1_000_000_000L;
    Path first = run("first", 0, series + start + ".2 5\n" + start + ".4 5\n");
    Path second = run("second", 250 * MS, series + start + ".45 6\n" + start + ".65 6\n");
    LoadedSession session = SessionBuilder.open(List.of(first, second), Progress.NONE);
    try {
      List<Application> rings = session.getApplications().stream()
          .filter(each -> each.getName().startsWith("ring")).toList();
      Table byClock = histogram(ApplicationAnalysis.beside(rings, false), Level.APPLICATION, null,
          25, "external:load");
      assertEquals(List.of("external:load node1", "external:load node1 (s0@second)"),
          keys(byClock));
      assertEquals(List.of(4, 7), known(byClock, 2));
      assertEquals(List.of(9, 12), known(byClock, 3));
      Table aligned = histogram(ApplicationAnalysis.beside(rings, true), Level.APPLICATION, null,
          20, "external:load");
      assertEquals(List.of(4, 7), known(aligned, 2));
      assertEquals(List.of(4, 7), known(aligned, 3));
      // One of them, on the time base of both, sees the machine as both monitors do.
      Table within = histogram(ApplicationAnalysis.within(rings.get(1), rings),
          Level.APPLICATION, null, 20, "external:load");
      assertEquals(250 * MS, within.rows().get(0).values().get(0));
      assertEquals(List.of(0, 2), known(within, 2));
      assertEquals(List.of(4, 7), known(within, 3));
    } finally {
      SessionBuilder.close(session);
    }
    Session document = ModelFactory.eINSTANCE.createSession();
    document.getRuns().add(run(first, RunMode.REPLAY));
    document.getRuns().add(run(second, RunMode.COMPARISON));
    Path file = directory.resolve("both.parallax");
    SessionFile.write(document, file);
    LoadedSession moved = SessionBuilder.open(List.of(file), Progress.NONE);
    try {
      List<Application> rings = moved.getApplications().stream()
          .filter(each -> each.getName().startsWith("ring")).toList();
      Table compared = histogram(ApplicationAnalysis.beside(rings, false), Level.APPLICATION, null,
          20, "external:load");
      assertEquals(List.of(4, 7), known(compared, 3));
    } finally {
      SessionBuilder.close(moved);
    }
  }

  private static Run run(Path trace, RunMode mode) {
    Run run = ModelFactory.eINSTANCE.createRun();
    run.setName(String.valueOf(trace.getFileName()));
    run.setMode(mode);
    run.setTrace(trace.toString());
    return run;
  }

  /** The first and last bin in which a curve is known. */
  private static List<Integer> known(Table table, int column) {
    List<Integer> bins = new ArrayList<>();
    for (int bin = 0; bin < table.rows().size(); bin++) {
      if (table.rows().get(bin).values().get(column) instanceof Double) {
        bins.add(bin);
      }
    }
    return List.of(bins.get(0), bins.get(bins.size() - 1));
  }
}
