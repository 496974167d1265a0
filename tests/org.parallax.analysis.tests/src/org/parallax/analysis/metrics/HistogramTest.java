package org.parallax.analysis.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.ThreadMetric;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Time histograms: against metric tables of each bin as a phase, and against planted answers. */
class HistogramTest {
  private static final int PROGRAMS = 25;

  @TempDir Path directory;

  private static List<HistogramMetric> metrics(ApplicationAnalysis analysis, String... keys) {
    Map<String, HistogramMetric> all = HistogramMetric.all(analysis);
    return Arrays.stream(keys).map(key -> {
      assertTrue(all.containsKey(key), key);
      return all.get(key);
    }).toList();
  }

  private static Table histogram(ApplicationAnalysis analysis, Level level, int bins,
      String... keys) {
    return HistogramReport.of(
        analysis, metrics(analysis, keys), level, null, bins, Progress.NONE);
  }

  private static List<Object> column(Table table, int column) {
    return table.rows().stream().map(row -> row.values().get(column)).toList();
  }

  private static String[] ofThreads() {
    return Arrays.stream(ThreadMetric.values()).map(ThreadMetric::key).toArray(String[]::new);
  }

  /** Metric tables by name and column. */
  private static Map<String, Object> metricsOf(ApplicationAnalysis analysis, Level level,
      TreeNode node) {
    Table table = MetricsReport.of(analysis, level, node, Progress.NONE);
    Map<String, Object> values = new HashMap<>();
    for (Row row : table.rows()) {
      for (int i = 0; i < table.columns().size(); i++) {
        values.put(row.name() + " " + table.columns().get(i).key(), row.values().get(i));
      }
    }
    return values;
  }

  /** Of phases of one interval and of several. */
  private static Window window(Random random, long endNs) {
    long[][] intervals = new long[1 + random.nextInt(4)][];
    for (int i = 0; i < intervals.length; i++) {
      long begin = random.nextLong(endNs);
      intervals[i] = new long[] {begin, begin + random.nextLong(endNs / 3)};
    }
    return Window.union(intervals);
  }

