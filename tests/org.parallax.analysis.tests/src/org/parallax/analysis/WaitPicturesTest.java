package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.replay.Window;
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
 * Each wait state by itself, drawn: a column is 10 ns, letters are procedures, {@code .} is waiting,
 * {@code =} what remains of a call when waiting is over.
 *
 * <p>Rows are written {@code state where ns count <- origin procedure ns}, with {@code (ns)} for what
 * is indirect.
 */
class WaitPicturesTest {
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

  private Table table(Level level, boolean causes, Window window) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Application application = SessionBuilder.of(opened).getApplications().get(0);
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(application).during(new Phase("part", window));
      Table table = WaitsReport.of(analysis, level, causes, null, Progress.NONE);
      assertEquals(List.of(), table.warnings());
      long time = 0;
      for (Row row : table.rows()) {
        time += (Long) row.values().get(table.column("time"));
      }
      assertEquals(table.total(), time, "rows add up");
      assertEquals(Long.toString(analysis.replay(Progress.NONE).threads().stream()
          .mapToLong(record -> record.metrics().waitNs()).sum()),
          table.parameters().get("waitNs"), "the metrics of all threads");
      return table;
    }
  }

  private static List<String> rows(Table table) {
    List<String> rows = new ArrayList<>();
    for (Row row : table.rows()) {
      List<Object> values = row.values();
      long indirect = (Long) values.get(table.column("indirect"));
      String text = row.name() + " " + values.get(table.column("where")) + " "
          + values.get(table.column("time")) + " " + values.get(table.column("count"));
      if (!values.get(table.column("origin")).equals("")) {
        text += " <- " + values.get(table.column("origin")) + " "
            + values.get(table.column("originProcedure")) + " "
            + values.get(table.column("originTime")) + (indirect > 0 ? " (" + indirect + ")" : "");
      }
      rows.add(text);
    }
    return rows;
  }

  private void assertRows(String... expected) throws TraceException {
    assertEquals(List.of(expected), rows(table(Level.THREAD, false, Window.ALL)));
  }

  private void assertCauses(String... expected) throws TraceException {
    assertEquals(List.of(expected), rows(table(Level.THREAD, true, Window.ALL)));
  }

  // ------------------------------------------------------------------- messages

  private void lateSenderProgram() {
    // 0:  aaaaaaaaaaS=
    // 1:  bbbR.......===
    program(2);
    rank(0).enter(0, "a").leave(100).send(100, 120, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "b").leave(30).receive(30, 130, "main/exchange/MPI_Recv", WORLD, 0, 0, 8);
  }

  @Test
  void lateSender() throws TraceException {
    lateSenderProgram();
    assertRows("late sender n:p[1] 70 1 <- n:p[0] a 70");
  }

  @Test
  void callPathsThatWaited() throws TraceException {
    lateSenderProgram();
    Table table = table(Level.PROCEDURE, false, Window.ALL);
    List<Object> row = table.rows().get(0).values();
    assertEquals("MPI_Recv", row.get(table.column("procedure")));
    assertEquals("exchange", row.get(table.column("caller")));
    assertEquals("main;exchange;MPI_Recv", row.get(table.column("path")));
    assertEquals("a", row.get(table.column("originPath")));
    assertEquals("n:p[1]", row.get(table.column("where")));
  }

  @Test
  void aPhaseCountsWhatIsInIt() throws TraceException {
    lateSenderProgram();
    assertEquals(List.of("late sender n:p[1] 50 1 <- n:p[0] a 50"),
        rows(table(Level.THREAD, false, new Window(40, 90))));
    assertEquals(List.of(), rows(table(Level.THREAD, false, new Window(100, 130))));
  }

  @Test
  void lateSenderInWrongOrder() throws TraceException {
    // 0:  aS bbbbbbbS        tag 2 first, then tag 1
    // 1:  ccR........=R=     waits for tag 1, though the message with tag 2 was there
    program(2);
    rank(0).enter(0, "a").leave(10).send(10, 20, "MPI_Send", WORLD, 1, 2, 8)
        .enter(20, "b").leave(90).send(90, 100, "MPI_Send", WORLD, 1, 1, 8);
    rank(1).enter(0, "c").leave(20).receive(20, 110, "MPI_Recv", WORLD, 0, 1, 8)
        .receive(110, 120, "MPI_Recv", WORLD, 0, 2, 8);
    assertRows("late sender, wrong order n:p[1] 70 1 <- n:p[0] b 70");
  }

  @Test
  void inTheRightOrderASenderIsJustLate() throws TraceException {
    program(2);
    rank(0).enter(0, "a").leave(10).send(10, 20, "MPI_Send", WORLD, 1, 2, 8)
        .enter(20, "b").leave(90).send(90, 100, "MPI_Send", WORLD, 1, 1, 8);
    rank(1).enter(0, "c").leave(20).receive(20, 30, "MPI_Recv", WORLD, 0, 2, 8)
        .receive(30, 110, "MPI_Recv", WORLD, 0, 1, 8);
    assertRows("late sender n:p[1] 60 1 <- n:p[0] b 60");
  }

  @Test
  void lateReceiver() throws TraceException {
    // Columns of 1 us.
    // 0:  aaS..........=
    // 1:  ccccccccccccR=
    program(2);
    rank(0).enter(0, "a").leave(20_000).send(20_000, 130_000, "MPI_Send", WORLD, 1, 0, 1 << 20);
    rank(1).enter(0, "c").leave(120_000)
        .receive(120_000, 130_000, "MPI_Recv", WORLD, 0, 0, 1 << 20);
    assertRows("late receiver n:p[0] 100000 1 <- n:p[1] c 100000");
  }

  /** The sender works after it has posted the send, and then waits until it is received. */
  @Test
  void lateReceiverOfANonBlockingSend() throws TraceException {
    // Columns of 1 us.
    // 0:  aaSbbW.......=     a second send, received early, takes no time to complete
    // 1:  ccccccccccccR=
    program(2);
    rank(0).enter(0, "a").leave(10_000).isend(10_000, 11_000, "MPI_Isend", WORLD, 1, 1, 8, 1)
        .isend(20_000, 21_000, "MPI_Isend", WORLD, 1, 0, 1 << 20, 2).enter(21_000, "b").leave(50_000)
        .enter(50_000, "MPI_Wait").event(130_000, Kind.REQUEST_DONE, 0, 2).leave(130_000)
        .enter(130_000, "MPI_Wait").event(131_000, Kind.REQUEST_DONE, 0, 1).leave(131_000);
    rank(1).receive(0, 12_000, "MPI_Recv", WORLD, 0, 1, 8).enter(12_000, "c").leave(120_000)
        .receive(120_000, 130_000, "MPI_Recv", WORLD, 0, 0, 1 << 20);
    assertRows("late receiver n:p[0] 70000 1 <- n:p[1] c 70000",
        "late sender n:p[1] 10000 1 <- n:p[0] a 10000");
  }

  // ---------------------------------------------------------------- collectives

  /** Three ranks meet at 20, 50 and 90, and leave at 100, 112 and 105. */
  private void meet(String routine, Collective op, int root) {
    program(3);
    rank(0).enter(0, "a").leave(20).collective(20, 100, routine, WORLD, op, root, 8, 8);
    rank(1).enter(0, "b").leave(50).collective(50, 112, routine, WORLD, op, root, 8, 8);
    rank(2).enter(0, "c").leave(90).collective(90, 105, routine, WORLD, op, root, 8, 8);
  }

  @Test
  void earlyReduce() throws TraceException {
    meet("MPI_Reduce", Collective.REDUCE, 0);
    assertRows("early reduce n:p[0] 70 1 <- n:p[2] c 70");
    meet("MPI_Gather", Collective.GATHER, 1);
    assertRows("early reduce n:p[1] 40 1 <- n:p[2] c 40");
  }

  @Test
  void earlyScan() throws TraceException {
    // Each waits for the lower ranks only: 0 for nobody, 1 for 0.
    program(3);
    rank(0).enter(0, "a").leave(60)
        .collective(60, 70, "MPI_Scan", WORLD, Collective.SCAN, NONE, 8, 8);
    rank(1).enter(0, "b").leave(50)
        .collective(50, 72, "MPI_Scan", WORLD, Collective.SCAN, NONE, 8, 8);
    rank(2).enter(0, "c").leave(20)
        .collective(20, 75, "MPI_Scan", WORLD, Collective.SCAN, NONE, 8, 8);
    assertRows("early scan n:p[2] 40 1 <- n:p[0] a 40", "early scan n:p[1] 10 1 <- n:p[0] a 10");
  }

  @Test
  void lateBroadcast() throws TraceException {
    meet("MPI_Bcast", Collective.BCAST, 2);
    assertRows("late broadcast n:p[0] 70 1 <- n:p[2] c 70",
        "late broadcast n:p[1] 40 1 <- n:p[2] c 40");
    meet("MPI_Scatter", Collective.SCATTER, 0);
    assertRows();
  }

  @Test
  void barrier() throws TraceException {
    meet("MPI_Barrier", Collective.BARRIER, NONE);
    assertRows("wait at barrier n:p[0] 70 1 <- n:p[2] c 70",
        "wait at barrier n:p[1] 40 1 <- n:p[2] c 40", "barrier completion n:p[1] 12 1",
        "barrier completion n:p[2] 5 1");
  }

  @Test
  void allToAll() throws TraceException {
    meet("MPI_Allreduce", Collective.ALLREDUCE, NONE);
    assertRows("wait at NxN n:p[0] 70 1 <- n:p[2] c 70", "wait at NxN n:p[1] 40 1 <- n:p[2] c 40",
        "NxN completion n:p[1] 12 1", "NxN completion n:p[2] 5 1");
  }

  @Test
  void initAndFinalize() throws TraceException {
    meet("MPI_Init", Collective.INIT, NONE);
    assertRows("wait at init and finalize n:p[0] 70 1 <- n:p[2] c 70",
        "wait at init and finalize n:p[1] 40 1 <- n:p[2] c 40");
  }

  @Test
  void aCollectiveThatWasPostedIsWaitedForWhereItCompletes() throws TraceException {
    // 0:  aI bbW......=
    // 1:  ccccccccccI W=    posted last; both complete without completion
    program(2);
    TracedThread first = rank(0).enter(0, "a").leave(10);
    long sequence = first.icollective(10, 20, "MPI_Iallreduce", WORLD, Collective.ALLREDUCE, NONE,
        8, 8);
    first.enter(20, "b").leave(40).waitCollective(40, 115, "MPI_Wait", WORLD,
        Collective.ALLREDUCE, NONE, 8, 8, sequence);
    TracedThread second = rank(1).enter(0, "c").leave(100);
    sequence = second.icollective(100, 102, "MPI_Iallreduce", WORLD, Collective.ALLREDUCE, NONE,
        8, 8);
    second.waitCollective(102, 130, "MPI_Wait", WORLD, Collective.ALLREDUCE, NONE, 8, 8, sequence);
    assertRows("wait at NxN n:p[0] 60 1 <- n:p[1] c 60");
  }

  // -------------------------------------------------------------------- threads

  private TracedThread main;
  private TracedThread other;

  /** One process with two threads that both begin at 0. */
  private TracedProcess threads() {
    program(1);
    TracedProcess process = trace.process(0);
    main = process.thread(0);
    other = process.thread(1, 0, "other");
    main.create(0, 0, "pthread_create", 1);
    other.threadBegin(0, 0);
    return process;
  }

  @Test
  void lockContention() throws TraceException {
    // main:   aL cccccccc U
    // other:  bb L......=
    int lock = threads().syncObject(1, 0x10);
    main.enter(0, "a").leave(10).acquire(10, 10, "pthread_mutex_lock", lock, 1).enter(10, "c")
        .leave(90).release(90, lock, 1);
    other.enter(0, "b").leave(30).acquire(30, 94, "pthread_mutex_lock", lock, 2)
        .release(95, lock, 2).threadEnd(95);
    assertRows("lock contention n:p[0]:other 60 1 <- n:p[0]:main c 60");
    Table table = table(Level.PROCESS, false, Window.ALL);
    assertEquals("mutex 0x10", table.rows().get(0).values().get(table.column("object")));
  }

  @Test
  void conditionWait() throws TraceException {
    int condition = threads().syncObject(2, 0x20);
    main.enter(0, "a").leave(100).signal(100, condition, 1);
    other.awaitSignal(20, 105, "pthread_cond_wait", condition, 1).threadEnd(105);
    assertRows("condition wait n:p[0]:other 80 1 <- n:p[0]:main a 80");
  }

  @Test
  void futexWait() throws TraceException {
    TracedProcess process = threads();
    int futex = process.syncObject(10, 0x20);
    process.region("futex");
    main.enter(0, "a").leave(100).signal(100, futex, 1);
    other.awaitSignal(20, 105, "futex", futex, 1).threadEnd(105);
    assertRows("futex wait n:p[0]:other 80 1 <- n:p[0]:main a 80");
    Table table = table(Level.PROCESS, false, Window.ALL);
    assertEquals("futex 0x20", table.rows().get(0).values().get(table.column("object")));
  }

  @ParameterizedTest
  @CsvSource({"16, eventfd wait, eventfd 32", "18, semaphore wait, semaphore 0[32]",
      "19, message queue wait, message queue of POSIX", "20, message queue full, message queue of POSIX",
      "21, file lock contention, lock of inode 32"})
  void objectsOfTheKernel(int kind, String state, String shown) throws TraceException {
    TracedProcess process = threads();
    int object = process.syncObject(kind, 0x20);
    process.region("call");
    // In microseconds: a queue is full for a wait of 10 us or more.
    main.enter(0, "a").leave(100_000).signal(100_000, object, 1);
    other.awaitSignal(20_000, 105_000, "call", object, 1).threadEnd(105_000);
    assertRows(state + " n:p[0]:other 80000 1 <- n:p[0]:main a 80000");
    Table table = table(Level.PROCESS, false, Window.ALL);
    assertEquals(shown, table.rows().get(0).values().get(table.column("object")));
  }

  @ParameterizedTest
  @CsvSource({"2, unknown waker", "6, unknown waker", "10, unknown waker", "16, unknown waker", "17, timer wait", "18, unknown waker",
      "21, unknown waker", "22, unknown waker"})
  void whatNoThreadEndedIsAWaitWithoutCause(int kind, String state) throws TraceException {
    TracedProcess process = threads();
    int object = process.syncObject(kind, 0x20);
    process.region("call");
    main.enter(0, "a").leave(100_000);
    other.awaitSignal(20_000, 105_000, "call", object, 0).awaitSignal(105_000, 106_000, "call", object, 0)
        .threadEnd(106_000);
    assertRows(state + " n:p[0]:other 85000 1");  // and none of less than 10 us
  }

  @Test
  void aTimeLimitThatEndsAWaitIsNotTheLockAfterIt() throws TraceException {
    // main:   aaaaUbbbbb      the lock is taken at 10 us and released before the time limit
    // other:  ..W......T=
    TracedProcess process = threads();
    int timer = process.syncObject(17, 0);
    int lock = process.syncObject(1, 0x10);
    process.region("pthread_cond_timedwait");
    other.acquire(5, 5, "pthread_mutex_lock", lock, 1).enter(8, "pthread_cond_timedwait").release(8, lock, 1);
    main.acquire(10_000, 10_000, "pthread_mutex_lock", lock, 2).enter(10_000, "a").leave(40_000)
        .release(40_000, lock, 2);
    other.event(90_000, Kind.WAKE, timer, 0).event(90_000, Kind.ACQUIRE, lock, 3 << 1 | 1)
        .leave(90_008).release(90_008, lock, 3).threadEnd(90_008);
    assertRows("timer wait n:p[0]:other 90000 1");
  }

  /** Of a pipe: bytes from a program that is not recorded, its end, and room that such a program makes. */
  @ParameterizedTest
  @CsvSource({"STREAM_RECEIVE, 8, 90000, true", "STREAM_RECEIVE, 0, 90000, true", "STREAM_SEND, 8, 90000, true",
      "STREAM_RECEIVE, 8, 40000, false"})
  void callsOnStreamsOfOthersWaitWithoutProcessor(String kind, int bytes, long lostNs, boolean waits) throws Exception {
    TracedProcess process = threads();
    int stream = process.stream(1, 9, "pipe");
    process.region("call");
    main.enter(0, "call").lost(100_000, lostNs)
        .event(100_000, Kind.class.getField(kind).getInt(null), stream, 0, bytes).leave(100_000);
    other.threadEnd(100_000);
    if (waits) {
      assertRows("unknown waker n:p[0]:main 100000 1");
    } else {
      assertRows();
    }
  }

  @ParameterizedTest
  @CsvSource({"poll, true", "accept, true", "waitpid, true", "close, false"})
  void callsThatOnlyWaitAreWaits(String call, boolean waits) throws TraceException {
    threads().region(call);
    main.enter(0, call).leave(100_000).enter(100_000, call).leave(105_000);
    other.threadEnd(100_000);
    if (waits) {
      assertRows("unknown waker n:p[0]:main 100000 1");  // and none of less than 10 us
    } else {
      assertRows();
    }
  }

  @Test
  void aConditionThatIsSignalledWithItsLockHeld() throws TraceException {
    // main:   aaaaaaaaScccU        the lock is held from 10 on
    // other:  ..W.....|...=        for the signal, then for the lock
    TracedProcess process = threads();
    int condition = process.syncObject(2, 0x20);
    int lock = process.syncObject(1, 0x10);
    other.acquire(5, 5, "pthread_mutex_lock", lock, 1).enter(8, "pthread_cond_wait")
        .release(8, lock, 1);
    main.acquire(10, 10, "pthread_mutex_lock", lock, 2).enter(10, "a").leave(80)
        .signal(80, condition, 1).enter(80, "c").leave(120).release(120, lock, 2);
    other.event(125, Kind.WAKE, condition, 1).event(125, Kind.ACQUIRE, lock, 3 << 1 | 1)
        .leave(125).release(130, lock, 3).threadEnd(130);
    assertRows("condition wait n:p[0]:other 72 1 <- n:p[0]:main a 70",
        "lock contention n:p[0]:other 40 1 <- n:p[0]:main c 40");
  }

  @Test
  void semaphoreWait() throws TraceException {
    TracedProcess process = threads();
    int semaphore = process.syncObject(6, 0x20);
    process.region("sem_wait");
    main.enter(0, "a").leave(100).signal(100, semaphore, 1);
    other.awaitSignal(20, 105, "sem_wait", semaphore, 1).threadEnd(105);
    assertRows("semaphore wait n:p[0]:other 80 1 <- n:p[0]:main a 80");
  }

  @Test
  void threadBarrierAndJoin() throws TraceException {
    int barrier = threads().syncObject(3, 0x30);
    main.enter(0, "a").leave(100).barrier(100, 110, "pthread_barrier_wait", barrier, 0, 2);
    other.enter(0, "b").leave(40).barrier(40, 110, "pthread_barrier_wait", barrier, 0, 2)
        .enter(110, "c").leave(150).threadEnd(150);
    main.join(115, 152, "pthread_join", 1);
    assertRows("thread barrier n:p[0]:other 60 1 <- n:p[0]:main a 60",
        "join wait n:p[0]:main 35 1 <- n:p[0]:other c 35");
  }

  @Test
  void taskWait() throws TraceException {
    TracedProcess process = threads();
    int tasks = process.syncObject(8, 0x40);
    process.region("GOMP_taskwait");
    main.enter(0, "a").leave(100).signal(100, tasks, 1);
    other.awaitSignal(20, 105, "GOMP_taskwait", tasks, 1).threadEnd(105);
    assertRows("task wait n:p[0]:other 80 1 <- n:p[0]:main a 80");
  }

  @Test
  void lateTask() throws TraceException {
    // main:   aaaaaaaaaaE          a task ends on which another one depends that was created before
    // other:  ..W.......=bbb
    TracedProcess process = threads();
    int tasks = process.syncObject(8, 0x40);
    int ends = process.syncObject(14, 0x40);
    process.region("omp barrier");
    main.signal(5, tasks, 1).signal(6, tasks, 2).enter(6, "a").leave(100).enter(100, "omp barrier")
        .signal(100, ends, 1).leave(140);
    other.enter(20, "omp barrier").event(105, Kind.WAKE, tasks, 2).event(105, Kind.WAKE, ends, 1).leave(105)
        .enter(105, "b").leave(130).threadEnd(130);
    assertRows("late task n:p[0]:other 80 1 <- n:p[0]:main a 80");
    Table table = table(Level.PROCESS, false, Window.ALL);
    assertEquals("openmp task ends 0x40", table.rows().get(0).values().get(table.column("object")));
  }

  @Test
  void aTaskThatWasReadyIsNotWaitedFor() throws TraceException {
    TracedProcess process = threads();
    int tasks = process.syncObject(8, 0x40);
    int ends = process.syncObject(14, 0x40);
    process.region("omp barrier");
    main.signal(5, tasks, 1).enter(6, "a").leave(15).enter(15, "omp barrier").signal(15, ends, 1).leave(140);
    other.enter(20, "omp barrier").event(105, Kind.WAKE, tasks, 1).event(105, Kind.WAKE, ends, 1).leave(105)
        .enter(105, "b").leave(130).threadEnd(130);
    assertRows();
  }

  @Test
  void idleThreads() throws TraceException {
    // main:   S rrr B= sssssss S rrr B= eeee
    // other:  ..rrr B=.........=rrr B=....       idle until the first, between the two, at the end
    TracedProcess process = threads();
    int tasks = process.syncObject(8, 0x40);
    int barrier = process.syncObject(3, 0x50);
    process.region("omp parallel");
    process.region("omp implicit barrier");
    process.region("[OpenMP idle]");
    main.enter(0, "a").leave(10).enter(10, "omp parallel").signal(10, tasks, 1).leave(11)
        .enter(11, "r").leave(40).barrier(40, 42, "omp implicit barrier", barrier, 0, 2)
        .enter(42, "s").leave(100).enter(100, "omp parallel").signal(100, tasks, 2).leave(101)
        .enter(101, "r").leave(130).barrier(130, 132, "omp implicit barrier", barrier, 1, 2)
        .enter(132, "e").leave(170);
    other.awaitSignal(0, 12, "[OpenMP idle]", tasks, 1).enter(12, "r").leave(40)
        .barrier(40, 41, "omp implicit barrier", barrier, 0, 2)
        .awaitSignal(41, 103, "[OpenMP idle]", tasks, 2).enter(103, "r").leave(130)
        .barrier(130, 131, "omp implicit barrier", barrier, 1, 2).enter(131, "[OpenMP idle]")
        .leave(160).threadEnd(160);
    assertRows("idle thread n:p[0]:other 69 2 <- n:p[0]:main s 58",
        "idle at end n:p[0]:other 29 1 <- n:p[0]:main e 28");
  }

  // ------------------------------------------------------------------ processes

  @Test
  void streamsAndProcesses() throws TraceException {
    // 0:  aaaaaaaaW= ------ W(1).....=
    // 1:  R......==bbbbbbbbbbbbbbbR=       a pipe; then the child is waited for
    trace = new TraceBuilder(directory);
    TracedProcess parent = trace.process("n", "/opt/p");
    TracedProcess child = trace.child(parent, "/opt/p").start(5);
    for (TracedProcess process : List.of(parent, child)) {
      process.region("read");
      process.region("write");
    }
    parent.region("fork");
    parent.region("waitpid");
    int from = parent.stream(1, 9, "pipe");
    int to = child.stream(1, 9, "pipe");
    parent.thread(0).createProcess(0, 6, "fork", child.pid(), 0).enter(6, "a").leave(80)
        .write(80, 90, "write", from, 0, 10).enter(90, "d").leave(100)
        .write(100, 50_000, "write", from, 10, 65_536)
        .waitProcess(50_000, 60_001, "waitpid", child.pid(), 0);
    child.thread(0).threadBegin(5, -1).read(10, 85, "read", to, 0, 10).enter(85, "b")
        .leave(45_000).read(45_000, 45_010, "read", to, 10, 65_536).enter(45_010, "c").leave(60_000)
        .threadEnd(60_000);
    assertRows("stream full n:p (pid 1000) 44900 1 <- n:p (pid 1001) b 44900",
        "process wait n:p (pid 1000) 10000 1 <- n:p (pid 1001) c 10000",
        "stream wait n:p (pid 1001) 70 1 <- n:p (pid 1000) a 70");
    Table table = table(Level.PROCESS, false, Window.ALL);
    assertEquals("pipe", table.rows().get(0).values().get(table.column("object")));
  }

  // -------------------------------------------------------------------- origins

  @Test
  void whoIsWaitedForMayWaitToo() throws TraceException {
    // 0:  aaaaaaaaaaS=
    // 1:  ccR.......=bS=
    // 2:  dR..........=       waits for 1: c, then with 1 for 0, the rest of its receive, and b
    program(3);
    rank(0).enter(0, "a").leave(100).send(100, 110, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).enter(0, "c").leave(20).receive(20, 105, "MPI_Recv", WORLD, 0, 0, 8)
        .enter(105, "b").leave(120).send(120, 125, "MPI_Send", WORLD, 2, 0, 8);
    rank(2).enter(0, "d").leave(10).receive(10, 130, "MPI_Recv", WORLD, 1, 0, 8);
    assertRows("late sender n:p[2] 110 1 <- n:p[0] a 80 (80)",
        "late sender n:p[1] 80 1 <- n:p[0] a 80");
    assertCauses("late sender n:p[2] 80 1 <- n:p[0] a 80 (80)",
        "late sender n:p[2] 15 0 <- n:p[1] b 15", "late sender n:p[2] 10 0 <- n:p[1] c 10",
        "late sender n:p[2] 5 0 <- n:p[1] MPI_Recv 5", "late sender n:p[1] 80 1 <- n:p[0] a 80");
  }

  @Test
  void samplesSayWhatTheOtherDid() throws TraceException {
    // The time outside of calls belongs to the next sample: f until 40, g until 90, then h.
    program(2);
    rank(0).threadBegin(0, -1).sample(40, "main/f").sample(90, "main/g")
        .send(100, 101, "MPI_Send", WORLD, 1, 0, 8).sample(150, "main/h");
    rank(1).threadBegin(0, -1).receive(10, 105, "MPI_Recv", WORLD, 0, 0, 8);
    assertCauses("late sender n:p[1] 50 1 <- n:p[0] g 50", "late sender n:p[1] 30 0 <- n:p[0] f 30",
        "late sender n:p[1] 10 0 <- n:p[0] h 10");
  }

  @Test
  void whoHasNotBegunWasWaitedForByWhoCreatesIt() throws TraceException {
    // main:   mmmS(create)
    // other:     ---xxxxS     created at 30, begins at 35
    // third:  W..........=
    program(1);
    TracedProcess process = trace.process(0);
    int condition = process.syncObject(2, 0x20);
    main = process.thread(0);
    main.create(0, 0, "pthread_create", 2).enter(0, "m").leave(30)
        .create(30, 32, "pthread_create", 1);
    process.thread(1, 0, "other").threadBegin(35, 0).enter(35, "x").leave(60)
        .signal(60, condition, 1).threadEnd(60);
    process.thread(2, 0, "third").threadBegin(0, 0)
        .awaitSignal(10, 62, "pthread_cond_wait", condition, 1).threadEnd(62);
    assertCauses("condition wait n:p[0]:third 25 1 <- n:p[0]:other x 25",
        "condition wait n:p[0]:third 20 0 <- n:p[0]:main m 20 (20)",
        "condition wait n:p[0]:third 5 0 <- n:p[0]:other (not begun) 5");
  }

  @Test
  void levelsAndCausesAddUp() throws TraceException {
    for (Level level : List.of(Level.APPLICATION, Level.MACHINE, Level.PROCESS, Level.PROCEDURE)) {
      for (boolean causes : new boolean[] {false, true}) {
        whoIsWaitedForMayWaitToo();
        assertEquals(190, table(level, causes, Window.ALL).total(), level.toString());
      }
    }
  }
}
