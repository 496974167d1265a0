package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
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
 * Critical paths of small drawn cases. In the pictures a column is 10 ns; letters are procedures,
 * {@code .} is waiting, {@code =} what remains of a call when waiting is over, {@code *} is under
 * the path.
 */
class CriticalPathPicturesTest {
  private static final int WORLD = 1;

  @TempDir Path directory;

  private TraceBuilder trace;

  private TraceBuilder program(int ranks) {
    trace = new TraceBuilder(directory);
    for (int rank = 0; rank < ranks; rank++) {
      trace.process("n", "/opt/p").mpi(7, rank, ranks);
    }
    return trace;
  }

  private TracedThread rank(int rank) {
    return trace.process(rank).thread(0);
  }

  /** @return the rows of the profile as {@code name time}, and the length of the path */
  private List<String> path(Level level, Weight weight) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Application application = SessionBuilder.of(opened).getApplications().get(0);
      Table table = CriticalPathReport.of(
          new ApplicationAnalysis(application), level, weight, null, Progress.NONE);
      assertEquals(List.of(), table.warnings().stream()
          .filter(warning -> !warning.startsWith("the path weighs CPU time")).toList());
      List<String> rows = new ArrayList<>();
      long sum = 0;
      for (Row row : table.rows()) {
        rows.add(row.name() + " " + row.values().get(table.totalColumn()));
        sum += (Long) row.values().get(table.totalColumn());
      }
      assertEquals(table.total(), sum);
      rows.add("= " + table.total());
      return rows;
    }
  }

  @Test
  void lateSender() throws TraceException {
    // 0:  aaaaaaaaaaS>>
    //     **********\
    // 1:  bbbR.......===cc
    //                ***** message, then c
    program(2);
    rank(0).enter(0, "a").leave(100).send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "b").leave(30).receive(30, 130, "MPI_Recv", WORLD, 0, 0, 8)
        .enter(130, "c").leave(150);
    assertEquals(List.of("a 100", "Msg: n:p[0]->n:p[1] 30", "c 20", "= 150"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void earlySenderLeavesThePathWithTheReceiver() throws TraceException {
    // 0:  aS>
    // 1:  bbbbbbbbR=cc   the message was there: receiving is work of the receiver
    //     ************
    program(2);
    rank(0).enter(0, "a").leave(10).send(10, 20, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "b").leave(80).receive(80, 90, "MPI_Recv", WORLD, 0, 0, 8)
        .enter(90, "c").leave(110);
    assertEquals(List.of("b 80", "c 20", "MPI_Recv 10", "= 110"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void lateReceiver() throws TraceException {
    // Columns of 1 us. The send is blocked until the receiver is ready.
    // 0:  aaS..........=bbb
    // 1:  ccccccccccccR=
    program(2);
    rank(0).enter(0, "a").leave(20_000).send(20_000, 130_000, "MPI_Send", WORLD, 1, 0, 1 << 20)
        .enter(130_000, "b").leave(160_000);
    rank(1).enter(0, "c").leave(120_000)
        .receive(120_000, 130_000, "MPI_Recv", WORLD, 0, 0, 1 << 20);
    assertEquals(
        List.of("c 120000", "b 30000", "Rendezvous: n:p[1]->n:p[0] 10000", "= 160000"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void barrierBelongsToTheLast() throws TraceException {
    // 0:  aaaB......=ee
    // 1:  ccccccccccB=f     path: c, then the completion of the barrier, then e
    program(2);
    rank(0).enter(0, "a").leave(30)
        .collective(30, 112, "MPI_Barrier", WORLD, Collective.BARRIER, Kind.NO_ROOT, 0, 0)
        .enter(112, "e").leave(140);
    rank(1).enter(0, "c").leave(100)
        .collective(100, 110, "MPI_Barrier", WORLD, Collective.BARRIER, Kind.NO_ROOT, 0, 0)
        .enter(110, "f").leave(120);
    assertEquals(
        List.of("c 100", "e 28", "Coll: n:p[1]->n:p[0] 12", "= 140"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void broadcastWaitsForTheRootOnly() throws TraceException {
    // 0 (root): aaaaaB=
    // 1:        bB....==gg
    // 2:        cccccccccccccB=    the path stays here: nobody waits for rank 2
    program(3);
    rank(0).enter(0, "a").leave(50)
        .collective(50, 60, "MPI_Bcast", WORLD, Collective.BCAST, 0, 8, 0);
    rank(1).enter(0, "b").leave(10)
        .collective(10, 70, "MPI_Bcast", WORLD, Collective.BCAST, 0, 0, 8)
        .enter(70, "g").leave(90);
    rank(2).enter(0, "c").leave(130)
        .collective(130, 140, "MPI_Bcast", WORLD, Collective.BCAST, 0, 0, 8);
    assertEquals(List.of("c 130", "MPI_Bcast 10", "= 140"), path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void nonBlockingCollectiveContributesWhereItIsPosted() throws TraceException {
    // 0:  aI bbbbbbbbbbbbbbW=     posts early, computes, completes without waiting
    // 1:  ccccccI W=
    program(2);
    TracedThread first = rank(0).enter(0, "a").leave(10);
    long sequence = first.icollective(10, 20, "MPI_Iallreduce", WORLD, Collective.ALLREDUCE,
        Kind.NO_ROOT, 8, 8);
    first.enter(20, "b").leave(160).waitCollective(160, 170, "MPI_Wait", WORLD,
        Collective.ALLREDUCE, Kind.NO_ROOT, 8, 8, sequence);
    TracedThread second = rank(1).enter(0, "c").leave(60);
    sequence = second.icollective(60, 70, "MPI_Iallreduce", WORLD, Collective.ALLREDUCE,
        Kind.NO_ROOT, 8, 8);
    second.waitCollective(70, 80, "MPI_Wait", WORLD, Collective.ALLREDUCE, Kind.NO_ROOT, 8, 8,
        sequence);
    assertEquals(List.of("b 140", "MPI_Iallreduce 10", "MPI_Wait 10", "a 10", "= 170"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void lockHandOver() throws TraceException {
    // t0:  aL cccccccccc U d          holds the lock in c
    // t1:  bb L..........=ccccc U     the path follows the hand-over
    program(1);
    TracedProcess process = trace.process(0);
    int lock = process.syncObject(1, 0x10);
    TracedThread main = process.thread(0);
    TracedThread other = process.thread(1, 0, "other");
    main.create(0, 5, "pthread_create", 1).enter(5, "a").leave(10);
    other.threadBegin(10, 0);
    main.acquire(10, 10, "pthread_mutex_lock", lock, 1).enter(10, "c").leave(110)
        .release(110, lock, 1).enter(110, "d").leave(120);
    other.enter(10, "b").leave(30).acquire(30, 114, "pthread_mutex_lock", lock, 2)
        .enter(114, "c").leave(164).release(164, lock, 2).threadEnd(164);
    main.join(120, 170, "pthread_join", 1);
    assertEquals(
        List.of("c 150", "Join: n:p[0]:other->n:p[0]:main 6", "a 5", "pthread_create 5",
            "Lock: n:p[0]:main->n:p[0]:other 4", "= 170"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  /** Who signals with the lock held: what is waited for is the signal first, then the lock. */
  @Test
  void aWaitForAConditionIsOneForItsLockAfterTheSignal() throws TraceException {
    // t0:  aaaaaaaaaaS**R
    // t1:  W.............==b
    program(1);
    TracedProcess process = trace.process(0);
    int lock = process.syncObject(1, 0x10);
    int condition = process.syncObject(2, 0x20);
    int wait = process.path("pthread_cond_wait");
    process.thread(0).event(0, Kind.THREAD_CREATE, 0, 1)
        .event(20, Kind.ACQUIRE, lock, 2 << 1).enter(20, "a").leave(100)
        .signal(100, condition, 1).release(130, lock, 2);
    process.thread(1, 0, "other").threadBegin(0, 0).event(5, Kind.ACQUIRE, lock, 1 << 1)
        .enter(10, wait).release(10, lock, 1).event(140, Kind.WAKE, condition, 1)
        .event(140, Kind.ACQUIRE, lock, 3 << 1 | 1).leave(140).enter(140, "b").leave(150);
    try (Trace opened = Trace.open(trace.write())) {
      Table table = MetricsReport.of(
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)),
          Level.APPLICATION, null, Progress.NONE);
      for (String expected : List.of("Condition wait time 90", "Lock wait time 30", "Wait time 120")) {
        assertTrue(table.rows().stream().anyMatch(
            row -> expected.equals(row.name() + " " + row.values().get(0))), table.toString());
      }
    }
  }

  @Test
  void conditionLeadsToTheSignal() throws TraceException {
    // t0:  create, aaaaaaaaaaS
    // t1:     W..............=bb   woken by the signal
    program(1);
    TracedProcess process = trace.process(0);
    int condition = process.syncObject(2, 0x20);
    TracedThread main = process.thread(0);
    TracedThread other = process.thread(1, 0, "other");
    main.create(0, 0, "pthread_create", 1).enter(0, "a").leave(100).signal(100, condition, 1);
    other.threadBegin(10, 0).awaitSignal(20, 105, "pthread_cond_wait", condition, 1)
        .enter(105, "b").leave(130).threadEnd(130);
    main.join(101, 131, "pthread_join", 1);
    assertEquals(
        List.of("a 100", "b 25", "Cond: n:p[0]:main->n:p[0]:other 5",
            "Join: n:p[0]:other->n:p[0]:main 1", "= 131"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void threadBarrierAndThreadLevel() throws TraceException {
    program(1);
    TracedProcess process = trace.process(0);
    int barrier = process.syncObject(3, 0x30);
    TracedThread main = process.thread(0);
    TracedThread other = process.thread(1, 0, "other");
    main.create(0, 0, "pthread_create", 1).enter(0, "a").leave(100)
        .barrier(100, 110, "pthread_barrier_wait", barrier, 0, 2).enter(110, "d").leave(115);
    other.threadBegin(0, 0).enter(0, "b").leave(40)
        .barrier(40, 110, "pthread_barrier_wait", barrier, 0, 2).enter(110, "c").leave(150)
        .threadEnd(150);
    assertEquals(
        List.of("CPU: n:p[0]:main 100", "CPU: n:p[0]:other 40",
            "Barrier: n:p[0]:main->n:p[0]:other 10", "= 150"),
        path(Level.THREAD, Weight.CPU));
  }

  @Test
  void samplesSayWhatIsOutsideOfCalls() throws TraceException {
    // Each piece of time outside belongs to the next sample: 0-40 f, 40-70 g; the rest has none.
    program(1);
    rank(0).threadBegin(0, -1).sample(40, "main/f").sample(70, "main/g").enter(80, "MPI_Send").leave(85)
        .enter(90, "MPI_Send").leave(90);
    assertEquals(List.of("f 40", "g 30", "(not sampled) 15", "MPI_Send 5", "= 90"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void timeWithoutProcessorWeighsNothingAsCpuTime() throws TraceException {
    program(1);
    rank(0).enter(0, "a").lost(50, 30).leave(50).enter(50, "b").leave(60);
    assertEquals(List.of("a 20", "b 10", "= 30"), path(Level.PROCEDURE, Weight.CPU));
    assertEquals(List.of("a 50", "b 10", "= 60"), path(Level.PROCEDURE, Weight.WALL));
  }

  @Test
  void messagesDoNotOvertake() throws TraceException {
    // Two receives are posted, the second completes first: it still gets the second message.
    // 0:  aS bbbbbbbbS
    // 1:  II W..........= (second) W= (first)
    program(2);
    rank(0).enter(0, "a").leave(20).send(20, 25, "MPI_Send", WORLD, 1, 5, 8)
        .enter(25, "b").leave(100).send(100, 105, "MPI_Send", WORLD, 1, 5, 8);
    rank(1).irecv(0, 1, "MPI_Irecv", WORLD, 0, 5, 1).irecv(1, 2, "MPI_Irecv", WORLD, 0, 5, 2)
        .waitReceive(2, 110, "MPI_Wait", WORLD, 0, 5, 8, 2)
        .waitReceive(110, 112, "MPI_Wait", WORLD, 0, 5, 8, 1);
    assertEquals(
        List.of("b 75", "a 20", "Msg: n:p[0]->n:p[1] 10", "MPI_Send 5", "MPI_Wait 2", "= 112"),
        path(Level.PROCEDURE, Weight.CPU));
  }

  @Test
  void levelsAddUp() throws TraceException {
    lateSender();
    assertEquals(List.of("CPU: n:p[0] 100", "Msg: n:p[0]->n:p[1] 30", "CPU: n:p[1] 20", "= 150"),
        path(Level.PROCESS, Weight.CPU));
    assertEquals(List.of("CPU: n 120", "Msg: n->n 30", "= 150"), path(Level.MACHINE, Weight.CPU));
  }

  @Test
  void aPartnerThatIsMissingIsSaid() throws TraceException {
    program(2);
    rank(0).enter(0, "a").leave(10);
    rank(1).receive(0, 50, "MPI_Recv", WORLD, 0, 0, 8);
    try (Trace opened = Trace.open(trace.write())) {
      Application application = SessionBuilder.of(opened).getApplications().get(0);
      Table table = CriticalPathReport.of(new ApplicationAnalysis(application), Level.PROCEDURE,
          Weight.CPU, null, Progress.NONE);
      assertEquals(50, table.total());
      assertEquals(1, table.warnings().size());
      assertEquals(0, table.warnings().get(0).indexOf("1 waits (Msg) have no partner"));
    }
  }
}
