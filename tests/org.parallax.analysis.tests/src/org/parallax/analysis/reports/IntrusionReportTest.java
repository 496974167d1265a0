package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** The arithmetic of intrusion: known events at round costs. */
class IntrusionReportTest {
  private static final Map<String, Integer> COSTS = Map.ofEntries(Map.entry("pair", 20),
      Map.entry("path", 30), Map.entry("frame", 5), Map.entry("payload", 1), Map.entry("instant", 25),
      Map.entry("counted", 2), Map.entry("cpu", 500), Map.entry("refill", 300), Map.entry("sample", 1_000),
      Map.entry("block", 4_000), Map.entry("thread", 7_000), Map.entry("process", 900_000), Map.entry("module", 50_000));
  private static final List<String> PARTS = List.of("events", "caches", "unwinding", "samples", "flushes", "start");

  @TempDir
  Path directory;

  private TraceBuilder builder(boolean isCalibrated) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(isCalibrated ? "calibrated" : "old")).sampleHz(100);
    if (isCalibrated) {
      COSTS.forEach((name, ns) -> builder.property("cost-" + name + "-ns", ns + ".0"));
    }
    return builder;
  }

  private interface Use {
    void of(ApplicationAnalysis analysis) throws Exception;
  }

  private static void analysed(TraceBuilder builder, Use use) throws Exception {
    try (Trace trace = Trace.open(builder.write())) {
      use.of(new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0)));
    }
  }

  private static Table report(ApplicationAnalysis analysis, Level level) {
    return IntrusionReport.of(analysis, level, null, Progress.NONE);
  }

  private static Object value(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  private static Row row(Table table, String name) {
    return table.rows().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  /** Two sends from one place, one from another that shares a frame, a sample, a loss, and a second thread. */
  private TraceBuilder program(boolean isCalibrated) {
    TraceBuilder builder = builder(isCalibrated);
    TracedProcess process = builder.process("n", "/opt/p");
    TracedThread main = process.thread(0).threadBegin(0, -1);
    main.create(0, 100, "main/pthread_create", 1);
    main.sample(1_000_000, "main/compute");
    main.enter(1_000_000, "main/step/pthread_mutex_lock").leave(1_001_000);
    main.enter(1_002_000, "main/step/pthread_mutex_lock").leave(1_003_000);
    main.lost(2_000_000, 500_000);
    main.threadEnd(2_000_000);
    process.thread(1).threadBegin(100, 0).sample(50_000, "main/work").threadEnd(100_000);
    return builder;
  }

  @Test
  void costsAddUpByTheirParts() throws Exception {
    analysed(program(true), analysis -> {
      Table table = report(analysis, Level.THREAD);
      assertTrue(table.warnings().isEmpty(), table.warnings().toString());
      Row main = row(table, "n:p:main");
      assertEquals(900_000L, value(table, main, "start"));
      // Three pairs, the payload of the create, and the Cpu event.
      assertEquals(3 * 20 + 1 + 500L, value(table, main, "events"));
      // The first walk finds main; the second one step, after the sample below main; the third one nothing.
      assertEquals(3 * 30 + 5 + 5L, value(table, main, "unwinding"));
      assertEquals(1_000L, value(table, main, "samples"));
      assertEquals(0L, value(table, main, "flushes"));
      Row second = table.rows().get(1);
      assertEquals(7_000L, value(table, second, "start"));
      assertEquals(8_000L, value(table, second, "time"));
      assertEquals("above 5 %", value(table, second, "mark"), "8,000 ns of 99,900 ns");
      assertEquals(8.008, (Double) value(table, second, "percent"), 0.001);
      for (Level level : List.of(Level.THREAD, Level.PROCESS, Level.PROCEDURE)) {
        Table each = report(analysis, level);
        assertEquals(table.total(), each.total(), level + " has the same sum");
        for (Row row : each.rows()) {
          assertEquals((Long) value(each, row, "time"), PARTS.stream()
              .mapToLong(part -> (Long) value(each, row, part)).sum(), row.name());
        }
      }
    });
  }

  private static TracedThread waiting(TracedThread thread, long runnableNs) {
    return thread.sample(100_000, "main/work").lost(1_000_000, 750_000, runnableNs).threadEnd(1_000_000);
  }

  /** Threads that wait for a processor run on cold caches, and their time is that which the processor gave them. */
  @Test
  void waitsForAProcessorCoolTheCachesAndAreNoTimeOfTheProcessor() throws Exception {
    TraceBuilder builder = builder(true);
    TracedProcess process = builder.process("n", "/opt/p");
    waiting(process.thread(0).threadBegin(0, -1), 750_000);
    waiting(process.thread(1).threadBegin(0, 0), 0);
    waiting(process.thread(2).threadBegin(0, 0), 1L << 62);
    waiting(process.thread(3).threadBegin(0, 0), 500_000);
    analysed(builder, analysis -> {
      Table table = report(analysis, Level.THREAD);
      // Cold caches count twice: for the agent, and for the memory of the program that it displaces.
      long[] caches = {600, 0, 600, 600};
      long[] times = {250_000, 1_000_000, 1_000_000, 500_000};
      for (int thread = 0; thread < caches.length; thread++) {
        Row row = row(table, thread == 0 ? "n:p:main" : "n:p:thread " + thread);
        assertEquals(caches[thread], value(table, row, "caches"), row.name());
        assertEquals(times[thread], value(table, row, "ofTime"), row.name());
      }
      Table machines = report(analysis, Level.MACHINE);
      Row machine = machines.rows().get(0);
      assertEquals(2_750_000L, value(machines, machine, "ofTime"));
      assertEquals(100.0 * machines.total() / 1_000_000, (Double) value(machines, machine, "cpuPercent"), 0.001);
    });
  }

  /** The process, its program and the first five libraries are usual. */
  @Test
  void eachFurtherLibraryMakesTheStartLonger() throws Exception {
    TraceBuilder builder = builder(true);
    TracedProcess process = builder.process("n", "/opt/p");
    for (int library = 0; library < 7; library++) {
      process.library("/lib/lib" + library + ".so");
    }
    process.thread(0).threadBegin(0, -1).threadEnd(1_000_000);
    analysed(builder, analysis -> {
      Table table = report(analysis, Level.THREAD);
      assertEquals(900_000L + 2 * 50_000, value(table, table.rows().get(0), "start"));
    });
  }

  /** Four threads have one processor: each event of one delays all. */
  @Test
  void aRunWithMoreThreadsThanProcessorsIsLongerByTheIntrusionOfAll() throws Exception {
    TraceBuilder builder = builder(true);
    TracedProcess process = builder.process("n", "/opt/p");
    for (int thread = 0; thread < 4; thread++) {
      waiting(process.thread(thread).threadBegin(0, thread == 0 ? -1 : 0), 750_000);
    }
    try (Trace trace = Trace.open(builder.write())) {
      var applications = SessionBuilder.of(trace).getApplications();
      DilationReport.Times estimate = DilationReport.estimate(trace, applications, Progress.NONE);
      assertEquals(900_000 + 3 * 7_000 + 4 * (500 + 600 + 1_000), estimate.cpuNs());
      assertEquals(estimate.cpuNs(), estimate.elapsedNs());
    }
  }

  /** 8 us in 1 ms of which it had a processor for 250 us: of a busy machine, other threads' time. */
  @Test
  void threadsOfABusyMachineAreMarkedByTheirCpuTime() throws Exception {
    for (long runnableNs : new long[] {750_000, 0}) {
      TraceBuilder builder = new TraceBuilder(directory.resolve("busy" + runnableNs)).sampleHz(100);
      COSTS.forEach((name, ns) -> builder.property("cost-" + name + "-ns", ns + ".0"));
      TracedProcess process = builder.process("n", "/opt/p");
      for (int thread = 0; thread < 2; thread++) {
        TracedThread each = process.thread(thread).threadBegin(0, thread - 1);
        for (int i = 1; i <= 8; i++) {
          each.sample(10_000L * i, "main/work");
        }
        each.lost(1_000_000, 850_000, runnableNs == 0 ? 0 : 100_000).threadEnd(1_000_000);
      }
      for (int thread = 2; thread < 5; thread++) {
        waiting(process.thread(thread).threadBegin(0, 0), runnableNs);
      }
      analysed(builder, analysis -> {
        Table table = report(analysis, Level.THREAD);
        Row row = row(table, "n:p:thread 1");
        assertTrue((Double) value(table, row, "percent") < IntrusionReport.HIGH_PERCENT, row.toString());
        assertTrue((Double) value(table, row, "cpuPercent") > IntrusionReport.HIGH_PERCENT, row.toString());
        assertEquals(runnableNs == 0 ? "" : "above 5 %", value(table, row, "mark"));
      });
    }
  }

  @Test
  void callPathsHaveWhatTheyCaused() throws Exception {
    analysed(program(true), analysis -> {
      Table table = report(analysis, Level.PROCEDURE);
      Row lock = row(table, "pthread_mutex_lock");
      assertEquals("main;step;pthread_mutex_lock", value(table, lock, "path"));
      assertEquals(2 * 20L, value(table, lock, "events"));
      assertEquals(2 * 30 + 5L, value(table, lock, "unwinding"));
      assertEquals(4L, value(table, lock, "count"));
      assertEquals(2_000L, value(table, lock, "ofTime"));
      assertEquals("", value(table, lock, "mark"));
      assertEquals(907_000L, value(table, row(table, "[start and end]"), "time"));
    });
  }

  @Test
  void tracesWithoutCalibrationSaySo() throws Exception {
    analysed(program(false), analysis -> {
      Table table = report(analysis, Level.PROCESS);
      assertEquals(1, table.warnings().size());
      assertTrue(table.warnings().get(0).contains("typical costs"), table.warnings().get(0));
      assertTrue(table.total() > 900_000, "typical costs are used");
    });
  }

  /**
   * Two ranks: one computes 600 us with 100 samples of 1 us each, the other 400 us with one, and both meet in a
   * barrier. Without measuring they take 500 and 399 us.
   */
  @Test
  void theCriticalPathIsShorterByTheIntrusionOnIt() throws Exception {
    TraceBuilder builder = builder(true);
    TracedProcess process = builder.process("n", "/opt/p");
    int barrier = process.syncObject(4, 0x10);
    TracedThread slow = process.thread(0).threadBegin(0, -1);
    TracedThread fast = process.thread(1).threadBegin(0, 0);
    for (int i = 1; i <= 100; i++) {
      slow.sample(6_000L * i, "main/slow");
    }
    fast.sample(400_000, "main/fast");
    slow.barrier(600_000, 601_000, "main/pthread_barrier_wait", barrier, 0, 2).threadEnd(601_000);
    fast.barrier(400_000, 601_000, "main/pthread_barrier_wait", barrier, 0, 2).threadEnd(601_000);
    analysed(builder, analysis -> {
      StandardReport kind = StandardReport.CRITICAL_PATH;
      ReportRequest request = ReportRequest.of(kind, ParameterValues.NONE);
      Table measured = kind.make(analysis, request, Progress.NONE);
      Table without = kind.make(analysis, request.with("without-intrusion", "true"), Progress.NONE);
      assertEquals(-1, measured.column("mark"));
      assertEquals("removed", without.parameters().get("intrusion"));
      Row slowRow = row(without, "slow");
      assertEquals(600_000L, value(measured, row(measured, "slow"), "time"));
      // The last sample is followed by the barrier, whose walk of 35 ns is in the caller's time.
      assertEquals(99 * 1_000 + 35L, (Long) value(without, slowRow, "intrusion"), 1_000);
      assertEquals(600_000L, (Long) value(without, slowRow, "time") + (Long) value(without, slowRow, "intrusion"));
      assertEquals("", value(without, slowRow, "mark"));
      assertEquals(without.total(), without.rows().stream()
          .mapToLong(each -> (Long) value(without, each, "time")).sum());
    });
  }

  /** Of two threads, the one with many events arrives last only because it is measured. */
  @Test
  void thePathGoesWhereItWouldHaveGone() throws Exception {
    TraceBuilder builder = builder(true);
    TracedProcess process = builder.process("n", "/opt/p");
    int barrier = process.syncObject(4, 0x10);
    TracedThread measured = process.thread(0).threadBegin(0, -1);
    TracedThread quiet = process.thread(1).threadBegin(0, 0);
    for (int i = 1; i <= 300; i++) {
      measured.sample(2_000L * i, "main/measured");
    }
    quiet.sample(500_000, "main/quiet");
    measured.barrier(600_000, 601_000, "main/pthread_barrier_wait", barrier, 0, 2).threadEnd(601_000);
    quiet.barrier(500_000, 601_000, "main/pthread_barrier_wait", barrier, 0, 2).threadEnd(601_000);
    analysed(builder, analysis -> {
      StandardReport kind = StandardReport.CRITICAL_PATH;
      ReportRequest request = ReportRequest.of(kind, ParameterValues.NONE);
      Table table = kind.make(analysis, request, Progress.NONE);
      assertEquals("measured", table.rows().get(0).name());
      Table without = kind.make(analysis, request.with("without-intrusion", "true"), Progress.NONE);
      assertEquals("quiet", without.rows().get(0).name(), () -> without.rows().toString());
      Table paths = report(analysis, Level.PROCEDURE);
      assertEquals(IntrusionReport.MOSTLY, value(paths, row(paths, "measured"), "mark"));
      Table profile = StandardReport.PROFILE.make(analysis,
          ReportRequest.of(StandardReport.PROFILE, ParameterValues.NONE).with("without-intrusion", "true"),
          Progress.NONE);
      assertEquals(300_000L, (Long) value(profile, row(profile, "measured"), "time"), 2_000);
    });
  }
}
