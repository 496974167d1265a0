package org.parallax.analysis.phases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** The part of a run between MPI_Init and MPI_Finalize, and when it is proposed. */
class MpiPhaseTest {
  private static final String HINT = "the start and the end of MPI take %s %% of the run; the phase mpi is "
      + "the time between them";

  /** Of communicators: intercommunicator, members unknown; of the spawned side: second group, parent. */
  private static final int SPAWNER = 1 | 2;
  private static final int PARENT = SPAWNER | 16 | 32;

  @TempDir Path directory;

  private TraceBuilder trace;

  private interface Check {
    void on(ApplicationAnalysis analysis) throws Exception;
  }

  private TracedThread rank(int rank) {
    trace = trace == null ? new TraceBuilder(directory) : trace;
    return trace.process("n", "/opt/p").mpi(7, rank, 2).thread(0);
  }

  private static void between(TracedProcess process, int flags) {
    process.communicator(3, 1, 77, 0, flags, new int[][] {{0, 1, 1}}, new int[][] {{0, 1, 1}}, "");
  }

  private static void assertWindow(long beginNs, long endNs, MpiPhase phase) {
    assertEquals(beginNs, phase.window().beginNs());
    assertEquals(endNs, phase.window().endNs());
  }

  private void check(Check check) throws Exception {
    try (Trace opened = Trace.open(trace.write())) {
      check.on(new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)));
    }
  }

  private static Table table(StandardReport report, ApplicationAnalysis analysis) throws Exception {
    return report.make(analysis, ReportRequest.of(report, ParameterValues.NONE), Progress.NONE);
  }

  /** Rank 0 is in MPI_Init from 100 to 300, rank 1 until 250; the first finalizes at 1000 - tail. */
  private void ranks(String init, long tail) {
    rank(0).enter(0, "main").enter(100, "main/" + init).leave(300)
        .enter(980 - tail, "main/MPI_Finalize").leave(990).leave(1000);
    rank(1).enter(0, "main").enter(110, "main/MPI_Init").leave(250)
        .enter(970 - tail, "main/MPI_Finalize").leave(995).leave(1000);
  }

  @Test
  void sessionsBeginWithTheFirstAndEndWithTheLast() throws Exception {
    rank(0).enter(0, "main").enter(100, "main/MPI_Session_init").leave(300).enter(400, "main/MPI_Session_init").leave(410)
        .enter(700, "main/MPI_Session_finalize").leave(710).enter(980, "main/MPI_Session_finalize").leave(990).leave(1000);
    rank(1).enter(0, "main").enter(110, "main/MPI_Session_init").leave(250)
        .enter(970, "main/MPI_Session_finalize").leave(995).leave(1000);
    check(analysis -> assertWindow(300, 970, MpiPhase.of(analysis).orElseThrow()));
  }

  @Test
  void itIsFromTheLastInitToTheFirstFinalize() throws Exception {
    ranks("MPI_Init_thread", 0);
    check(analysis -> {
      MpiPhase phase = MpiPhase.of(analysis).orElseThrow();
      assertWindow(300, 970, phase);
      assertEquals(200 + 25, phase.outsideNs());
      assertEquals(1000, phase.runNs());
      for (StandardReport report : List.of(StandardReport.METRICS, StandardReport.PROFILE,
          StandardReport.CRITICAL_PATH, StandardReport.CALLTREE, StandardReport.NPT, StandardReport.WAITS,
          StandardReport.DELAYS, StandardReport.EFFICIENCY)) {
        assertTrue(table(report, analysis).warnings().contains(String.format(HINT, "23")),
            table(report, analysis).warnings().toString());
        assertTrue(table(report, analysis.during(new Phase("mpi", phase.window()))).warnings()
            .stream().noneMatch(warning -> warning.contains("--phase")), "it is chosen already");
      }
      Row row = table(StandardReport.PHASES, analysis).rows().get(0);
      assertEquals("mpi", row.name());
      assertEquals(List.of("between MPI_Init and MPI_Finalize", 1L, 300L, 970L, 670L), row.values());
    });
  }

  @Test
  void aTableOfSeveralRunsNamesThem() throws Exception {
    ranks("MPI_Init", 0);
    check(analysis -> {
      for (StandardReport report : List.of(StandardReport.METRICS, StandardReport.EFFICIENCY)) {
        ReportRequest request = ReportRequest.of(report, ParameterValues.NONE);
        List<String> warnings =
            report.makeOfAll(List.of(analysis, analysis), request, Progress.NONE).warnings();
        assertTrue(warnings.contains("p: " + String.format(HINT, "23")), warnings.toString());
      }
    });
  }

  @Test
  void aSmallPartIsNotWorthAHint() throws Exception {
    rank(0).enter(0, "main").enter(10, "main/MPI_Init").leave(50)
        .enter(950, "main/MPI_Finalize").leave(990).leave(1000);
    check(analysis -> {
      assertWindow(50, 950, MpiPhase.of(analysis).orElseThrow());
      assertEquals(List.of(), table(StandardReport.PROFILE, analysis).warnings());
    });
  }

  @Test
  void aRankThatDoesNotFinalizeEndsWithItsThread() throws Exception {
    rank(0).enter(0, "main").enter(10, "main/MPI_Init").leave(50).leave(700);
    rank(1).enter(0, "main").enter(10, "main/MPI_Init").leave(50)
        .enter(950, "main/MPI_Finalize").leave(990).leave(1000);
    check(analysis ->
        assertWindow(50, 700, MpiPhase.of(analysis).orElseThrow()));
  }

  /** Rank 0 works for long before it spawns; MPI_Init of the job that it spawns is a part of this work. */
  @Test
  void spawnedJobsCountOnlyForTheLengthOfTheRun() throws Exception {
    trace = new TraceBuilder(directory);
    TracedProcess parent = trace.process("n", "/opt/p").mpi(7, 0, 1);
    between(parent, SPAWNER);
    parent.thread(0).enter(0, "main").enter(10, "main/MPI_Init").leave(50)
        .enter(600, "main/MPI_Comm_spawn").leave(700)
        .enter(950, "main/MPI_Finalize").leave(990).leave(1000);
    TracedProcess child = trace.process("n", "/opt/p").mpi(8, 0, 1);
    between(child, PARENT);
    child.thread(0).enter(620, "main").enter(630, "main/MPI_Init").leave(700)
        .enter(800, "main/MPI_Finalize").leave(1190).leave(1200);
    check(analysis -> {
      MpiPhase phase = MpiPhase.of(analysis).orElseThrow();
      assertWindow(50, 950, phase);
      assertEquals(40 + 40, phase.outsideNs());
      assertEquals(1200, phase.runNs());
      assertTrue(table(StandardReport.PROFILE, analysis).warnings().stream()
          .noneMatch(warning -> warning.contains("--phase")));
    });
  }

  @Test
  void withoutMpiThereIsNone() throws Exception {
    trace = new TraceBuilder(directory);
    trace.process("n", "/opt/p").thread(0).enter(0, "main").leave(1000);
    check(analysis -> {
      assertTrue(MpiPhase.of(analysis).isEmpty());
      assertEquals(List.of(), table(StandardReport.PHASES, analysis).rows());
    });
  }
}
