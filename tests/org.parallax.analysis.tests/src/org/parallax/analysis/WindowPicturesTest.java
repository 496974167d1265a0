package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.reports.TrafficReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.WindowOp;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/**
 * Each wait state of one-sided communication by itself, drawn: a column is 2 us, letters are procedures, {@code .}
 * is waiting, {@code =} what remains of a call when waiting is over.
 *
 * <p>Rows are written {@code state where us <- origin procedure us}.
 */
class WindowPicturesTest {
  private static final int WINDOW = 2;
  private static final int IS_WINDOW = 8;
  private static final long US = 1000;

  @TempDir Path directory;

  private TraceBuilder trace;

  private void program(int ranks) {
    trace = new TraceBuilder(directory);
    for (int rank = 0; rank < ranks; rank++) {
      trace.process("n", "/opt/p").mpi(7, rank, ranks).communicator(WINDOW, ranks, 0xabc, rank, IS_WINDOW,
          new int[][] {{0, 1, ranks}}, new int[0][], "");
    }
  }

  /** Writes calls of a rank, in microseconds. */
  private final class Rank {
    private final TracedThread thread;

    Rank(int rank) {
      thread = trace.process(rank).thread(0);
    }

    Rank work(long from, long to, String procedure) {
      thread.enter(from * US, procedure).leave(to * US);
      return this;
    }

    private Rank call(long from, long to, String routine, boolean atEnd, WindowOp op, int rank, long... more) {
      long[] payload = new long[1 + more.length];
      payload[0] = (long) op.op() << 31 | rank;
      System.arraycopy(more, 0, payload, 1, more.length);
      thread.enter(from * US, routine).event((atEnd ? to : from) * US, Kind.WINDOW, WINDOW, payload)
          .leave(to * US);
      return this;
    }

    Rank put(long from, long to, int target, long bytes) {
      return call(from, to, "MPI_Put", false, WindowOp.PUT, target, bytes, 0);
    }

    Rank get(long from, long to, int target, long bytes) {
      return call(from, to, "MPI_Get", false, WindowOp.GET, target, 0, bytes);
    }

    Rank post(long from, long to, int origin) {
      return call(from, to, "MPI_Win_post", false, WindowOp.POST, origin);
    }

    Rank start(long from, long to, int target) {
      return call(from, to, "MPI_Win_start", true, WindowOp.START, target);
    }

    Rank complete(long from, long to, int target) {
      return call(from, to, "MPI_Win_complete", false, WindowOp.COMPLETE, target);
    }

    Rank await(long from, long to, int origin) {
      return call(from, to, "MPI_Win_wait", true, WindowOp.WAIT, origin);
    }

    Rank lock(long from, long to, int target, boolean exclusive) {
      return call(from, to, "MPI_Win_lock", true,
          exclusive ? WindowOp.LOCK_EXCLUSIVE : WindowOp.LOCK_SHARED, target);
    }

    Rank lockAll(long from, long to) {
      return lock(from, to, Kind.NO_ROOT, false);
    }

    Rank unlock(long from, long to, int target) {
      return call(from, to, "MPI_Win_unlock", false, WindowOp.UNLOCK, target);
    }

    Rank flush(long from, long to, int target) {
      return call(from, to, "MPI_Win_flush", true, WindowOp.FLUSH, target);
    }

    Rank fence(long from, long to, Collective op) {
      thread.collective(from * US, to * US, "MPI_Win_fence", WINDOW, op, Kind.NO_ROOT, 0, 0);
      return this;
    }
  }

  private Rank rank(int rank) {
    return new Rank(rank);
  }

  private List<String> warnings;

