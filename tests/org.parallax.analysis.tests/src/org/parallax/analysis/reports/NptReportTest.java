package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** NPT profiles whose numbers are known, and what holds of all of them. */
class NptReportTest {
  private static final Level[] LEVELS =
      {Level.APPLICATION, Level.MACHINE, Level.PROCESS, Level.THREAD, Level.PROCEDURE};

  @TempDir Path directory;

  private static ApplicationAnalysis analysis(Trace trace) {
    LoadedSession session = SessionBuilder.of(trace);
    return new ApplicationAnalysis(session.getApplications().get(0));
  }

  private static Map<String, Object> values(Table table, String column) {
    Map<String, Object> values = new TreeMap<>();
    table.rows().forEach(row -> values.put(row.name(), row.values().get(table.column(column))));
    return values;
  }

  /**
   * <pre>
   *          0         100            160       260       400
   *  main    |  a      |  b           |  join.........    |  (b's wait: a lock of the thread's)
   *  thread            |  c           |  d      |
   * </pre>
   */
  private Path twoThreads() {
    TraceBuilder trace = new TraceBuilder(directory);
    TracedProcess process = trace.process("n", "/opt/p");
    process.thread(0).threadBegin(0, -1).sample(100, "main/a")
        .create(100, 100, "main/pthread_create", 1).sample(160, "main/b")
        .join(160, 400, "main/pthread_join", 1);
    process.thread(1).threadBegin(100, 0).sample(160, "start/c").sample(260, "start/d");
    return trace.write();
  }

  @Test
  void whatRunsAloneCountsFullyAndWhatRunsTogetherHalf() throws Exception {
    try (Trace trace = Trace.open(twoThreads())) {
      ApplicationAnalysis analysis = analysis(trace);
      Table table =
          NptReport.of(analysis, Level.PROCEDURE, Weight.WALL, null, Progress.NONE);
      // The join has all that it waits for at 260, when the thread ends.
      assertEquals(Map.of("a", 100L, "b", 30L, "c", 30L, "d", 100L, "pthread_join", 140L),
          values(table, "time"));
      assertEquals(Map.of("a", 100L, "b", 60L, "c", 60L, "d", 100L, "pthread_join", 140L),
          values(table, "executing"));
      assertEquals(Map.of("a", 1.0, "b", 2.0, "c", 2.0, "d", 1.0, "pthread_join", 1.0),
          values(table, "parallelism"));
      assertEquals(400, table.total());
      assertEquals("400", table.parameters().get("executingNs"));
      assertEquals(List.of(), table.warnings());
      ApplicationAnalysis part = analysis.during(new Phase("p", new Window(130, 200)));
      assertEquals(Map.of("b", 15L, "c", 15L, "d", 40L),
          values(NptReport.of(part, Level.PROCEDURE, Weight.WALL, null, Progress.NONE), "time"));
      TreeNode thread = ProgramTree.logical(analysis.application()).children().get(0).children()
          .get(0).children().get(1);
      Table node = NptReport.of(analysis, Level.THREAD, Weight.WALL, thread, Progress.NONE);
      assertEquals(130, node.total(), "the node's part: the other thread counts");
      assertEquals("400", node.parameters().get("executingNs"));
    }
  }

  /** The second thread loses 30 ns right before 160: nothing tells of it by wall time. */
  @Test
  void whoHasNoProcessorDoesNotExecuteByCpuTime() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    process.thread(0).threadBegin(0, -1).sample(200, "main/a");
    TracedThread second = process.thread(1).threadBegin(0, 0);
    second.lost(160, 30).sample(200, "start/c");
    try (Trace trace = Trace.open(builder.write())) {
      ApplicationAnalysis analysis = analysis(trace);
      assertEquals(Map.of("a", 115L, "c", 85L), values(
          NptReport.of(analysis, Level.PROCEDURE, Weight.CPU, null, Progress.NONE), "time"));
      assertEquals(Map.of("a", 100L, "c", 85L, "(off CPU)", 15L), values(
          NptReport.of(analysis, Level.PROCEDURE, Weight.WALL, null, Progress.NONE), "time"));
    }
  }

  @Test
  void threeThreadsShareWhatCannotBeDivided() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    for (int i = 0; i < 3; i++) {
      process.thread(i).threadBegin(0, i - 1 < 0 ? -1 : 0).sample(100, "start/f" + i);
    }
    try (Trace trace = Trace.open(builder.write())) {
      Table table = NptReport.of(
          analysis(trace), Level.PROCEDURE, Weight.WALL, null, Progress.NONE);
      assertEquals(Map.of("f0", 34L, "f1", 33L, "f2", 33L), values(table, "time"));
    }
  }

  @Test
  void rowsAddUpToTheTimeInWhichAnyThreadExecutes() throws Exception {
    for (int seed = 1; seed <= 15; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("random" + seed), 4, 300);
      try (Trace trace = Trace.open(path)) {
        ApplicationAnalysis analysis = analysis(trace);
        for (Weight weight : Weight.values()) {
          long executing = 0;
          for (Level level : LEVELS) {
            Table table = NptReport.of(analysis, level, weight, null, Progress.NONE);
            assertEquals(table.parameters().get("executingNs"), Long.toString(table.total()));
            assertEquals(table.total(), sum(table, "time"), "seed " + seed + " " + level);
            assertTrue(table.total() <= trace.durationNs());
            assertTrue(executing == 0 || executing == sum(table, "executing"));
            executing = sum(table, "executing");
          }
          long parts = 0;
          List<TreeNode> machines =
              ProgramTree.logical(analysis.application()).children();
          for (TreeNode machine : machines) {
            Table part = NptReport.of(analysis, Level.PROCEDURE, weight, machine, Progress.NONE);
            assertEquals(part.total(), sum(part, "time"));
            parts += part.total();
          }
          long all = NptReport.of(analysis, Level.THREAD, weight, null, Progress.NONE).total();
          assertTrue(Math.abs(all - parts) <= machines.size(), all + " and " + parts);
        }
      }
    }
  }

  private static long sum(Table table, String column) {
    int index = table.column(column);
    return table.rows().stream().mapToLong(row -> (Long) row.values().get(index)).sum();
  }
}
