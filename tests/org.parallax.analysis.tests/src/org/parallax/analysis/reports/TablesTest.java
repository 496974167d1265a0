package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.export.CollapsedStacks;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** What holds of every table, on a random program: parts add up at every level and in every scope. */
class TablesTest {
  private static final Level[] LEVELS =
      {Level.MACHINE, Level.PROCESS, Level.THREAD, Level.PROCEDURE};

  @TempDir Path directory;

  private Trace trace;
  private ApplicationAnalysis analysis;
  private TreeNode tree;

  @BeforeEach
  void open() throws Exception {
    trace = Trace.open(RandomPrograms.write(11, directory.resolve("trace"), 4, 400));
    Application application = SessionBuilder.of(trace).getApplications().get(0);
    analysis = new ApplicationAnalysis(application);
    tree = ProgramTree.logical(application);
  }

  @AfterEach
  void close() {
    trace.close();
  }

  private static long sum(Table table, String column) {
    int index = table.column(column);
    return table.rows().stream().mapToLong(row -> (Long) row.values().get(index)).sum();
  }

  @Test
  void rowsOfTheCriticalPathAddUpToItsLengthAtEveryLevel() {
    for (Weight weight : Weight.values()) {
      long length = analysis.criticalPath(weight, Progress.NONE).lengthNs();
      assertTrue(length > 0);
      for (Level level : LEVELS) {
        Table table = CriticalPathReport.of(analysis, level, weight, null, Progress.NONE);
        assertEquals(length, table.total(), level + " " + weight);
        assertEquals(length, sum(table, "time"), level + " " + weight);
        long arcs = sum(table, "count");
        for (CriticalPathReport.Grouping by : CriticalPathReport.Grouping.values()) {
          Table grouped = CriticalPathReport.of(analysis, level, by, weight, null, Progress.NONE);
          assertEquals(length, sum(grouped, "time"), level + " by " + by);
          assertEquals(arcs, sum(grouped, "count"), level + " by " + by);
        }
      }
    }
  }

  @Test
  void scopesDivideTheCriticalPath() {
    Table whole =
        CriticalPathReport.of(analysis, Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
    for (Level level : LEVELS) {
      long parts = 0;
      for (TreeNode machine : tree.children()) {
        for (TreeNode process : machine.children()) {
          Table part = CriticalPathReport.of(analysis, level, Weight.CPU, process, Progress.NONE);
          assertEquals(part.total(), sum(part, "time"));
          assertEquals(process.path(), part.parameters().get("node"));
          parts += part.total();
        }
      }
      assertEquals(whole.total(), parts, level.toString());
    }
  }

  @Test
  void flameGraphsAddUpToTheTables() {
    for (TreeNode node : List.of(tree, tree.children().get(0).children().get(0))) {
      for (Weight weight : Weight.values()) {
        assertEquals(CriticalPathReport.of(analysis, Level.PROCEDURE, weight, node, Progress.NONE)
            .total(), width(FlameSubject.CRITICAL_PATH, weight, node));
      }
      long waits =
          WaitsReport.of(analysis, Level.PROCESS, false, node, Progress.NONE).total();
      assertTrue(waits > 0);
      assertEquals(waits, width(FlameSubject.WAITS, Weight.WALL, node));
    }
  }

  private long width(FlameSubject subject, Weight weight, TreeNode node) {
    long sum = CollapsedStacks.of(analysis, subject, null, weight, node, Progress.NONE).values()
        .stream().mapToLong(Long::longValue).sum();
    assertEquals(sum, CallTree.of(analysis, subject, weight, node, Progress.NONE).totalNs(weight));
    return sum;
  }

  @Test
  void theProfileAddsUpToTheTimeOfTheThreads() {
    long elapsed = 0;
    for (TreeNode machine : tree.children()) {
      for (TreeNode process : machine.children()) {
        elapsed += process.threads().get(0).getEndNs() - process.threads().get(0).getBeginNs();
      }
    }
    for (Level level : LEVELS) {
      Table table = ProfileReport.of(analysis, level, null, Progress.NONE);
      assertEquals(elapsed, table.total(), level.toString());
      assertEquals(elapsed, sum(table, "time"), level.toString());
      assertEquals(
          sum(ProfileReport.of(analysis, Level.PROCESS, null, Progress.NONE), "cpu"),
          sum(table, "cpu"), level.toString());
    }
  }

  @Test
  void inclusiveTimeHoldsWhatIsCalled() {
    Table table = ProfileReport.of(analysis, Level.PROCEDURE, null, Progress.NONE);
    int time = table.column("time");
    int inclusive = table.column("inclusive");
    Row main = table.rows().stream().filter(r -> r.name().equals("main")).findFirst().orElseThrow();
    assertEquals(table.total(), main.values().get(inclusive), "all is called by main");
    for (Row row : table.rows()) {
      assertTrue((Long) row.values().get(inclusive) >= (Long) row.values().get(time), row.name());
    }
  }

  @Test
  void metricsOfProcessesAddUpToThoseOfTheApplication() {
    Table application = MetricsReport.of(analysis, Level.APPLICATION, null, Progress.NONE);
    Table processes = MetricsReport.of(analysis, Level.PROCESS, null, Progress.NONE);
    assertEquals(4, processes.columns().size());
    for (int i = 1; i < application.rows().size(); i++) {
      long sum = processes.rows().get(i).values().stream().mapToLong(v -> (Long) v).sum();
      assertEquals(application.rows().get(i).values().get(0), sum,
          application.rows().get(i).name());
    }
    assertTrue(metric(application, "Messages received") > 0);
    assertEquals(100 * metric(application, "Messages sent"), metric(application, "Bytes sent"));
    assertEquals(
        100 * metric(application, "Messages received"), metric(application, "Bytes received"));
  }

  private static long metric(Table table, String name) {
    Row found = table.rows().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
    return (Long) found.values().get(0);
  }

  @Test
  void aReplayedTraceGivesTheSameAnswerTwice() {
    ApplicationAnalysis again = new ApplicationAnalysis(analysis.application());
    for (Level level : LEVELS) {
      assertEquals(
          CriticalPathReport.of(analysis, level, Weight.CPU, null, Progress.NONE),
          CriticalPathReport.of(again, level, Weight.CPU, null, Progress.NONE));
    }
  }
}
