package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Distribution;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.ReportText;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** The time of procedures over the processes, of which one is slow and some have none. */
class BalanceReportTest {
  private static final long MS = 1_000_000;
  private static final int RANKS = 8;
  private static final int SLOW = 3;

  @TempDir
  Path directory;

  /** Each rank computes 10 ms, the slow one 50 ms; only the last two write, 4 ms each. */
  private Path trace() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace")).sampleHz(1000);
    builder.mpiJob("node1", "/opt/solver", RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
      TracedThread thread = builder.process(rank).thread(0).threadBegin(0, -1);
      int steps = rank == SLOW ? 50 : 10;
      for (int i = 1; i <= steps; i++) {
        thread.sample(i * MS, "main/compute");
      }
      int writes = rank >= RANKS - 2 ? 4 : 0;
      for (int i = 1; i <= writes; i++) {
        thread.sample((steps + i) * MS, "main/output");
      }
      thread.threadEnd((steps + writes) * MS);
    }
    return builder.write();
  }

  private Table table() throws Exception {
    try (LoadedSessionOfTest session = new LoadedSessionOfTest(trace())) {
      return BalanceReport.of(new ApplicationAnalysis(session.loaded.getApplications().get(0)), null,
          Progress.NONE);
    }
  }

  private record LoadedSessionOfTest(LoadedSession loaded) implements AutoCloseable {
    LoadedSessionOfTest(Path trace) throws Exception {
      this(SessionBuilder.open(List.of(trace), Progress.NONE));
    }

    @Override
    public void close() {
      SessionBuilder.close(loaded);
    }
  }

  private static Object value(Table table, String name, String column) {
    Row row = table.rows().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    return row.values().get(table.column(column));
  }

  @Test
  void profilesHaveTheDistributionOfProceduresOverProcessesOrThreads() throws Exception {
    try (LoadedSessionOfTest session = new LoadedSessionOfTest(trace())) {
      ApplicationAnalysis analysis = new ApplicationAnalysis(session.loaded.getApplications().get(0));
      Table profile = ProfileReport.of(analysis, Level.PROCEDURE, null, Progress.NONE);
      assertEquals("\u2582\u2582\u2582\u2588\u2582\u2582\u2582\u2582", value(profile, "compute", "distribution"));
      assertEquals("\u00b7".repeat(6) + "\u2588\u2588", value(profile, "output", "distribution"));
      Table ranks = ProfileReport.of(analysis, Level.PROCESS, null, Progress.NONE);
      assertEquals("", ranks.rows().get(0).values().get(ranks.column("distribution")));
      assertFalse(ReportText.print(profile, 5).contains("distribution"), "balance has it");
    }
    TraceBuilder builder = new TraceBuilder(directory.resolve("threads"));
    TracedProcess process = builder.process("node1", "/opt/solver");
    for (int thread = 0; thread < 2; thread++) {
      process.thread(thread).threadBegin(0, thread - 1).sample((thread + 1) * 10 * MS, "main/compute")
          .threadEnd((thread + 1) * 10 * MS);
    }
    process.exit(20 * MS, 0);
    try (LoadedSessionOfTest session = new LoadedSessionOfTest(builder.write())) {
      Table profile = ProfileReport.of(new ApplicationAnalysis(session.loaded.getApplications().get(0)),
          Level.PROCEDURE, null, Progress.NONE);
      assertEquals("\u2585\u2588", value(profile, "compute", "distribution"));
    }
  }

  @Test
  void theSlowProcessStandsApart() throws Exception {
    Table table = table();
    assertEquals("compute", table.rows().get(0).name(), "the largest excess is first");
    assertEquals(120 * MS, value(table, "compute", "time"));
    assertEquals(10 * MS, value(table, "compute", "least"));
    assertEquals(15 * MS, value(table, "compute", "mean"));
    assertEquals(50 * MS, value(table, "compute", "most"));
    assertEquals(35 * MS, value(table, "compute", "excess"));
    assertEquals(100 * 35 / 15.0, (Double) value(table, "compute", "imbalance"), 1e-9);
    assertEquals("node1:solver[3]", value(table, "compute", "slowest"));
    assertEquals("node1:solver[3]", value(table, "compute", "outliers"));
    assertEquals("\u2582\u2582\u2582\u2588\u2582\u2582\u2582\u2582", value(table, "compute", "distribution"));
    assertEquals(128 * MS, table.total());
    assertEquals(table.total(), table.rows().stream().mapToLong(row -> (Long) row.values().get(0)).sum());
  }

  /** A process without the procedure has the time 0. */
  @Test
  void processesWithoutTheProcedureCount() throws Exception {
    Table table = table();
    assertEquals(0L, value(table, "output", "least"));
    assertEquals(1 * MS, value(table, "output", "mean"));
    assertEquals(4 * MS, value(table, "output", "most"));
    assertEquals(300.0, (Double) value(table, "output", "imbalance"), 1e-9);
    assertEquals("\u00b7\u00b7\u00b7\u00b7\u00b7\u00b7\u2588\u2588", value(table, "output", "distribution"));
  }

  @Test
  void outliersNeedQuartiles() {
    assertEquals("", BalanceReport.outliers(new long[] {1, 1, 1, 100}, names(4)));
    assertEquals("p4", BalanceReport.outliers(new long[] {1, 2, 1, 2, 100}, names(5)));
    assertEquals("", BalanceReport.outliers(new long[] {1, 2, 3, 4, 5}, names(5)));
    assertEquals("p6, p0", BalanceReport.outliers(new long[] {0, 50, 51, 52, 53, 54, 200}, names(7)));
  }

  @Test
  void neighboursShareABar() {
    long[] times = IntStream.range(0, 1024).mapToLong(i -> i < 512 ? 10 : 80).toArray();
    assertEquals("\u2582".repeat(8) + "\u2588".repeat(8), Distribution.bars(times));
    assertEquals("\u00b7", Distribution.bars(new long[1]));
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "p" + i).toList();
  }
}