  @Test
  void binsAddUpToTheMetricsOfAnyPhaseAndNode() throws Exception {
    int waits = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Random random = new Random(seed);
      Path path = RandomPrograms.write(seed, directory.resolve("t" + seed), 2 + (int) seed % 3, 300);
      LoadedSession session = SessionBuilder.open(List.of(path), Progress.NONE);
      try {
        ApplicationAnalysis whole = ApplicationAnalysis.global(session.getApplications());
        Trace trace = session.traces().get(0);
        Level level = List.of(Level.MACHINE, Level.PROCESS, Level.THREAD).get(random.nextInt(3));
        TreeNode tree = ProgramTree.physical(session);
        for (int round = 0; round < 6; round++) {
          Window window = round == 0 ? Window.ALL : window(random, trace.durationNs());
          TreeNode node = round % 2 == 0 ? null
              : tree.children().get(random.nextInt(tree.children().size()));
          ApplicationAnalysis part =
              round == 0 ? whole : whole.during(new Phase("part", window));
          Table table = HistogramReport.of(part, metrics(part, ofThreads()), level, node,
              1 + random.nextInt(round == 5 ? 2_000 : 40), Progress.NONE);
          Map<String, Object> expected = metricsOf(part, level, node);
          for (int i = 2; i < table.columns().size(); i++) {
            String[] key = table.columns().get(i).key().split(" ", 2);
            String label = HistogramMetric.all(part).get(key[0]).label();
            long sum = column(table, i).stream().mapToLong(value -> (Long) value).sum();
            assertEquals(expected.get(label + " " + key[1]), sum,
                "seed " + seed + ", round " + round + ", " + label + " " + key[1]);
            waits += key[0].equals("wait") && sum > 0 ? 1 : 0;
          }
        }
      } finally {
        SessionBuilder.close(session);
      }
    }
    assertTrue(waits > PROGRAMS, "threads wait: " + waits);
  }

  /** The oracle: a replay for each bin, with nothing of the rest of the time. */
  @Test
  void eachBinIsWhatAReplayOfItsTimeSays() throws Exception {
    for (long seed = 1; seed <= 8; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("t" + seed), 3, 300);
      LoadedSession session = SessionBuilder.open(List.of(path), Progress.NONE);
      try {
        ApplicationAnalysis whole = ApplicationAnalysis.global(session.getApplications());
        Table table = histogram(whole, Level.THREAD, 17, ofThreads());
        for (int bin = 0; bin < table.rows().size(); bin++) {
          List<Object> values = table.rows().get(bin).values();
          long from = (Long) values.get(0);
          long to = (Long) values.get(1);
          Map<String, Object> times = metricsOf(
              whole.during(new Phase("bin", new Window(from, to))), Level.THREAD, null);
          boolean last = bin == table.rows().size() - 1;
          Map<String, Object> counts = metricsOf(whole.during(
              new Phase("bin", new Window(from, last ? to : to - 1))), Level.THREAD, null);
          for (int i = 2; i < table.columns().size(); i++) {
            String[] key = table.columns().get(i).key().split(" ", 2);
            HistogramMetric metric = HistogramMetric.all(whole).get(key[0]);
            Map<String, Object> expected =
                metric.unit() == Unit.NANOSECONDS ? times : counts;
            assertEquals(expected.get(metric.label() + " " + key[1]), values.get(i),
                "seed " + seed + ", bin " + bin + ", " + metric.label() + " " + key[1]);
          }
        }
      } finally {
        SessionBuilder.close(session);
      }
    }
  }

  /**
   * <pre>
   * thread 0  |=====waits=====|  0 to 1,000: on the processor but for 250 ns of the last 500
   * thread 1        |====|       200 to 400
   * </pre>
   */
  @Test
  void utilizationNumberRunningAndThreads() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("u"));
    TracedProcess process = trace.process("node1", "/opt/server");
    process.thread(0).threadBegin(0, -1).sample(500, "main").lost(1_000, 250);
    process.thread(1, 0, "worker").threadBegin(200, 0).threadEnd(400);
    LoadedSession session = SessionBuilder.open(List.of(trace.write()), Progress.NONE);
    try {
      ApplicationAnalysis analysis = new ApplicationAnalysis(session.getApplications().get(0));
      Table table = histogram(analysis, Level.APPLICATION, 5, "utilization", "running", "threads",
          "cpu");
      assertEquals(List.of(0L, 200L, 400L, 600L, 800L), column(table, 0));
      assertEquals(List.of(100.0, 100.0, 75.0, 50.0, 50.0), column(table, 2));
      assertEquals(List.of(1.0, 2.0, 0.75, 0.5, 0.5), column(table, 3));
      assertEquals(List.of(1.0, 2.0, 1.0, 1.0, 1.0), column(table, 4));
      assertEquals(List.of(200L, 400L, 150L, 100L, 100L), column(table, 5));
    } finally {
      SessionBuilder.close(session);
    }
  }

  /** A message that is sent at 700 and waited for from 300 on. */
  @Test
  void aWaitIsFromTheBeginOfTheCallToTheArrivalOfThePartner() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("w")).mpiJob("node1", "/opt/mpi", 2);
    trace.process(0).thread(0).threadBegin(0, -1).sample(700, "main")
        .send(700, 710, "main/MPI_Send", 1, 1, 0, 64).threadEnd(1_000);
    trace.process(1).thread(0).threadBegin(0, -1).sample(300, "main")
        .receive(300, 800, "main/MPI_Recv", 1, 0, 0, 64).threadEnd(1_000);
    LoadedSession session = SessionBuilder.open(List.of(trace.write()), Progress.NONE);
    try {
      ApplicationAnalysis analysis = new ApplicationAnalysis(session.getApplications().get(0));
      Table table = histogram(analysis, Level.APPLICATION, 5, "message-wait", "bytes-received");
      assertEquals(List.of(0L, 100L, 200L, 100L, 0L), column(table, 2));
      assertEquals(List.of(0L, 0L, 0L, 0L, 64L), column(table, 3));
      Table part = histogram(analysis.during(new Phase("part", new Window(400, 700))),
          Level.APPLICATION, 3, "wait");
      assertEquals(List.of(400L, 500L, 600L), column(part, 0));
      assertEquals(List.of(100L, 100L, 100L), column(part, 2));
      assertEquals(300, part.total());
    } finally {
      SessionBuilder.close(session);
    }
  }

  @Test
  void whatTheProgramMeasures() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("p"));
    TracedProcess process = trace.process("node1", "/opt/server");
    int queue = process.metric(false, true, "queue", "jobs");
    int done = process.metric(true, false, "done", "");
    TracedThread main = process.thread(0).threadBegin(0, -1);
    TracedThread worker = process.thread(1, 0, "worker").threadBegin(0, 0);
    set(main, 100, queue, Double.doubleToLongBits(4));
    set(main, 150, done, 10);
    set(worker, 200, queue, Double.doubleToLongBits(2));
    set(worker, 350, queue, Double.doubleToLongBits(0));
    set(worker, 350, done, 25);
    set(main, 360, done, 24);
    main.threadEnd(400);
    worker.threadEnd(400);
    LoadedSession session = SessionBuilder.open(List.of(trace.write()), Progress.NONE);
    try {
      ApplicationAnalysis analysis = new ApplicationAnalysis(session.getApplications().get(0));
      Table table = histogram(analysis, Level.PROCESS, 4, "queue", "done");
      assertEquals(List.of(0.0, 4.0, 2.0, 1.0), column(table, 2));
      assertEquals(List.of(0L, 10L, 0L, 15L), column(table, 3));
      assertEquals("queue [jobs], node1:server", table.columns().get(2).label());
    } finally {
      SessionBuilder.close(session);
    }
  }

  private static void set(TracedThread thread, long ns, int metric, long bits) {
    thread.event(ns, Kind.VALUE, metric, bits & 0xffffffffL, bits >>> 32);
  }

  /** The second run begins an hour later. */
  @Test
  void runsCanBeShownFromOneStart() throws Exception {
    List<Path> paths = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      TraceBuilder trace = new TraceBuilder(directory.resolve("run" + run));
      trace.process("node1", "/opt/solver").realtimeShift(run * 3_600_000_000_000L)
          .thread(0).threadBegin(0, -1).sample(600, "main").lost(1_000, 400 * run);
      paths.add(trace.write());
    }
    LoadedSession session = SessionBuilder.open(paths, Progress.NONE);
    try {
      Table table = histogram(ApplicationAnalysis.beside(session.getApplications(), true),
          Level.APPLICATION, 2, "cpu");
      assertEquals(List.of(0L, 500L), column(table, 0));
      assertEquals(List.of(500L, 500L), column(table, 2));
      assertEquals(List.of(500L, 100L), column(table, 3));
      Table byClock = histogram(ApplicationAnalysis.beside(session.getApplications(), false),
          Level.APPLICATION, 2, "cpu");
      assertEquals(List.of(1_000L, 0L), column(byClock, 2));
      assertEquals(List.of(0L, 600L), column(byClock, 3));
    } finally {
      SessionBuilder.close(session);
    }
  }
}
