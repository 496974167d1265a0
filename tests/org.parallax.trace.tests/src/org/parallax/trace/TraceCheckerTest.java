package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Finding.Severity;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Each rule of the format, broken on purpose. */
class TraceCheckerTest {
  @TempDir
  Path directory;

  private int count;

  private TraceChecker.Result check(Consumer<TraceBuilder> content) throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace" + count++)).blockSlots(64);
    content.accept(builder);
    return TraceChecker.check(builder.endThreads().write());
  }

  /** One process with one thread. */
  private TraceChecker.Result checkThread(Consumer<TracedThread> content) throws Exception {
    return check(builder -> content.accept(builder.process("node1", "/opt/one").mpi(1, 0, 1)
        .thread(0)));
  }

  private static void assertFinds(TraceChecker.Result result, Severity severity, String... parts) {
    assertTrue(result.findings().stream().anyMatch(finding -> finding.severity() == severity
        && List.of(parts).stream().allMatch(finding.toString()::contains)),
        () -> severity + " " + List.of(parts) + " is not in " + result.findings());
  }

  @Test
  void symbolsThatAreCutShort() throws Exception {
    Path trace = new TraceBuilder(directory.resolve("cut")).mpiJob("node1", "/opt/cut", 2).write();
    Path symbols = trace.resolve(Symbols.FILE_NAME);
    Files.writeString(symbols, "parallax-symbols\t1\nM\t0\t\t/opt/cut\n");
    assertEquals(List.of(), TraceChecker.check(trace).findings());
    Files.writeString(symbols, "parallax-symbols\t1\nM\t0\t\t/op");
    assertFinds(TraceChecker.check(trace), Severity.WARNING, "symbols", "ends within a line");
    Files.writeString(symbols, "");
    assertFinds(TraceChecker.check(trace), Severity.WARNING, "symbols", "first line");
  }

  @Test
  void aSoundTraceHasNoFindings() throws Exception {
    TraceChecker.Result result = check(builder -> {
      builder.mpiJob("node1", "/opt/sound", 2);
      TracedThread first = builder.process(0).thread(0).threadBegin(0, -1);
      TracedThread second = builder.process(1).thread(0).threadBegin(0, -1);
      int mutex = builder.process(0).syncObject(1, 0x1000);
      int condition = builder.process(0).syncObject(2, 0x2000);
      int barrier = builder.process(0).syncObject(3, 0x3000);
      builder.process(0).thread(1, 0, "helper").threadBegin(5, 0).threadEnd(2000);
      first.create(1, 4, "main/pthread_create", 1)
          .acquire(5, 5, "main/pthread_mutex_lock", mutex, 1).release(6, mutex, 1)
          .acquire(7, 9, "main/pthread_mutex_lock", mutex, 2).signal(9, condition, 1)
          .awaitSignal(9, 10, "main/pthread_cond_wait", condition, 1).release(10, mutex, 2)
          .barrier(10, 11, "main/pthread_barrier_wait", barrier, 0, 1);
      for (int i = 0; i < 100; i++) {
        first.isend(100 + 10 * i, 102 + 10 * i, "main/MPI_Isend", 1, 1, i % 3, 8, i)
            .waitSend(103 + 10 * i, 104 + 10 * i, "main/MPI_Wait", i);
        second.irecv(100 + 10 * i, 101 + 10 * i, "main/MPI_Irecv", 1, Kind.ANY_SOURCE,
            Kind.ANY_TAG, i)
            .waitReceive(102 + 10 * i, 105 + 10 * i, "main/MPI_Wait", 1, 0, i % 3, 8, i);
      }
      first.collective(1500, 1600, "main/MPI_Reduce", 1, Collective.REDUCE, 1, 8, 0);
      second.collective(1500, 1600, "main/MPI_Reduce", 1, Collective.REDUCE, 1, 0, 8);
      first.join(1700, 2000, "main/pthread_join", 1).threadEnd(2100);
      second.lost(1700, 100).threadEnd(2100);
    });
    assertEquals(List.of(), result.findings());
    assertTrue(result.isSound());
    assertEquals(2, result.processes());
    assertEquals(3, result.threads());
    assertEquals(24 + 600 + 6 + 600 + 2, result.events());
  }

  @Test
  void theLastBlockOfAThreadMayBeOpen() throws Exception {
    String open = "the last block is not closed";
    TraceBuilder detached = new TraceBuilder(directory.resolve("detached")).blockSlots(64);
    detached.process("node1", "/opt/on").detached(100).thread(0).sample(5, "main");
    assertFinds(TraceChecker.check(detached.write()), Severity.INFO, open,
        "The thread was running when the recording of the process ended");
    TraceBuilder exited = new TraceBuilder(directory.resolve("exited")).blockSlots(64);
    exited.process("node1", "/opt/on").exit(100, 0).thread(0).sample(5, "main");
    assertFinds(TraceChecker.check(exited.write()), Severity.INFO, open,
        "The thread was running when the process ended");
  }

  @Test
  void timesMustNotDecrease() throws Exception {
    assertFinds(checkThread(thread -> thread.event(0, Kind.SAMPLE, 0).event(1000, Kind.SAMPLE, 0)
        .event(990, Kind.SAMPLE, 0)), Severity.ERROR, "byte 80", "10 ticks before the previous "
            + "event");
  }

  @Test
  void cpuTimeMustNotRunBackward() throws Exception {
    TraceChecker.Result result = checkThread(thread -> thread.event(0, Kind.CPU, 0, 5_000_000, 0)
        .event(10, Kind.CPU, 0, 4_990_000, 0).event(20, Kind.CPU, 0, 4_000_000, 0));
    assertFinds(result, Severity.WARNING, "CPU time is 4000000 ns, but was 4990000 ns before");
    assertEquals(1, result.findings().size());
  }

  @Test
  void payloadMustBeThere() throws Exception {
    assertFinds(checkThread(thread -> thread.event(5, Kind.SEND, 1, 0).event(6, Kind.SAMPLE, 0)),
        Severity.ERROR, "block 0, byte 64", "Send has 1 payload slots, expected 2");
  }

  @Test
  void operandsMustBeDefined() throws Exception {
    assertFinds(checkThread(thread -> thread.event(5, Kind.SAMPLE, 77)), Severity.ERROR,
        "Sample names call path 77, which is not defined");
    assertFinds(checkThread(thread -> thread.event(5, Kind.SEND, 9, 0, 0)), Severity.ERROR,
        "communicator 9");
    assertFinds(checkThread(thread -> thread.event(5, Kind.RELEASE, 3, 1)), Severity.ERROR,
        "sync object 3");
    assertFinds(checkThread(thread -> thread.event(5, Kind.THREAD_JOIN, 0, 44)), Severity.ERROR,
        "ThreadJoin names thread 44");
    assertFinds(checkThread(thread -> thread.event(5, Kind.RELEASE,
        thread.process().syncObject(2, 16), 1)), Severity.ERROR, "of kind CONDITION, expected a lock");
    assertFinds(checkThread(thread -> thread.event(5, Kind.ENTER,
        thread.process().path("main/work"))), Severity.ERROR, "whose leaf is no region or instrumented function");
    assertFinds(checkThread(thread -> thread.event(5, Kind.SEND, 1, 5L << 32, 8)), Severity.ERROR,
        "peer 5 in a communicator of 1");
    assertFinds(checkThread(thread -> thread.event(5, Kind.COLLECTIVE, 1, 2L << 31 | 4, 8, 8, 0)),
        Severity.ERROR, "root 4 in a communicator of 1");
  }

  @Test
  void entersAndLeavesMustBalance() throws Exception {
    assertFinds(checkThread(thread -> thread.event(5, Kind.LEAVE,
        thread.process().path("main/MPI_Send"))), Severity.ERROR, "Leave of call path 2",
        "not open");
    TraceChecker.Result jumped = checkThread(thread -> {
      int outer = thread.process().path("main/pthread_once");
      thread.enter(1, outer).enter(2, "main/pthread_mutex_lock").leaveTo(5, outer);
    });
    assertEquals(List.of(), jumped.findings());
    assertFinds(checkThread(thread -> thread.enter(5, "main/MPI_Recv")), Severity.INFO,
        "1 routines were still open");
  }

  @Test
  void noSampleLiesWithinWhatIsMeasured() throws Exception {
    assertFinds(checkThread(thread -> thread.enter(5, "main/MPI_Recv").sample(7, "main").leave(9)),
        Severity.ERROR, "a Sample lies within call path");
  }

  @Test
  void afterLossesLeavesNeedNoEnter() throws Exception {
    TraceChecker.Result result = checkThread(thread -> thread.sample(1, "main").lostEvents(9)
        .event(5, Kind.LEAVE, thread.process().path("main/MPI_Send")));
    assertEquals(0, result.count(Severity.ERROR));
    assertFinds(result, Severity.WARNING, "9 events were lost");
  }

  @Test
  void unknownKindsAndTypesAreOfALaterVersion() throws Exception {
    TraceChecker.Result result = checkThread(thread -> {
      thread.process().record(999).u64(5).end();
      thread.event(5, 60, 0, 1, 2, 3).event(6, 60, 0);
    });
    assertEquals(0, result.count(Severity.ERROR));
    assertEquals(2, result.count(Severity.WARNING));
    assertFinds(result, Severity.WARNING, "type 999");
    assertFinds(result, Severity.WARNING, "kind 60");
  }

  @Test
  void definitionsMustBeWhole() throws Exception {
    assertFinds(check(builder -> {
      TracedProcess process = builder.process("node1", "/opt/defs");
      process.record(7).u32(3).u16(0).u16(0).string("third").end();
    }), Severity.WARNING, "of regions up to 3, 2 are not defined, the first one is 1");
    assertEquals(List.of(), check(builder -> {
      TracedProcess child = builder.process("node1", "/opt/defs");
      child.record(17).u32(3).u32(0).string("/opened/before/the/fork").end();
    }).findings());
    assertFinds(check(builder -> {
      TracedProcess process = builder.process("node1", "/opt/defs");
      process.region("one");
      process.record(7).u32(1).u16(0).u16(0).string("again").end();
    }), Severity.ERROR, "region 1 has two different definitions");
    assertEquals(List.of(), check(builder -> {
      TracedProcess process = builder.process("node1", "/opt/defs");
      process.region("one");
      process.region("two");
      process.record(7).u32(1).u16(0).u16(0).string("one").end();
    }).findings());
    assertFinds(check(builder -> {
      TracedProcess process = builder.process("node1", "/opt/defs");
      process.record(8).u32(1).u32(1).u16(0).u16(0).u32(0).u64(1).end();
    }), Severity.ERROR, "call path 1 has parent 1, expected a lower number");
    assertFinds(check(builder -> {
      TracedProcess process = builder.process("node1", "/opt/defs");
      process.record(8).u32(1).u32(0).u16(0).u16(0).u32(0).u64(8).end();
    }), Severity.ERROR, "call path 1 ends in region 8, which is not defined");
    assertFinds(check(builder -> builder.process("node1", "/opt/defs").record(7).u32(1).end()),
        Severity.ERROR, "a record of type 7 is too short for its content");
  }

  @Test
  void messagesMustMatch() throws Exception {
    TraceChecker.Result result = check(builder -> {
      builder.mpiJob("node1", "/opt/mpi", 2);
      builder.process(0).thread(0).send(1, 2, "main/MPI_Send", 1, 1, 5, 8)
          .send(3, 4, "main/MPI_Send", 1, 1, 5, 8);
      builder.process(1).thread(0).receive(1, 3, "main/MPI_Recv", 1, 0, 5, 8);
    });
    assertFinds(result, Severity.WARNING,
        "from rank 0 to rank 1 with tag 5", "2 messages were sent and 1 received");
    assertEquals(1, result.findings().size());
    TraceChecker.Result killed = check(builder -> {
      builder.seenEnd("node1", 1001, 9, 5).mpiJob("node1", "/opt/mpi", 2);
      builder.process(0).thread(0).send(1, 2, "main/MPI_Send", 1, 1, 5, 8);
      builder.process(1).killed().thread(0).sample(2, "main");
    });
    assertEquals(1, killed.count(Severity.WARNING), "only that it was killed");
    assertFinds(killed, Severity.INFO, "1 messages were sent and 0 received");
  }

  @Test
  void requestsAreCompletedOnce() throws Exception {
    assertFinds(checkThread(thread -> thread.waitSend(1, 2, "main/MPI_Wait", 7)), Severity.ERROR,
        "1 requests were completed, but only 0 posted");
    assertFinds(checkThread(thread -> thread.irecv(1, 2, "main/MPI_Irecv", 1, 0, 0, 7)),
        Severity.INFO, "1 of 1 requests were never completed");
  }

  @Test
  void collectivesMustAgree() throws Exception {
    assertFinds(check(builder -> {
      builder.mpiJob("node1", "/opt/mpi", 2);
      builder.process(0).thread(0).collective(1, 2, "main/MPI_Bcast", 1, Collective.BCAST, 0, 8, 0);
      builder.process(1).thread(0).collective(1, 2, "main/MPI_Barrier", 1, Collective.BARRIER,
          Kind.NO_ROOT, 0, 0);
    }), Severity.WARNING, "rank 0 and rank 1 did not call the same collectives");
    // Rank 0 has a session when it calls MPI_Init.
    assertEquals(List.of(), check(builder -> {
      builder.mpiJob("node1", "/opt/mpi", 2);
      for (int rank = 0; rank < 2; rank++) {
        builder.process(rank).thread(0).collective(1, 2, "main/MPI_Init", 1,
            rank == 0 ? Collective.SESSION_INIT : Collective.INIT, Kind.NO_ROOT, 0, 0);
      }
    }).findings());
    assertFinds(checkThread(thread -> thread.event(5, Kind.COLLECTIVE, 1,
        1L << 31 | Kind.NO_ROOT, 0, 0, 3)), Severity.WARNING, "but the highest sequence number is "
            + "3");
  }

  @Test
  void providersMustBeOfTheGroup() throws Exception {
    for (long[] wrong : new long[][] {{1, 1L << 31 | 2}, {1, 2L << 31}, {2, 0b1000}, {2, 0, 1}, {4}}) {
      assertFinds(check(builder -> withProviders(builder, wrong)), Severity.ERROR,
          "Collective receives data of ranks that a group of 2 does not have");
    }
    for (long[] right : new long[][] {{1, 1L << 31 | 1}, {1}, {2, 0b11}, {3}}) {
      assertEquals(List.of(), check(builder -> withProviders(builder, right)).findings());
    }
  }

  private static void withProviders(TraceBuilder builder, long[] providers) {
    builder.mpiJob("node1", "/opt/mpi", 2);
    for (int rank = 0; rank < 2; rank++) {
      builder.process(rank).thread(0).collective(1, 2, "main/MPI_Alltoallv", 1, Collective.ALLTOALLV, Kind.NO_ROOT,
          8, 8, providers);
    }
  }

  @Test
  void windowsMustBeWellFormed() throws Exception {
    assertFinds(checkThread(thread -> thread.event(5, Kind.WINDOW, 1, 8L << 31)), Severity.ERROR,
        "Window names communicator 1, which is no window");
    assertFinds(checkThread(thread -> window(thread, 8L << 31 | 3)), Severity.ERROR,
        "Window has rank 3 in a window of 1");
    assertFinds(checkThread(thread -> window(thread, 1L << 31)), Severity.ERROR,
        "Window has op put without bytes");
    assertFinds(checkThread(thread -> window(thread, 99L << 31)), Severity.WARNING,
        "Window has op 99, which this version does not know");
    assertEquals(List.of(), checkThread(thread -> window(thread, 15L << 31 | Kind.NO_ROOT)).findings());
  }

  /** A thread of a process with a window of its own. */
  private static void window(TracedThread thread, long opAndRank) {
    thread.process().communicator(2, 1, 0xabc, 0, 8, new int[][] {{0, 1, 1}}, new int[0][], "");
    thread.event(5, Kind.WINDOW, 2, opAndRank);
  }

  @Test
  void killedProcessesAreNoError() throws Exception {
    TraceChecker.Result result = check(builder -> builder.process("node1", "/opt/killed").killed()
        .thread(0).enter(1, "main/MPI_Recv"));
    assertTrue(result.isSound());
    assertFinds(result, Severity.INFO, "no ProcessEnd", "ended without notice to the agent");
    result = check(builder -> builder.seenEnd("node1", 1000, 9, 50).process("node1", "/opt/killed")
        .killed().thread(0).enter(1, "main/MPI_Recv"));
    assertFinds(result, Severity.WARNING, "no ProcessEnd", "killed by SIGKILL");
    result = check(builder -> builder.seenEnd("node1", 1000, 0, 50).process("node1", "/opt/raw")
        .killed().thread(0).enter(1, "main/MPI_Recv"));
    assertFinds(result, Severity.INFO, "no ProcessEnd", "exited with status 0");
    assertEquals(0, result.count(Severity.WARNING));
  }

  @Test
  void aProcessKilledAtItsBeginningIsNoDamage() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    builder.process("node1", "/opt/whole").thread(0).sample(5, "main");
    Path trace = builder.write();
    byte[] header = Files.readAllBytes(trace.resolve("node1.1000.0.def"));
    Files.write(trace.resolve("node1.1001.0.def"), Arrays.copyOf(Arrays.copyOf(header, 16), 65536));
    Files.write(trace.resolve("node1.1002.0.def"), new byte[65536]);
    Files.write(trace.resolve("node1.1003.0.def"), new byte[0]);
    TraceChecker.Result result = TraceChecker.check(trace);
    assertTrue(result.isSound(), () -> result.findings().toString());
    assertFinds(result, Severity.INFO, "there is no record", "before it wrote its first record");
    try (Trace opened = Trace.open(trace)) {
      assertEquals(1, opened.processes().size());
      assertEquals(1, opened.warnings().size(), () -> opened.warnings().toString());
      assertTrue(opened.warnings().get(0).contains("node1.1003.0 (host.pid.number) left no record"));
    }
    Files.write(trace.resolve("node1.1001.0.0.evt"), new byte[0]);
    assertFinds(TraceChecker.check(trace), Severity.ERROR, "there is no Process record");
  }

  @Test
  void aThreadThatDidNotBeginIsNoError() throws Exception {
    TraceChecker.Result result = checkThread(thread -> thread.event(5, Kind.THREAD_CREATE, 0, 44));
    assertTrue(result.isSound());
    assertFinds(result, Severity.INFO, "ThreadCreate names thread 44", "ended before");
  }

  @Test
  void blocksMustFollowEachOther() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory).blockSlots(2);
    TracedThread thread = builder.process("node1", "/opt/blocks").thread(0);
    for (int i = 0; i < 6; i++) {
      thread.sample(i, "main");
    }
    builder.write();
    byte[] bytes = Files.readAllBytes(thread.file());
    byte[] first = Arrays.copyOfRange(bytes, 0, 65536);
    System.arraycopy(first, 0, bytes, 65536, 65536);
    Files.write(thread.file(), bytes);
    assertFinds(TraceChecker.check(directory), Severity.ERROR, "block 1", "block number is 0");
  }

  @Test
  void whatProgramsAddMustBeDefined() throws Exception {
    assertFinds(checkThread(thread -> thread.event(5, Kind.STREAM_SEND, 1, 0, 8)), Severity.ERROR,
        "StreamSend names stream 1, which is not defined");
    assertFinds(checkThread(thread -> thread.event(5, Kind.FILE, 2, 1, 0)), Severity.ERROR,
        "File names file 2");
    assertFinds(checkThread(thread -> thread.event(5, Kind.VALUE, 3, 1, 0)), Severity.ERROR,
        "Value names metric 3");
    assertFinds(checkThread(thread -> thread.event(5, Kind.MARK, 4)), Severity.ERROR,
        "Mark names region 4");
    assertFinds(checkThread(thread -> thread.event(5, Kind.VISITS, 77, 1)), Severity.ERROR,
        "Visits names call path 77");
    assertFinds(checkThread(thread -> thread.event(5, Kind.VISITS,
        thread.process().path("main/work"), 0)), Severity.ERROR, "Visits has a count of 0");
    assertFinds(checkThread(thread -> thread.event(5, Kind.THROTTLED,
        thread.process().path("main/work"), 9)), Severity.ERROR, "not an instrumented function");
    assertFinds(checkThread(thread -> thread.event(5, Kind.FILE,
        thread.process().file("/data"), 9, 0)), Severity.WARNING, "File has op 9");
    assertFinds(checkThread(thread -> thread.event(5, Kind.PROCESS_CREATE, 0, 9, 7)),
        Severity.WARNING, "created by method 7");
    assertFinds(checkThread(thread -> thread.event(5, Kind.PHASE_BEGIN,
        thread.process().region("MPI_Send"))), Severity.ERROR, "of group MPI, expected PHASE");
  }

  @Test
  void phasesMustNest() throws Exception {
    TraceChecker.Result sound = checkThread(thread -> {
      int outer = thread.process().phase("outer");
      int inner = thread.process().phase("inner");
      thread.event(1, Kind.PHASE_BEGIN, outer).event(2, Kind.PHASE_BEGIN, inner)
          .event(3, Kind.PHASE_END, inner).event(4, Kind.PHASE_END, outer);
    });
    assertEquals(List.of(), sound.findings());
    assertFinds(checkThread(thread -> thread.event(1, Kind.PHASE_END,
        thread.process().phase("never"))), Severity.WARNING, "not open in this thread");
    assertFinds(checkThread(thread -> {
      int outer = thread.process().phase("outer");
      thread.event(1, Kind.PHASE_BEGIN, outer)
          .event(2, Kind.PHASE_BEGIN, thread.process().phase("inner"))
          .event(3, Kind.PHASE_END, outer);
    }), Severity.WARNING, "within 1 phases that have not ended");
    assertFinds(checkThread(thread -> thread.event(1, Kind.PHASE_BEGIN,
        thread.process().phase("open"))), Severity.INFO, "1 phases were still open");
  }

  @Test
  void bytesAndCountersMustGrow() throws Exception {
    assertFinds(checkThread(thread -> {
      int stream = thread.process().stream(1, 9, "pipe");
      thread.event(1, Kind.STREAM_SEND, stream, 0, 10).event(2, Kind.STREAM_RECEIVE, stream, 0, 4)
          .event(3, Kind.STREAM_SEND, stream, 9, 1);
    }), Severity.ERROR, "StreamSend of bytes from 9 on stream 1, after bytes up to 10");
    assertFinds(checkThread(thread -> thread.event(1, Kind.THREAD_COUNTERS, 0, 4, 0, 9, 0)
        .event(2, Kind.THREAD_COUNTERS, 0, 4, 0, 8, 0)), Severity.ERROR,
        "minor page faults of the thread are 8, but were 9");
  }

  @Test
  void aProcessIsCreatedBeforeItIsWaitedFor() throws Exception {
    assertFinds(checkThread(thread -> thread.event(1, Kind.PROCESS_WAIT, 0, 7, 0, 0)
        .event(2, Kind.PROCESS_CREATE, 0, 7, 0)), Severity.ERROR,
        "process 7 was waited for 1 ticks before its creation");
    assertFinds(checkThread(thread -> thread.event(1, Kind.PROCESS_WAIT, 0, 7, 0, 0)),
        Severity.INFO, "no event has its creation");
  }

  @Test
  void manyAlikeFindingsAreCounted() throws Exception {
    TraceChecker.Result result = checkThread(thread -> {
      for (int i = 0; i < 50; i++) {
        thread.event(i, Kind.SAMPLE, 77);
      }
    });
    assertEquals(6, result.findings().size());
    assertFinds(result, Severity.ERROR, "45 more findings like the first 5");
  }
}
