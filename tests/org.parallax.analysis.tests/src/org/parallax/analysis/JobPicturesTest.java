package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.CallNesting;
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
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/**
 * Waits between MPI jobs, drawn: a column is 2 us, letters are procedures, {@code .} is waiting, {@code =} what
 * remains of a call when waiting is over. Rows are written {@code state where us <- origin procedure us}.
 */
class JobPicturesTest {
  private static final long US = 1000;
  /** Of the parent in the communicator's flags: intercommunicator, members unknown. */
  private static final int FIRST = 1 | 2;
  private static final int SECOND = FIRST | 16;
  private static final int SPAWNED = SECOND | 32;
  private static final int BETWEEN = 3;
  private static final long CHILD_JOB = 9;

  @TempDir Path directory;

  private TracedProcess process(TraceBuilder trace, String name, long job, int rank, int ranks) {
    return trace.process("n", "/opt/" + name).mpi(job, rank, ranks);
  }

  private static void define(TracedProcess process, long id, int flags, int rank, int size, int remote) {
    process.communicator(BETWEEN, size, id, rank, flags, new int[][] {{0, 1, size}},
        remote == 0 ? new int[0][] : new int[][] {{0, 1, remote}}, "");
  }

  private static List<String> waits(TraceBuilder trace) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      List<Application> applications = SessionBuilder.of(opened).getApplications();
      assertEquals(1, applications.size(), "jobs that are connected are one application");
      Table table = WaitsReport.of(new ApplicationAnalysis(applications.get(0)), Level.PROCESS, true, null,
          Progress.NONE);
      assertEquals(List.of(), table.warnings());
      List<String> rows = new ArrayList<>();
      for (Row row : table.rows()) {
        rows.add(row.name() + " " + value(table, row, "where") + " "
            + (Long) value(table, row, "originTime") / US + " <- " + value(table, row, "originProcedure"));
      }
      rows.sort(null);
      return rows;
    }
  }

  private static Object value(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  @Test
  void aParentWaitsForTheChildThatItSpawns() throws TraceException {
    // p0:  S..........=R.....=
    // p1:  aS.........=
    // c:      bbbbbbI==ccccS=
    TraceBuilder trace = new TraceBuilder(directory);
    TracedProcess[] parents = {process(trace, "p", 7, 0, 2), process(trace, "p", 7, 1, 2)};
    TracedProcess child = process(trace, "c", CHILD_JOB, 0, 1).start(8 * US);
    for (int rank = 0; rank < 2; rank++) {
      define(parents[rank], 0xabc, FIRST, rank, 2, 1);
    }
    define(child, 0xabc, SPAWNED, 0, 1, 2);
    TracedThread root = parents[0].thread(0).enter(0, "MPI_Comm_spawn");
    meet(root, 24);
    root.event(24 * US, Kind.PROCESS_CREATE, 0, CHILD_JOB, 4).leave(24 * US)
        .receive(24 * US, 38 * US, "MPI_Recv", BETWEEN, 0, 5, 8);
    TracedThread other = parents[1].thread(0).enter(0, "a").leave(2 * US).enter(2 * US, "MPI_Comm_spawn");
    meet(other, 24).leave(24 * US);
    TracedThread spawned = child.thread(0).threadBegin(8 * US, -1).enter(8 * US, "b").leave(20 * US)
        .enter(20 * US, "MPI_Init");
    spawned.event(26 * US, Kind.COLLECTIVE, 1, opAndNoRoot(Collective.INIT), 0, 0, 0);
    spawned.event(26 * US, Kind.COLLECTIVE, BETWEEN, opAndNoRoot(Collective.COMM_SPAWN), 0, 0,
        0).leave(26 * US).enter(26 * US, "c").leave(34 * US).send(34 * US, 38 * US, "MPI_Send", BETWEEN, 0, 5, 8);
    assertEquals(List.of(
        "late sender n:p[0] 2 <- MPI_Init",
        "late sender n:p[0] 8 <- c",
        "wait at connection n:p[0] 12 <- b",
        "wait at connection n:p[0] 8 <- (not begun)",
        "wait at connection n:p[1] 12 <- b",
        "wait at connection n:p[1] 6 <- (not begun)"),
        waits(trace).stream().filter(row -> !row.startsWith("late receiver")).toList());
  }

  /** The end of MPI_Comm_spawn in a parent. */
  private static TracedThread meet(TracedThread thread, long us) {
    for (int communicator : new int[] {1, BETWEEN}) {
      thread.event(us * US, Kind.COLLECTIVE, communicator, opAndNoRoot(Collective.COMM_SPAWN), 0,
          0, 0);
    }
    return thread;
  }

  private static long opAndNoRoot(Collective op) {
    return (long) op.op() << 31 | Kind.NO_ROOT;
  }

  @Test
  void messagesOfBothDirectionsBetweenEqualRanksDoNotMix() throws TraceException {
    // s:  R....=aaaaS
    // c:  bbS   R....=
    TraceBuilder trace = new TraceBuilder(directory);
    TracedProcess server = process(trace, "s", 7, 0, 1);
    TracedProcess client = process(trace, "c", 8, 0, 1);
    define(server, 0xdef, FIRST, 0, 1, 1);
    define(client, 0xdef, SECOND, 0, 1, 1);
    server.thread(0).receive(0, 12 * US, "MPI_Recv", BETWEEN, 0, 3, 8).enter(12 * US, "a").leave(20 * US)
        .send(20 * US, 21 * US, "MPI_Send", BETWEEN, 0, 3, 8);
    client.thread(0).enter(0, "b").leave(4 * US).send(4 * US, 5 * US, "MPI_Send", BETWEEN, 0, 3, 8)
        .receive(12 * US, 22 * US, "MPI_Recv", BETWEEN, 0, 3, 8);
    assertEquals(List.of("late sender n:c[0] 8 <- a", "late sender n:s[0] 4 <- b"), waits(trace));
  }

  @Test
  void aMergedCommunicatorHasItsOwnRanks() throws TraceException {
    // s:  aaaaB=
    // c:  B....=
    TraceBuilder trace = new TraceBuilder(directory);
    TracedProcess server = process(trace, "s", 7, 0, 1);
    TracedProcess client = process(trace, "c", 8, 0, 1);
    define(server, 0xdef, 2, 0, 2, 0);
    define(client, 0xdef, 2, 1, 2, 0);
    server.thread(0).enter(0, "a").leave(8 * US)
        .collective(8 * US, 10 * US, "MPI_Barrier", BETWEEN, Collective.BARRIER, Kind.NO_ROOT, 0, 0);
    client.thread(0)
        .collective(0, 10 * US, "MPI_Barrier", BETWEEN, Collective.BARRIER, Kind.NO_ROOT, 0, 0);
    assertEquals(List.of("wait at barrier n:c[0] 8 <- a"), waits(trace));
  }

  @Test
  void anIncompleteStackIsNoCallThatGoesOn() throws TraceException {
    TraceBuilder trace = new TraceBuilder(directory);
    TracedProcess process = process(trace, "p", 7, 0, 1);
    process.region("[call stack incomplete]");
    int path = process.path("[call stack incomplete]/main/MPI_Init");
    process.thread(0).enter(0, path).leave(4 * US);
    try (Trace opened = Trace.open(trace.write())) {
      assertEquals(0, CallNesting.enclosing(opened.processes().get(0))[path]);
    }
  }
}
