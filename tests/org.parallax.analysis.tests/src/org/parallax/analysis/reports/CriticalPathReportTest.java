package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;

/** What is said of a path whose length is not that of the run. */
class CriticalPathReportTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  private Table table(long lostMs, Weight weight) throws TraceException {
    TraceBuilder trace = new TraceBuilder(directory.resolve("trace" + lostMs + weight));
    trace.process("m", "/opt/p").thread(0).threadBegin(0, -1).sample(50 * MS, "main/work")
        .lost(90 * MS, lostMs * MS).sample(95 * MS, "main/work").threadEnd(100 * MS);
    trace.process(0).exit(100 * MS, 0);
    try (Trace opened = Trace.open(trace.write())) {
      return CriticalPathReport.of(
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)),
          Level.PROCEDURE, weight, null, Progress.NONE);
    }
  }

  @Test
  void aPathOfCpuTimeTellsThatItIsShorterThanTheRun() throws TraceException {
    Table table = table(30, Weight.CPU);
    assertEquals(70 * MS, table.total());
    assertEquals(List.of("the path weighs CPU time, 70.000 ms of the run's 100.000 ms; "
        + "weighed by wall time it has the length of the run"), table.warnings());
  }

  @Test
  void aPathOfTheRunsLengthNeedsNoWord() throws TraceException {
    assertEquals(List.of(), table(30, Weight.WALL).warnings());
    assertEquals(100 * MS, table(31, Weight.WALL).total());
    assertEquals(List.of(), table(0, Weight.CPU).warnings());
  }

  /** Rank 10 was before rank 2. */
  @Test
  void ranksThatSendTheSameStandInTheOrderOfTheirNumbers() throws TraceException {
    TraceBuilder trace = new TraceBuilder(directory.resolve("ring"));
    for (int rank = 0; rank < 12; rank++) {
      trace.process("m", "/opt/p").mpi(7, rank, 12);
    }
    for (int rank = 0; rank < 12; rank++) {
      trace.process(rank).thread(0).threadBegin(0, -1)
          .send(MS, 2 * MS, "MPI_Send", 1, (rank + 1) % 12, 0, 8)
          .receive(3 * MS, 4 * MS, "MPI_Recv", 1, (rank + 11) % 12, 0, 8).threadEnd(5 * MS);
    }
    try (Trace opened = Trace.open(trace.write())) {
      Table table = TrafficReport.of(
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)),
          Level.PROCESS, null, Progress.NONE);
      List<String> senders = table.rows().stream().map(Row::name)
          .map(name -> name.replaceAll(".*: m:p\\[(\\d+)]->.*", "$1")).toList();
      assertEquals(List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"), senders);
    }
  }
}
