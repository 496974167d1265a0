package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.waits.Traffic;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Kind;
import org.parallax.trace.PartitionOp;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/**
 * Partitioned messages, drawn: a column is 1 us, letters are procedures, {@code T} is a start, {@code Y} makes partitions
 * ready, {@code .} is waiting, {@code ?} polling, {@code =} what remains of a call when waiting is over.
 */
class PartitionPicturesTest {
  private static final int WORLD = 1;
  private static final int TAG = 5;
  private static final int US = 1000;
  /** Of one partition of four. */
  private static final long BYTES = 100;

  @TempDir Path directory;

  private TraceBuilder trace;

  private TracedThread rank(int rank) {
    return rank(rank, 0);
  }

  private TracedThread rank(int rank, int thread) {
    if (trace == null) {
      trace = new TraceBuilder(directory);
      for (int each = 0; each < 2; each++) {
        trace.process("n", "/opt/p").mpi(7, each, 2);
      }
    }
    return trace.process(rank).thread(thread);
  }

  private static long[] payload(int peer, long ordinal, long start, PartitionOp op, int of, long first, long count) {
    return new long[] {(long) peer << 32 | TAG, ordinal << 32 | start, (long) op.op() << 32 | of, first << 32 | count,
        BYTES * 4 / of * count};
  }

  private static void work(TracedThread thread, int from, int to, String procedure) {
    thread.enter(US * from, procedure).leave(US * to);
  }

  private static void start(TracedThread thread, int us, int peer, long ordinal, long start, int of) {
    thread.enter(US * us, "MPI_Start").event(US * us, peer == 1 ? Kind.PARTITIONED_SEND : Kind.PARTITIONED_RECEIVE,
        WORLD, payload(peer, ordinal, start, PartitionOp.START, of, 0, 0)).leave(US * us + 1);
  }

  private static void ready(TracedThread thread, int us, long ordinal, long start, long first, long count) {
    thread.enter(US * us, "MPI_Pready").event(US * us, Kind.PARTITIONED_SEND, WORLD,
        payload(1, ordinal, start, PartitionOp.PARTITIONS, 4, first, count)).leave(US * us + 1);
  }

  /** Completes a start in a wait. */
  private static void finish(TracedThread thread, int from, int to, int peer, long ordinal, long start, int of) {
    thread.enter(US * from, "MPI_Wait").event(US * to, peer == 1 ? Kind.PARTITIONED_SEND : Kind.PARTITIONED_RECEIVE,
        WORLD, payload(peer, ordinal, start, PartitionOp.DONE, of, 0, of)).leave(US * to);
  }

  /** Polls for a partition. */
  private static void arrived(TracedThread thread, int from, int to, int of, long partition) {
    thread.enter(US * from, "MPI_Parrived").event(US * to, Kind.POLL, 1, 7, 0)
        .event(US * to, Kind.PARTITIONED_RECEIVE, WORLD,
            payload(0, 0, 0, PartitionOp.PARTITIONS, of, partition, 1)).leave(US * to);
  }

  private ApplicationAnalysis analysis(Trace opened) {
    return new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
  }

  private static Object value(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  private void assertWaits(String... expected) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Table table = WaitsReport.of(analysis(opened), Level.PROCEDURE, true, null, Progress.NONE);
      List<String> rows = new ArrayList<>();
      for (Row row : table.rows()) {
        rows.add(row.name() + " " + value(table, row, "procedure") + " " + (Long) value(table, row, "originTime") / US
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
        rows.add(row.name() + " " + Math.round((Long) value(table, row, "time") / (double) US));
      }
      assertEquals(List.of(expected), rows);
    }
  }

  @Test
  void theReceiverWaitsForTheStartAndThenForTheLastPartition() throws TraceException {
    // 0:  aaaaaaaaaaTYYcccccccccccccccccccY=
    // 1:  T.............................==     of the partitions, the first is the last
    TracedThread sender = rank(0);
    work(sender, 0, 10, "a");
    start(sender, 10, 1, 0, 0, 4);
    ready(sender, 11, 0, 0, 2, 2);
    ready(sender, 12, 0, 0, 1, 1);
    work(sender, 13, 32, "c");
    ready(sender, 32, 0, 0, 0, 1);
    finish(sender, 33, 34, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 2);
    finish(receiver, 1, 35, 0, 0, 0, 2);
    assertWaits("late partition MPI_Wait 19 <- c", "late partition MPI_Wait 2 <- (not sampled)",
        "late partition MPI_Wait 0 <- MPI_Pready", "late partition MPI_Wait 0 <- MPI_Start",
        "late sender MPI_Wait 9 <- a");
    assertPath("c 19", "a 10", "Msg: n:p[0]->n:p[1] 3", "(not sampled) 3", "MPI_Pready 0", "MPI_Start 0");
  }

