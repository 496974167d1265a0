package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/**
 * Who waits for whom in collectives that do not synchronize all, drawn: a column is 10 us, letters are procedures,
 * {@code .} is waiting, {@code =} the rest of a call.
 */
class CollectivePicturesTest {
  private static final int WORLD = 1;
  private static final int NONE = Kind.NO_ROOT;
  private static final long US = 1000;
  private static final String[] PROCEDURES = {"a", "b", "c", "d"};

  @TempDir Path directory;

  private TraceBuilder trace;

  private void program(int ranks) {
    trace = new TraceBuilder(directory);
    for (int rank = 0; rank < ranks; rank++) {
      trace.process("n", "/opt/p").mpi(7, rank, ranks);
    }
  }

  private TracedThread rank(int rank) {
    return trace.process(rank).thread(0);
  }

  private static long runs(int first, int count) {
    return (long) first << 31 | count;
  }

  /** A rank works, calls and leaves at these times. */
  private void call(int rank, long beginUs, long endUs, Collective op, int root, long sent, long received,
      long... providers) {
    rank(rank).enter(0, PROCEDURES[rank]).leave(beginUs * US).collective(beginUs * US, endUs * US,
        "MPI_" + op.mpiName(), WORLD, op, root, sent, received, providers);
  }

  /** Rows are "state rank us <- rank that came late"; nothing but completion is told without it. */
  private void assertRows(String... expected) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Application application = SessionBuilder.of(opened).getApplications().get(0);
      ApplicationAnalysis analysis = new ApplicationAnalysis(application);
      Table table = WaitsReport.of(analysis, Level.PROCESS, false, null, Progress.NONE);
      assertEquals(List.of(), table.warnings());
      List<String> rows = new ArrayList<>();
      for (Row row : table.rows()) {
        rows.add(row.name() + " " + rank(table, row, "where") + " "
            + (Long) row.values().get(table.column("time")) / US + " <- " + rank(table, row, "origin"));
      }
      assertEquals(List.of(expected), rows.stream().sorted().toList());
      long wallNs = Long.parseLong(table.parameters().get("threadsNs"));
      assertEquals(true, table.total() <= wallNs, "no time is told twice: " + table);
    }
  }

  private static String rank(Table table, Row row, String column) {
    return row.values().get(table.column(column)).toString().replaceAll(".*\\[(\\d+)\\]", "$1");
  }

  @Test
  void nobodyNeedsWhoSendsNothing() throws TraceException {
    // 0: aaaaaaaaaB
    // 1: bB
    // 2: cccB
    for (Collective op : List.of(Collective.BCAST, Collective.ALLREDUCE, Collective.GATHER, Collective.SCAN,
        Collective.ALLTOALLV, Collective.NEIGHBOR_ALLGATHER)) {
      program(3);
      call(0, 90, 91, op, 0, 0, 0);
      call(1, 10, 11, op, 0, 0, 0);
      call(2, 30, 31, op, 0, 0, 0);
      assertRows();
    }
  }

  @Test
  void aLibraryMayWaitForNothing() throws TraceException {
    // 0: aaaaaaaaaB=
    // 1: bB........=
    program(2);
    call(0, 90, 95, Collective.ALLREDUCE, NONE, 0, 0);
    call(1, 10, 96, Collective.ALLREDUCE, NONE, 0, 0);
    assertRows("wait at NxN 1 80 <- 0");
  }

  @Test
  void whoPassesDataOnIsWaitedFor() throws TraceException {
    // 0: aB=             the root
    // 1: bbbbbbbbB=      passes it on to 2
    // 2: cB.......=
    // 3: dB=
    program(4);
    call(0, 10, 12, Collective.BCAST, 0, 8, 0);
    call(1, 80, 82, Collective.BCAST, 0, 0, 8);
    call(2, 10, 83, Collective.BCAST, 0, 0, 8);
    call(3, 10, 13, Collective.BCAST, 0, 0, 8);
    assertRows("late broadcast 2 70 <- 1");
  }

  @Test
  void whoComesInTheFirstHalfOfALongTransferCameByChance() throws TraceException {
    // 0: aB=========     the root
    // 1: bB=========
    // 2: cccB=======
    program(3);
    call(0, 10, 100, Collective.BCAST, 0, 8, 0);
    call(1, 10, 100, Collective.BCAST, 0, 0, 8);
    call(2, 30, 100, Collective.BCAST, 0, 0, 8);
    assertRows();
    // So does who comes while that many bytes take their time.
    program(3);
    call(0, 10, 100, Collective.BCAST, 0, 200_000, 0);
    call(1, 10, 100, Collective.BCAST, 0, 0, 200_000);
    call(2, 90, 100, Collective.BCAST, 0, 0, 200_000);
    assertRows();
  }

  @Test
  void theRootNeedsThoseThatSendItSomething() throws TraceException {
    // 0: aG....=         leaves before 1 comes, which sends nothing
    // 1: bbbbbbbbG
    // 2: cccccG
    // 3: ddG
    for (long[] providers : List.of(new long[] {1, runs(0, 1), runs(2, 2)}, new long[] {2, 0b1101})) {
      program(4);
      call(0, 10, 52, Collective.GATHERV, 0, 8, 24, providers);
      call(1, 80, 81, Collective.GATHERV, 0, 0, 0);
      call(2, 50, 51, Collective.GATHERV, 0, 8, 0);
      call(3, 20, 21, Collective.GATHERV, 0, 8, 0);
      assertRows("early reduce 0 40 <- 2");
    }
  }

  @Test
  void ofProvidersThatAreNotKnownTheTimesTell() throws TraceException {
    program(3);
    call(0, 10, 52, Collective.ALLTOALLV, NONE, 8, 8, 3);
    call(1, 80, 81, Collective.ALLTOALLV, NONE, 8, 8, 3);
    call(2, 50, 81, Collective.ALLTOALLV, NONE, 8, 8, 3);
    assertRows("wait at NxN 0 40 <- 2", "wait at NxN 2 30 <- 1");
  }

  @Test
  void neighboursWaitForTheirSources() throws TraceException {
    // A line: 0 - 1 - 2
    program(3);
    call(0, 10, 42, Collective.NEIGHBOR_ALLGATHER, NONE, 8, 8, 1, runs(1, 1));
    call(1, 40, 92, Collective.NEIGHBOR_ALLGATHER, NONE, 8, 16, 1, runs(0, 1), runs(2, 1));
    call(2, 90, 92, Collective.NEIGHBOR_ALLGATHER, NONE, 8, 8, 1, runs(1, 1));
    assertRows("wait at NxN 0 30 <- 1", "wait at NxN 1 50 <- 2");
  }

  @Test
  void aScanMayWaitForHigherRanks() throws TraceException {
    program(2);
    call(0, 10, 82, Collective.SCAN, NONE, 8, 8);
    call(1, 80, 82, Collective.SCAN, NONE, 8, 8);
    assertRows("early scan 0 70 <- 1");
  }

  @Test
  void completionIsOfThoseThatNeedAllAndHaveStoppedWaiting() throws TraceException {
    // 0: aA=             receives from nobody
    // 1: bA.......==     from all
    // 2: ccccccccA=
    program(3);
    call(0, 10, 11, Collective.ALLTOALLV, NONE, 8, 0);
    call(1, 10, 95, Collective.ALLTOALLV, NONE, 8, 24);
    call(2, 80, 88, Collective.ALLTOALLV, NONE, 8, 24);
    assertRows("NxN completion 1 7 <- ", "wait at NxN 1 70 <- 2");
  }

  @Test
  void thePostSaysWhoseDataTheCompletionNeeds() throws TraceException {
    // 0: aI W....=       needs 1; 2 posts later
    // 1: bbbbbbI W
    // 2: ccccccccccI W
    program(3);
    long[] providers = {1, runs(1, 1)};
    long[] posts = {10, 60, 100};
    long[] ends = {64, 70, 110};
    for (int rank = 0; rank < 3; rank++) {
      TracedThread thread = rank(rank).enter(0, PROCEDURES[rank]).leave(posts[rank] * US);
      long sequence = thread.icollective(posts[rank] * US, (posts[rank] + 2) * US, "MPI_Ialltoallv", WORLD,
          Collective.ALLTOALLV, NONE, 8, rank == 0 ? 8 : 0, rank == 0 ? providers : new long[0]);
      thread.waitCollective((posts[rank] + 2) * US, ends[rank] * US, "MPI_Wait", WORLD, Collective.ALLTOALLV, NONE,
          8, rank == 0 ? 8 : 0, sequence);
    }
    assertRows("wait at NxN 0 48 <- 1");
  }

  /** Ranks 0 and 2 on one side, 1 and 3 on the other. */
  private void across() {
    program(4);
    for (int rank = 0; rank < 4; rank++) {
      int side = rank % 2;
      trace.process(rank).communicator(2, 2, 99, rank / 2, 1, new int[][] {{side, 2, 2}},
          new int[][] {{1 - side, 2, 2}}, "");
    }
  }

  private void callAcross(int rank, long beginUs, long endUs, Collective op, int root, long sent, long received) {
    rank(rank).enter(0, PROCEDURES[rank]).leave(beginUs * US).collective(beginUs * US, endUs * US,
        "MPI_" + op.mpiName(), 2, op, root, sent, received);
  }

  @Test
  void theOtherGroupNeedsTheRootAndNobodyNeedsTheNullProcess() throws TraceException {
    across();
    callAcross(0, 60, 61, Collective.BCAST, 0, 8, 0);
    callAcross(1, 10, 62, Collective.BCAST, 0, 0, 8);
    callAcross(2, 90, 91, Collective.BCAST, NONE, 0, 0);
    callAcross(3, 20, 63, Collective.BCAST, 0, 0, 8);
    assertRows("late broadcast 1 50 <- 0", "late broadcast 3 40 <- 0");
    across();
    callAcross(0, 10, 72, Collective.REDUCE, 0, 0, 8);
    callAcross(1, 20, 21, Collective.REDUCE, 0, 8, 0);
    callAcross(2, 90, 91, Collective.REDUCE, NONE, 0, 0);
    callAcross(3, 70, 71, Collective.REDUCE, 0, 8, 0);
    assertRows("early reduce 0 60 <- 3");
  }

  @Test
  void eachGroupNeedsTheOther() throws TraceException {
    across();
    callAcross(0, 10, 52, Collective.ALLREDUCE, NONE, 8, 8);
    callAcross(1, 20, 92, Collective.ALLREDUCE, NONE, 8, 8);
    callAcross(2, 90, 93, Collective.ALLREDUCE, NONE, 8, 8);
    callAcross(3, 50, 93, Collective.ALLREDUCE, NONE, 8, 8);
    assertRows("wait at NxN 0 40 <- 3", "wait at NxN 1 70 <- 2", "wait at NxN 3 40 <- 2");
    across();
    callAcross(0, 10, 52, Collective.BARRIER, NONE, 0, 0);
    callAcross(1, 20, 92, Collective.BARRIER, NONE, 0, 0);
    callAcross(2, 90, 93, Collective.BARRIER, NONE, 0, 0);
    callAcross(3, 50, 93, Collective.BARRIER, NONE, 0, 0);
    assertRows("wait at barrier 0 40 <- 3", "wait at barrier 1 70 <- 2", "wait at barrier 3 40 <- 2");
  }
}
