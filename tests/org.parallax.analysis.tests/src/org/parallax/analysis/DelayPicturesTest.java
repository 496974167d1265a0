package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.reports.DelaysReport;
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
 * Delay costs, drawn: a column is 10 ns, letters are procedures, {@code .} is waiting.
 *
 * <p>Rows are written {@code delay where short-term + long-term -> wait state victim}.
 */
class DelayPicturesTest {
  private static final int WORLD = 1;
  private static final int NONE = Kind.NO_ROOT;

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

  private static Object value(Table table, Row row, String key) {
    return row.values().get(table.column(key));
  }

  private List<String> rows(Window window) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Application application = SessionBuilder.of(opened).getApplications().get(0);
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(application).during(new Phase("part", window));
      Table table = DelaysReport.of(analysis, Level.PROCEDURE, null, Progress.NONE);
      Table waits = WaitsReport.of(analysis, Level.PROCESS, false, null, Progress.NONE);
      assertEquals(waits.parameters().get("waitNs"), Long.toString(table.total()), "all waits");
      long sum = 0;
      for (Row row : table.rows()) {
        long time = (Long) value(table, row, "time");
        assertEquals(time, (Long) value(table, row, "shortTerm") + (Long) value(table, row, "longTerm"));
        sum += time;
      }
      assertEquals(table.total(), sum, "rows add up");
      return table.rows().stream().map(row -> row.name() + " " + value(table, row, "where") + " "
          + value(table, row, "shortTerm") + "+" + value(table, row, "longTerm") + " -> "
          + value(table, row, "state") + " " + value(table, row, "victim")).toList();
    }
  }

  private void assertDelays(String... expected) throws TraceException {
    assertEquals(List.of(expected), rows(Window.ALL));
  }

  /** The largest cause that the other report tells of each wait. */
  private String causes() throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Table table = WaitsReport.of(
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)),
          Level.THREAD, true, null, Progress.NONE);
      return table.rows().stream().map(row -> value(table, row, "originProcedure") + " "
          + value(table, row, "time")).collect(Collectors.joining(", "));
    }
  }

  @Test
  void aLateSenderDidMore() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  bbbR.......===
    program(2);
    rank(0).enter(0, "a").leave(100).send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "b").leave(30).receive(30, 130, "MPI_Recv", WORLD, 0, 0, 8);
    assertDelays("a n:p[0] 70+0 -> late sender n:p[1]");
    assertEquals(List.of("a n:p[0] 50+0 -> late sender n:p[1]"), rows(new Window(40, 90)));
    assertEquals(List.of(), rows(new Window(100, 130)));
  }

  @Test
  void onlyTheExcessOfWhatBothDoIsADelay() throws TraceException {
    // 0:  aaaaaabbbbS=
    // 1:  aaaR.......===
    program(2);
    rank(0).enter(0, "a").leave(60).enter(60, "b").leave(100)
        .send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "a").leave(30).receive(30, 130, "MPI_Recv", WORLD, 0, 0, 8);
    assertDelays("b n:p[0] 40+0 -> late sender n:p[1]",
        "a n:p[0] 30+0 -> late sender n:p[1]");
  }

  @Test
  void theExtraWorkCameBeforeTheWait() throws TraceException {
    // 0:  xxxxxaaaaaS=
    // 1:  aaaaaR.....===     0 does a meanwhile, but x is what made it late
    program(2);
    rank(0).enter(0, "x").leave(50).enter(50, "a").leave(100)
        .send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "a").leave(50).receive(50, 130, "MPI_Recv", WORLD, 0, 0, 8);
    assertEquals("a 50", causes());
    assertDelays("x n:p[0] 50+0 -> late sender n:p[1]");
  }

  @Test
  void lessOfOtherWorkMakesUpForAPartOfTheDelay() throws TraceException {
    // 0:  xxxxxxaaaaS=       x is 60 more, a is 30 less
    // 1:  aaaaaaaR...===
    program(2);
    rank(0).enter(0, "x").leave(60).enter(60, "a").leave(100)
        .send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "a").leave(70).receive(70, 130, "MPI_Recv", WORLD, 0, 0, 8);
    assertDelays("x n:p[0] 30+0 -> late sender n:p[1]");
  }

  @Test
  void aDelayThatTheOtherSideMakesUpForCostsNothing() throws TraceException {
    // 0:  xxxxxS......=      waits in a barrier for 1, which did y after 0's delay
    // 1:  yyyyyyyyyyyyB=
    program(2);
    rank(0).enter(0, "x").leave(50)
        .collective(50, 130, "MPI_Barrier", WORLD, Collective.BARRIER, NONE, 0, 0);
    rank(1).enter(0, "y").leave(120)
        .collective(120, 130, "MPI_Barrier", WORLD, Collective.BARRIER, NONE, 0, 0);
    assertDelays("y n:p[1] 70+0 -> wait at barrier n:p[0]");
  }

  @Test
  void waitsThatPropagateAreLongTermCosts() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  bbR........=ccS=
    // 2:  bbR............=
    program(3);
    rank(0).enter(0, "a").leave(100).send(100, 101, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "b").leave(20).receive(20, 105, "MPI_Recv", WORLD, 0, 0, 8)
        .enter(105, "c").leave(120).send(120, 121, "MPI_Send", WORLD, 2, 0, 8);
    rank(2).enter(0, "b").leave(20).receive(20, 130, "MPI_Recv", WORLD, 1, 0, 8);
    // 1 waits 80 for 0; of the 100 of 2, 80 are this wait, 15 are c, 5 the rest of the receive.
    assertDelays("a n:p[0] 80+80 -> late sender n:p[1]", "c n:p[1] 15+0 -> late sender n:p[2]",
        "MPI_Recv n:p[1] 5+0 -> late sender n:p[2]");
  }

  @Test
  void ofThoseInTheMiddleOnlyWhatTheyAddedCosts() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  bbR........=ccS=
    // 2:  bbR............=bS
    // 3:  R.................=
    program(4);
    rank(0).enter(0, "a").leave(100).send(100, 101, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "b").leave(20).receive(20, 100, "MPI_Recv", WORLD, 0, 0, 8)
        .enter(100, "c").leave(120).send(120, 121, "MPI_Send", WORLD, 2, 0, 8);
    rank(2).enter(0, "b").leave(20).receive(20, 120, "MPI_Recv", WORLD, 1, 0, 8)
        .enter(120, "d").leave(140).send(140, 141, "MPI_Send", WORLD, 3, 0, 8);
    rank(3).receive(0, 150, "MPI_Recv", WORLD, 2, 0, 8);
    // 3 waits 140: d and b of 2 are 20 each, 100 are passed to the wait of 2, which is 80 for 0.
    assertDelays("a n:p[0] 80+160 -> late sender n:p[1]", "c n:p[1] 20+20 -> late sender n:p[2]",
        "b n:p[2] 20+0 -> late sender n:p[3]", "d n:p[2] 20+0 -> late sender n:p[3]");
  }

  @Test
  void comparisonBeginsAtTheLastCollective() throws TraceException {
    // 0:  xxxxxxBaaaaB=
    // 1:  aaB....aaaaaaB      1 is late the second time, by less than 0 was the first time
    program(2);
    rank(0).enter(0, "x").leave(60)
        .collective(60, 60, "MPI_Barrier", WORLD, Collective.BARRIER, NONE, 0, 0)
        .enter(60, "a").leave(100)
        .collective(100, 130, "MPI_Barrier", WORLD, Collective.BARRIER, NONE, 0, 0);
    rank(1).enter(0, "a").leave(20)
        .collective(20, 60, "MPI_Barrier", WORLD, Collective.BARRIER, NONE, 0, 0)
        .enter(60, "a").leave(130)
        .collective(130, 130, "MPI_Barrier", WORLD, Collective.BARRIER, NONE, 0, 0);
    assertDelays("x n:p[0] 40+0 -> wait at barrier n:p[1]",
        "a n:p[1] 30+0 -> wait at barrier n:p[0]");
  }

  @Test
  void twoThatWaitedForTheSameHaveMet() throws TraceException {
    // 0:  aaB.....aaS        0 and 1 both waited for 2, and since then 0 did b
    // 1:  aaaaB...R.=
    // 2:  ccccccccB
    program(3);
    rank(0).enter(0, "x").leave(20)
        .collective(20, 80, "MPI_Allreduce", WORLD, Collective.ALLREDUCE, NONE, 8, 8)
        .enter(80, "b").leave(110).send(110, 111, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "a").leave(40)
        .collective(40, 80, "MPI_Allreduce", WORLD, Collective.ALLREDUCE, NONE, 8, 8)
        .receive(80, 120, "MPI_Recv", WORLD, 0, 0, 8);
    rank(2).enter(0, "c").leave(80)
        .collective(80, 80, "MPI_Allreduce", WORLD, Collective.ALLREDUCE, NONE, 8, 8);
    assertDelays("c n:p[2] 100+0 -> wait at NxN n:p[0]", "b n:p[0] 30+0 -> late sender n:p[1]");
  }

  @Test
  void aMessageThatNobodyWaitedForIsNoMeeting() throws TraceException {
    // 0:  xxxxxaaS aaaaaS     x made it late, though a message was sent since
    // 1:  aaaaaaaaaR...
    program(2);
    rank(0).enter(0, "x").leave(50).send(50, 50, "MPI_Send", WORLD, 1, 0, 8)
        .enter(50, "a").leave(120).send(120, 121, "MPI_Send", WORLD, 1, 1, 8);
    rank(1).enter(0, "a").leave(70).receive(70, 70, "MPI_Recv", WORLD, 0, 0, 8)
        .receive(70, 130, "MPI_Recv", WORLD, 0, 1, 8);
    assertDelays("x n:p[0] 50+0 -> late sender n:p[1]");
  }

  @Test
  void beforeItsCreationAThreadIsItsCreator() throws TraceException {
    // 0:  xxxxxFaJ........=   joins what it created
    // 1:       bbbbbbbbbE
    trace = new TraceBuilder(directory);
    TracedThread main = trace.process("n", "/opt/p").thread(0);
    main.enter(0, "x").leave(50).create(50, 52, "pthread_create", 1).enter(52, "a").leave(70)
        .join(70, 145, "pthread_join", 1);
    trace.process(0).thread(1).threadBegin(50, 0).enter(50, "b").leave(140).threadEnd(140);
    assertDelays("b n:p 70+0 -> join wait n:p:main");
  }
}
