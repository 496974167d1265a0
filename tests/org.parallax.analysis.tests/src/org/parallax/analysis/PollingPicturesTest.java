package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/**
 * Polling, drawn: a column is 10 ns, letters are procedures, {@code ?} is polling, {@code =} what remains of a call
 * when waiting is over.
 */
class PollingPicturesTest {
  private static final int WORLD = 1;

  @TempDir Path directory;

  private TraceBuilder trace;

  private TracedThread rank(int rank) {
    if (trace == null) {
      trace = new TraceBuilder(directory);
      for (int each = 0; each < 2; each++) {
        trace.process("n", "/opt/p").mpi(7, each, 2);
      }
    }
    return trace.process(rank).thread(0);
  }

  private ApplicationAnalysis analysis(Trace opened) {
    return new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
  }

  private void assertWaits(String... expected) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Table table = WaitsReport.of(analysis(opened), Level.PROCEDURE, false, null, Progress.NONE);
      List<String> rows = new ArrayList<>();
      for (Row row : table.rows()) {
        rows.add(row.name() + " " + value(table, row, "procedure") + " " + value(table, row, "time")
            + " <- " + value(table, row, "originProcedure"));
      }
      assertEquals(List.of(expected), rows);
      assertEquals(List.of(), table.warnings());
    }
  }

  private void assertPath(String... expected) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Table table = CriticalPathReport.of(
          analysis(opened), Level.PROCEDURE, Weight.WALL, null, Progress.NONE);
      List<String> rows = new ArrayList<>();
      for (Row row : table.rows()) {
        rows.add(row.name() + " " + value(table, row, "time"));
      }
      assertEquals(List.of(expected), rows);
    }
  }

  private static Object value(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  /** 0 works until 100 and sends. */
  private void lateSender() {
    rank(0).enter(0, "a").leave(100).send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
  }

  @Test
  void aSuccessEndsTheWaitThatTheFirstAttemptBegan() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  bbb???????===
    lateSender();
    rank(1).enter(0, "b").leave(30).enter(30, "MPI_Iprobe").event(130, Kind.POLL, 1, 17, 0)
        .event(130, Kind.PROBE, WORLD, 0, 8).leave(130);
    assertWaits("late sender MPI_Iprobe 70 <- a");
    assertPath("a 100", "Msg: n:p[0]->n:p[1] 30");
  }

  @Test
  void anotherRoutineCanHaveTheSuccess() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  bbb???????R==     R: the receive that is called when polling is given up
    lateSender();
    rank(1).enter(0, "b").leave(30).enter(30, "MPI_Iprobe").event(105, Kind.POLL, 1, 17, 0)
        .receive(105, 130, "MPI_Recv", WORLD, 0, 0, 8).leave(130);
    assertWaits("late sender MPI_Iprobe 70 <- a");
    assertPath("a 100", "Msg: n:p[0]->n:p[1] 30");
  }

  @Test
  void onlyOneCallEndsAPolling() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  bb??R(b)......==      the message that ends the polling was sent before
    TracedThread sender = rank(0);
    sender.enter(0, "a").leave(10).send(10, 12, "MPI_Send", WORLD, 1, 5, 8);
    sender.enter(12, "a").leave(100).send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "b").leave(20).enter(20, "MPI_Test").event(40, Kind.POLL, 1, 3, 0)
        .receive(40, 50, "MPI_Recv", WORLD, 0, 5, 8).leave(50)
        .receive(50, 130, "MPI_Recv", WORLD, 0, 0, 8);
    assertWaits("late sender MPI_Recv 50 <- a");
  }

  @Test
  void aWaitIsToldWhereItsTimeIs() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  bbb???RRRRR==     R: the receive that is called when polling is given up
    lateSender();
    rank(1).enter(0, "b").leave(30).enter(30, "MPI_Iprobe").event(60, Kind.POLL, 1, 17, 0)
        .receive(60, 130, "MPI_Recv", WORLD, 0, 0, 8).leave(130);
    assertWaits("late sender MPI_Recv 40 <- a", "late sender MPI_Iprobe 30 <- a");
    assertPath("a 100", "Msg: n:p[0]->n:p[1] 30");
  }

  @Test
  void pollingInVainIsItsOwnStateAndNotTheWorkOfOthers() throws TraceException {
    // 1:  bbb???????bbb     a column is 10 us
    rank(0).enter(0, "a").leave(10_000);
    trace.process(1).region("sem_trywait");
    rank(1).enter(0, "b").leave(30_000).enter(30_000, "sem_trywait").event(100_000, Kind.POLL, 0, 1000, 0)
        .leave(100_000).enter(100_000, "b").leave(130_000);
    assertWaits("polling, unknown cause sem_trywait 70000 <- ");
    assertPath("sem_trywait 70000", "b 60000");
  }

  /** 0 polls from 20 us on, with success on another call path, and reads. */
  private void pollsOnTwoPaths(boolean sends) {
    // 0:0  bb????????p=R     p: the attempt with success; a column is 10 us
    // 0:1  aaaaaaaaaaW
    rank(1).enter(0, "c").leave(10);
    TracedThread thread = rank(0);
    List.of("poll", "read", "write", "pthread_create").forEach(trace.process(0)::region);
    int stream = trace.process(0).stream(1, 7, "pipe");
    thread.threadBegin(0, -1).create(0, 0, "pthread_create", 1).enter(0, "b").leave(20_000)
        .enter(20_000, "f/poll").event(105_000, Kind.POLL, 1, 17, 0)
        .enter(105_000, "g/poll").leave(110_000).leave(112_000).read(112_000, 113_000, "read", stream, 0, 8);
    TracedThread other = trace.process(0).thread(1).threadBegin(0, 0).enter(0, "a").leave(100_000);
    if (sends) {
      other.write(100_000, 100_010, "write", stream, 0, 8);
    }
  }

  @Test
  void aWaitThatAnInnerCallEndsIsOneWait() throws TraceException {
    pollsOnTwoPaths(true);
    assertWaits("stream wait poll 80000 <- a");
  }

  @Test
  void aWaitThatAnInnerCallEndsHasAnUnknownWakerInBoth() throws TraceException {
    pollsOnTwoPaths(false);
    assertWaits("unknown waker poll 85000 <- ", "unknown waker poll 5000 <- ");
  }
}