  private List<String> rows() throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Application application = SessionBuilder.of(opened).getApplications().get(0);
      ApplicationAnalysis analysis = new ApplicationAnalysis(application);
      Table table = WaitsReport.of(analysis, Level.THREAD, false, null, Progress.NONE);
      warnings = table.warnings();
      assertEquals(Long.toString(analysis.replay(Progress.NONE).threads().stream()
          .mapToLong(record -> record.metrics().waitNs()).sum()),
          table.parameters().get("waitNs"), "the metrics of all threads");
      List<String> rows = new ArrayList<>();
      for (Row row : table.rows()) {
        List<Object> values = row.values();
        rows.add(row.name() + " " + values.get(table.column("where")) + " "
            + (Long) values.get(table.column("time")) / US + " <- " + values.get(table.column("origin")) + " "
            + values.get(table.column("originProcedure")) + " "
            + (Long) values.get(table.column("originTime")) / US);
      }
      return rows;
    }
  }

  private void assertRows(String... expected) throws TraceException {
    assertEquals(List.of(expected), rows());
    assertEquals(List.of(), warnings);
  }

  // ------------------------------------------------------------------- fences

  @Test
  void aFenceWaitsForAll() throws TraceException {
    // 0:  aaF.......=
    // 1:  bbbbbbbbbF=
    program(2);
    rank(0).work(0, 4, "a").fence(4, 20, Collective.WIN_FENCE);
    rank(1).work(0, 18, "b").fence(18, 20, Collective.WIN_FENCE);
    assertRows("wait at fence n:p[0] 14 <- n:p[1] b 14");
  }

  @Test
  void aFenceThatEndsNoEpochNeedNotWait() throws TraceException {
    program(2);
    rank(0).work(0, 4, "a").fence(4, 6, Collective.WIN_FENCE_OPEN);
    rank(1).work(0, 18, "b").fence(18, 20, Collective.WIN_FENCE_OPEN);
    assertRows();
  }

  @Test
  void aFenceThatEndsNoEpochCanWait() throws TraceException {
    program(2);
    rank(0).work(0, 4, "a").fence(4, 20, Collective.WIN_FENCE_OPEN);
    rank(1).work(0, 18, "b").fence(18, 20, Collective.WIN_FENCE_OPEN);
    assertRows("wait at fence n:p[0] 14 <- n:p[1] b 14");
  }

  // ------------------------------------------------------------------- epochs

  @Test
  void aStartWaitsForThePost() throws TraceException {
    // 0:  aS......=PC
    // 1:  bbbbbbbbP=  W.=
    program(2);
    rank(0).work(0, 2, "a").start(2, 18, 1).put(18, 20, 1, 8).complete(20, 22, 1);
    rank(1).work(0, 16, "b").post(16, 18, 0).work(18, 40, "c").await(40, 42, 0);
    assertRows("late post n:p[0] 14 <- n:p[1] b 14");
  }

  @Test
  void aCompleteWaitsForThePost() throws TraceException {
    program(2);
    rank(0).work(0, 2, "a").start(2, 3, 1).put(3, 4, 1, 8).complete(4, 22, 1);
    rank(1).work(0, 16, "b").post(16, 18, 0).work(18, 40, "c").await(40, 42, 0);
    assertRows("late post n:p[0] 12 <- n:p[1] b 12");
  }

  @Test
  void anOperationWaitsForThePost() throws TraceException {
    program(2);
    rank(0).work(0, 2, "a").start(2, 3, 1).put(4, 22, 1, 8).complete(22, 23, 1);
    rank(1).work(0, 16, "b").post(16, 18, 0).work(18, 40, "c").await(40, 42, 0);
    assertRows("late post n:p[0] 12 <- n:p[1] b 12");
  }

  @Test
  void aPostThatCameDuringWorkMadeNobodyWait() throws TraceException {
    program(2);
    rank(0).start(2, 3, 1).work(3, 30, "a").put(30, 31, 1, 8).complete(31, 32, 1);
    rank(1).work(0, 16, "b").post(16, 18, 0).work(18, 40, "c").await(40, 42, 0);
    assertRows();
  }

  @Test
  void anExposureWaitsForTheLastOperationAndForTheComplete() throws TraceException {
    // 0:  S aaaaaP ccccC=
    // 1:  P W.......... =
    program(2);
    rank(0).start(2, 4, 1).work(4, 20, "a").put(20, 22, 1, 8).work(22, 32, "c").complete(32, 34, 1);
    rank(1).post(0, 2, 0).await(4, 34, 0);
    assertRows("early wait n:p[1] 18 <- n:p[0] a 16", "late complete n:p[1] 10 <- n:p[0] c 10");
  }

  @Test
  void epochsAreMatchedInTheirOrder() throws TraceException {
    program(2);
    rank(0).start(2, 4, 1).complete(4, 5, 1).work(5, 20, "a").start(20, 21, 1).complete(21, 22, 1);
    rank(1).post(0, 2, 0).await(4, 6, 0).post(6, 7, 0).await(7, 23, 0);
    assertRows("early wait n:p[1] 14 <- n:p[0] a 13");
  }

  // -------------------------------------------------------------------- locks

  @Test
  void aLockWaitsForItsHolder() throws TraceException {
    // 0:  L aaaaaaaaaaaaU
    // 1:   bbbL..........=U
    program(2);
    rank(0).lock(0, 1, 1, true).work(1, 50, "a").unlock(50, 52, 1);
    rank(1).work(0, 10, "b").lock(10, 53, 1, false).unlock(53, 54, 1);
    assertRows("lock contention, window n:p[1] 40 <- n:p[0] a 40");
  }

  @Test
  void aLockThatIsAcquiredLateIsWaitedForInTheUnlock() throws TraceException {
    program(2);
    rank(0).lock(0, 1, 1, true).work(1, 50, "a").unlock(50, 52, 1);
    rank(1).work(0, 10, "b").lock(10, 11, 1, true).unlock(11, 53, 1);
    assertRows("lock contention, window n:p[1] 39 <- n:p[0] a 39");
  }

  @Test
  void sharedLocksDoNotWaitForEachOther() throws TraceException {
    program(2);
    rank(0).lock(0, 1, 1, false).work(1, 50, "a").unlock(50, 52, 1);
    rank(1).work(0, 10, "b").lock(10, 53, 1, false).unlock(53, 54, 1);
    assertRows();
  }

  @Test
  void whoWaitsForTheOwnUnlockDoesNotWaitForWhoComesAfter() throws TraceException {
    // 0:  L aaaaaaaaU=========    the unlock takes long
    // 1:     L........=U
    program(2);
    rank(0).lock(0, 1, 1, true).work(1, 50, "a").unlock(50, 90, 1);
    rank(1).work(0, 10, "b").lock(10, 53, 1, true).unlock(60, 62, 1);
    assertRows("lock contention, window n:p[1] 40 <- n:p[0] a 40");
  }

  @Test
  void ofAQueueEachWaitsForWhoCameBefore() throws TraceException {
    program(3);
    rank(0).lock(0, 1, 2, true).work(1, 50, "a").unlock(50, 52, 2);
    rank(1).work(0, 10, "b").lock(10, 53, 2, true).work(53, 100, "c").unlock(100, 102, 2);
    // In calls of MPI, so that its library makes progress.
    rank(2).lock(12, 103, 2, true).unlock(103, 104, 2);
    assertRows("lock contention, window n:p[2] 88 <- n:p[1] c 47",
        "lock contention, window n:p[1] 40 <- n:p[0] a 40");
  }

  @Test
  void aLockOfAllWaitsForAnExclusiveLock() throws TraceException {
    program(2);
    rank(0).lock(0, 1, 0, true).work(1, 50, "a").unlock(50, 52, 0);
    rank(1).work(0, 10, "b").lockAll(10, 53).unlock(53, 54, Kind.NO_ROOT);
    assertRows("lock contention, window n:p[1] 40 <- n:p[0] a 40");
  }

  @Test
  void aTargetThatCallsNothingMakesNoProgress() throws TraceException {
    // 0:  LGF..........=U
    // 1:  M aaaaaaaaaaaaM
    program(2);
    rank(0).lock(4, 5, 1, false).get(5, 6, 1, 8).flush(6, 53, 1).unlock(53, 54, 1);
    rank(1).work(0, 1, "MPI_Iprobe").work(1, 50, "a").work(50, 52, "MPI_Iprobe");
    assertRows("wait for progress n:p[0] 44 <- n:p[1] a 44");
  }

  @Test
  void aTargetThatCallsMpiAllTheTimeIsNotWaitedFor() throws TraceException {
    program(2);
    rank(0).lock(4, 5, 1, false).get(5, 6, 1, 8).flush(6, 53, 1).unlock(53, 54, 1);
    Rank target = rank(1);
    for (int i = 0; i < 12; i++) {
      target.work(5 * i, 5 * i + 1, "MPI_Iprobe");
    }
    assertRows();
  }

  // ------------------------------------------------------------------ the rest

  @Test
  void whoWasKilledIsNotWaitedForForEver() throws TraceException {
    program(2);
    rank(0).start(2, 4, 1).put(4, 5, 1, 8);
    rank(1).post(0, 2, 0).await(4, 34, 0).work(34, 40, "c");
    assertEquals(List.of(), rows());
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).startsWith("1 waits (Win) have no partner in the trace"), warnings.get(0));
    assertTrue(warnings.get(0).contains("the first is MPI_Win_wait of "), warnings.get(0));
  }

  @Test
  void whoIsNotInTheTraceIsNotWaitedFor() throws TraceException {
    trace = new TraceBuilder(directory);
    trace.process("n", "/opt/p").mpi(7, 1, 2).communicator(WINDOW, 2, 0xabc, 1, IS_WINDOW,
        new int[][] {{0, 1, 2}}, new int[0][], "");
    rank(0).post(0, 2, 0).start(2, 3, 0).put(3, 4, 0, 8).complete(4, 5, 0).await(5, 34, 0)
        .lock(34, 60, 0, true).unlock(60, 80, 0);
    assertEquals(List.of(), rows());
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).contains("the first is MPI_Win_wait of "), warnings.get(0));
  }

  @Test
  void eventsOfUnknownWindowsAreLeftOut() throws TraceException {
    trace = new TraceBuilder(directory);
    for (int rank = 0; rank < 2; rank++) {
      trace.process("n", "/opt/p").mpi(7, rank, 2);
    }
    rank(0).start(2, 4, 1).complete(4, 5, 1);
    rank(1).post(0, 2, 0).await(4, 34, 0);
    assertRows();
  }

  @Test
  void bytesGoFromWhoPutsAndToWhoGets() throws TraceException {
    program(2);
    rank(0).lock(0, 1, 1, false).put(1, 2, 1, 100).put(2, 3, 1, 50).get(3, 4, 1, 7).unlock(4, 5, 1);
    rank(1).work(0, 9, "b");
    try (Trace opened = Trace.open(trace.write())) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
      Table table = TrafficReport.of(analysis, Level.PROCESS, null, Progress.NONE);
      List<String> rows = table.rows().stream().map(row -> row.name() + " "
          + row.values().get(table.column("messages")) + " " + row.values().get(table.column("bytes"))
          + row.values().get(table.column("meanTime"))).toList();
      assertEquals(List.of("Win: n:p[0]->n:p[1] 2 150", "Win: n:p[1]->n:p[0] 1 7"), rows);
    }
  }
}