  @Test
  void whoPollsForOnePartitionWaitsForThoseOfTheSenderThatItOverlaps() throws TraceException {
    // 0:  TY(2,3)aaaaaaaaY(0)bbbbbbbbbY(1)ccccccccc
    // 1:  T?????????????????????????????==   the receiver's first of two
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, 4);
    ready(sender, 1, 0, 0, 2, 2);
    work(sender, 2, 20, "a");
    ready(sender, 20, 0, 0, 0, 1);
    work(sender, 21, 40, "b");
    ready(sender, 40, 0, 0, 1, 1);
    finish(sender, 41, 42, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 2);
    arrived(receiver, 2, 42, 2, 0);
    finish(receiver, 43, 44, 0, 0, 0, 2);
    assertWaits("late partition MPI_Parrived 19 <- b", "late partition MPI_Parrived 18 <- a",
        "late partition MPI_Parrived 0 <- (not sampled)", "late partition MPI_Parrived 0 <- MPI_Pready");
  }

  @Test
  void aLibraryCanLetThePollWaitForLaterPartitions() throws TraceException {
    // 0:  TY(0)aaaaaaaaaaaaaaaaaaaaaaY(1..3)
    // 1:  T?????????????????????????????==   the receiver's first of four
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, 4);
    ready(sender, 1, 0, 0, 0, 1);
    work(sender, 2, 40, "a");
    ready(sender, 40, 0, 0, 1, 3);
    finish(sender, 41, 42, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 4);
    arrived(receiver, 2, 42, 4, 0);
    finish(receiver, 43, 44, 0, 0, 0, 4);
    assertWaits("late partition MPI_Parrived 38 <- a");
  }

  @Test
  void aPartitionThatIsThereIsNotWaitedFor() throws TraceException {
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, 4);
    ready(sender, 1, 0, 0, 0, 1);
    work(sender, 2, 40, "a");
    ready(sender, 40, 0, 0, 1, 3);
    finish(sender, 41, 42, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 4);
    arrived(receiver, 2, 4, 4, 0);
    work(receiver, 4, 41, "b");
    finish(receiver, 41, 43, 0, 0, 0, 4);
    assertWaits();
  }

  @Test
  void theSenderWaitsUntilTheReceiverStarts() throws TraceException {
    // 0:  TY....................=
    // 1:  bbbbbbbbbbbbbbbbbbbbT=
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, 4);
    ready(sender, 1, 0, 0, 0, 4);
    finish(sender, 2, 32, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    work(receiver, 0, 30, "b");
    start(receiver, 30, 0, 0, 0, 4);
    finish(receiver, 31, 33, 0, 0, 0, 4);
    assertWaits("late receiver MPI_Wait 28 <- b");
  }

  @Test
  void requestsAndStartsAreToldApart() throws TraceException {
    // Two requests of one peer and tag, completed in the other order, the second one started twice.
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, 4);
    start(sender, 1, 1, 1, 0, 4);
    ready(sender, 2, 1, 0, 0, 4);
    finish(sender, 3, 4, 1, 1, 0, 4);
    start(sender, 4, 1, 1, 1, 4);
    work(sender, 5, 25, "a");
    ready(sender, 25, 1, 1, 0, 4);
    finish(sender, 26, 27, 1, 1, 1, 4);
    work(sender, 27, 60, "b");
    ready(sender, 60, 0, 0, 0, 4);
    finish(sender, 61, 62, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 4);
    start(receiver, 1, 0, 1, 0, 4);
    finish(receiver, 4, 5, 0, 1, 0, 4);
    start(receiver, 5, 0, 1, 1, 4);
    finish(receiver, 6, 27, 0, 1, 1, 4);
    finish(receiver, 28, 62, 0, 0, 0, 4);
    assertWaits("late partition MPI_Wait 32 <- b", "late partition MPI_Wait 19 <- a");
  }

  @Test
  void threadsMakePartitionsReady() throws TraceException {
    // 0.0:  TcccccccccY(0)..........=    waits for the other thread, too
    // 0.1:  aaaaaaaaaaaaaaaaaaaaaY(1..3)
    // 1:    T.....................==
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, 4);
    work(sender, 1, 10, "c");
    ready(sender, 10, 0, 0, 0, 1);
    TracedThread other = rank(0, 1);
    work(other, 0, 40, "a");
    ready(other, 40, 0, 0, 1, 3);
    finish(sender, 11, 43, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 4);
    finish(receiver, 1, 42, 0, 0, 0, 4);
    assertWaits("late partition MPI_Wait 68 <- a");
    assertPath("a 40", "Msg: n:p[0]:thread 1->n:p[0]:main 3");
  }

  @Test
  void impossiblePartitionsOfDamagedTracesAreIgnored() throws TraceException {
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, Integer.MAX_VALUE);
    sender.event(US * 2, Kind.PARTITIONED_SEND, WORLD,
        payload(1, 0, 0, PartitionOp.PARTITIONS, Integer.MAX_VALUE, 0, 1));
    ready(sender, 3, 0, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 4);
    arrived(receiver, 4, 5, 1, 0xffffffffL);
    work(receiver, 5, 10, "a");
    assertPath("a 5", "(not sampled) 4", "MPI_Parrived 1", "MPI_Start 0");
  }

  @Test
  void bytesAreThoseOfAllPartitions() throws TraceException {
    TracedThread sender = rank(0);
    start(sender, 0, 1, 0, 0, 4);
    ready(sender, 1, 0, 0, 2, 2);
    ready(sender, 2, 0, 0, 0, 2);
    finish(sender, 3, 4, 1, 0, 0, 4);
    TracedThread receiver = rank(1);
    start(receiver, 0, 0, 0, 0, 1);
    finish(receiver, 3, 5, 0, 0, 0, 1);
    try (Trace opened = Trace.open(trace.write())) {
      Traffic traffic = Traffic.of(opened.processes(), Window.ALL, Progress.NONE);
      assertEquals(1, traffic.flows().size());
      Traffic.Flow flow = traffic.flows().get(0);
      assertEquals(1, flow.messages());
      assertEquals(4 * BYTES, flow.bytes());
      assertEquals(3 * US, flow.timeNs(), "since the last partition was ready");
      var threads = analysis(opened).replay(Progress.NONE).threads();
      assertEquals(4 * BYTES, threads.get(0).metrics().bytesSent);
      assertEquals(1, threads.get(0).metrics().messagesSent);
      assertEquals(4 * BYTES, threads.get(1).metrics().bytesReceived);
      assertEquals(1, threads.get(1).metrics().messagesReceived);
    }
  }
}
