package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/**
 * Critical paths of processes, pipes, PVM, semaphores and teams, drawn as in {@link
 * CriticalPathPicturesTest}. The path is that of the whole run.
 */
class ProcessPicturesTest {
  private static final int READ_WRITE_LOCK = 4;
  private static final int SEMAPHORE = 6;
  private static final int SIGNAL = 9;
  private static final int TASKS = 8;
  private static final int TASK_ENDS = 14;
  private static final int BARRIER = 3;

  @TempDir Path directory;

  private TraceBuilder trace;

  @BeforeEach
  void begin() {
    trace = new TraceBuilder(directory);
  }

  private TracedProcess process(String name, String... routines) {
    TracedProcess process = trace.process("n", "/opt/" + name);
    for (String routine : routines) {
      process.region(routine);
    }
    return process;
  }

  private static List<String> notOfWeight(Table table) {
    return table.warnings().stream().filter(warning -> !warning.startsWith("the path weighs CPU time")).toList();
  }

  /** @return the rows of the profile as {@code name time}, and the length of the path */
  private List<String> path() throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      LoadedSession session = SessionBuilder.of(opened);
      Table table = CriticalPathReport.of(ApplicationAnalysis.global(session.getApplications()),
          Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
      assertEquals(List.of(), notOfWeight(table));
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
  void aChildIsCreatedAndWaitedFor() throws TraceException {
    // p:  aaaaF=   W..........==bb
    // c:      \===ccccccccccc/
    TracedProcess parent = process("p", "fork", "waitpid");
    TracedProcess child = trace.child(parent, "/opt/p").start(70);
    child.thread(0).threadBegin(70, -1).enter(70, "c").leave(180).threadEnd(180);
    parent.thread(0).threadBegin(0, -1).enter(0, "a").leave(40)
        .createProcess(40, 60, "fork", child.pid(), 0)
        .waitProcess(80, 200, "waitpid", child.pid(), 0).enter(200, "b").leave(220);
    assertEquals(List.of("c 110", "a 40", "Spawn: n:p (pid 1000)->n:p (pid 1001) 30",
        "Wait: n:p (pid 1001)->n:p (pid 1000) 20", "b 20", "= 220"), path());
  }

  @Test
  void aProgramReplacesAnother() throws TraceException {
    // p:    aaaF=      W.............=
    // c:        \=bb|                /
    // exec:         ===cccccccccccc|
    TracedProcess parent = process("p", "posix_spawn", "waitpid");
    TracedProcess child = trace.child(parent, "/opt/p").start(40);
    child.exec(60).thread(0).threadBegin(40, -1).enter(40, "b").leave(60).threadEnd(60);
    TracedProcess program = trace.execOf(child, "/opt/q").start(90);
    program.thread(0).threadBegin(90, -1).enter(90, "c").leave(200).threadEnd(200);
    parent.thread(0).threadBegin(0, -1).enter(0, "a").leave(30)
        .createProcess(30, 45, "posix_spawn", child.pid(), 2)
        .waitProcess(50, 205, "waitpid", child.pid(), 2);
    assertEquals(List.of("c 110", "Exec: n:p (pid 1001)->n:q 30", "a 30", "b 20",
        "Spawn: n:p (pid 1000)->n:p (pid 1001) 10", "Wait: n:q->n:p (pid 1000) 5",
        "= 205"), path());
  }

  @Test
  void aClientWaitsForItsServer() throws TraceException {
    // client: aaaS>R..............==bb
    // server:   R..\=cccccccccccS/
    TracedProcess client = process("client", "send", "recv");
    TracedProcess server = process("server", "send", "recv");
    int request = client.stream(3, 501, "to");
    int reply = client.stream(3, 502, "from");
    assertEquals(request, server.stream(3, 501, "to"));
    assertEquals(reply, server.stream(3, 502, "from"));
    client.thread(0).enter(0, "a").leave(30).write(30, 35, "send", request, 0, 64)
        .read(40, 200, "recv", reply, 0, 9).enter(200, "b").leave(220);
    server.thread(0).read(10, 50, "recv", request, 0, 64).enter(50, "c").leave(180)
        .write(180, 190, "send", reply, 0, 9);
    assertEquals(List.of("c 130", "a 30", "Stream: n:client->n:server 20",
        "Stream: n:server->n:client 20", "b 20", "= 220"), path());
  }

  /** The server forks, so that two processes have the connection; who sends is not in the trace. */
  @Test
  void whatAnUnknownClientSendsKeepsNobodyFromAnother() throws TraceException {
    // main:   R.....=aaaaaS     R=dS
    // worker: W..............=bb  W.=cc
    TracedProcess server = process("server", "recv", "pthread_cond_wait", "fork");
    TracedProcess child = trace.child(server, "/opt/server").start(2);
    int connection = server.stream(3, 501, "from");
    child.stream(3, 501, "from");
    child.thread(0).threadBegin(2, -1).enter(2, "e").leave(3).threadEnd(3);
    int condition = server.syncObject(2, 0x20);
    server.thread(0).createProcess(0, 4, "fork", child.pid(), 0)
        .read(10, 40, "recv", connection, 0, 8).enter(40, "a").leave(100)
        .signal(100, condition, 1).read(140, 145, "recv", connection, 8, 8)
        .enter(145, "d").leave(150).signal(150, condition, 2);
    server.thread(1, 0, "worker").threadBegin(5, -1)
        .awaitSignal(6, 110, "pthread_cond_wait", condition, 1).enter(110, "b").leave(130)
        .awaitSignal(131, 155, "pthread_cond_wait", condition, 2).enter(155, "c").leave(170);
    assertEquals(List.of("a 60", "(not sampled) 46", "recv 35", "c 15",
        "Cond: n:server (pid 1000):main->n:server (pid 1000):worker 5", "d 5", "fork 4", "= 170"),
        path());
  }

  @Test
  void aReaderTakesWhatSeveralWritesGave() throws TraceException {
    // 0:  aaS>bbbbS>        [0, 10), then [10, 20)
    // 1:  R........==c      bytes [5, 15) wait for the second write
    TracedProcess writer = process("w", "write");
    TracedProcess reader = process("r", "read");
    int out = writer.stream(1, 7, "pipe");
    int in = reader.stream(1, 7, "pipe");
    writer.thread(0).enter(0, "a").leave(20).write(20, 30, "write", out, 0, 10)
        .enter(30, "b").leave(70).write(70, 75, "write", out, 10, 10);
    reader.thread(0).read(0, 22, "read", in, 0, 5).read(22, 90, "read", in, 5, 10)
        .enter(90, "c").leave(100);
    assertEquals(List.of("b 40", "Stream: n:w->n:r 20", "a 20", "c 10", "write 10", "= 100"),
        path());
  }

  @Test
  void bytesThatWentPastMakeAStreamMatchNothing() throws TraceException {
    // 0:  aaS>
    // 1:  R........==c      not from 0: somebody else had a part in the pipe
    TracedProcess writer = process("w", "write");
    TracedProcess reader = process("r", "read");
    int out = writer.stream(1, 7, "pipe");
    int in = reader.stream(1, 7, "pipe");
    writer.distrust(out, 1, 7);
    writer.thread(0).enter(0, "a").leave(20).write(20, 30, "write", out, 0, 10);
    reader.thread(0).read(0, 90, "read", in, 0, 10).enter(90, "c").leave(100);
    assertEquals(List.of("read 90", "c 10", "= 100"), path());
  }

  @Test
  void aWriterWaitsForRoom() throws TraceException {
    // Columns of 1 us. The pipe is full until the reader takes something.
    // 0:  aS>S..........=bbb
    // 1:  cccccccccccccR=
    TracedProcess writer = process("w", "write");
    TracedProcess reader = process("r", "read");
    int out = writer.stream(1, 7, "pipe");
    int in = reader.stream(1, 7, "pipe");
    writer.thread(0).enter(0, "a").leave(10_000).write(10_000, 20_000, "write", out, 0, 65_536)
        .write(30_000, 140_000, "write", out, 65_536, 4_096).enter(140_000, "b").leave(170_000);
    reader.thread(0).enter(0, "c").leave(130_000).read(130_000, 145_000, "read", in, 0, 65_536);
    assertEquals(List.of("c 130000", "b 30000", "Room: n:r->n:w 10000", "= 170000"), path());
  }

  @Test
  void aShortWriteIntoAnEmptyPipeDoesNotWaitForItsReader() throws TraceException {
    // Columns of 1 us. The writer loses its processor in the second write, which is read meanwhile.
    // 0:  aaS>S..........=bbb
    // 1:  R...=cccccccR=
    TracedProcess writer = process("w", "write");
    TracedProcess reader = process("r", "read");
    int out = writer.stream(1, 7, "pipe");
    int in = reader.stream(1, 7, "pipe");
    writer.thread(0).enter(0, "a").leave(20_000).write(20_000, 30_000, "write", out, 0, 100)
        .write(40_000, 150_000, "write", out, 100, 4_096).enter(150_000, "b").leave(180_000);
    reader.thread(0).read(0, 40_000, "read", in, 0, 100).enter(40_000, "c").leave(120_000)
        .read(120_000, 130_000, "read", in, 100, 4_096);
    assertEquals(List.of("write 120000", "b 30000", "a 20000",
        "(not sampled) 10000", "= 180000"), path());
  }

  /** What a server does that serves whoever is ready, and its client. */
  @Test
  void pollWaitsForWhatIsReadNext() throws TraceException {
    // 0:  aaS>   P......=R=b            the reply
    // 1:  P...==R=ccccS>
    TracedProcess client = process("client", "send", "recv", "poll");
    TracedProcess server = process("server", "send", "recv", "epoll_wait");
    int request = client.stream(3, 501, "to");
    int reply = client.stream(3, 502, "from");
    int asked = server.stream(3, 501, "to");
    int answer = server.stream(3, 502, "from");
    client.thread(0).enter(0, "a").leave(20).write(20, 25, "send", request, 0, 8)
        .enter(60, "poll").leave(150).read(160, 165, "recv", reply, 0, 8)
        .enter(165, "b").leave(180);
    server.thread(0).enter(0, "epoll_wait").leave(40).read(45, 50, "recv", asked, 0, 8)
        .enter(50, "c").leave(130).write(130, 135, "send", answer, 0, 8);
    assertEquals(List.of("c 80", "Stream: n:client->n:server 20", "Stream: n:server->n:client 20",
        "a 20", "(not sampled) 15", "b 15", "recv 10", "= 180"), path());
  }

  @Test
  void pollDoesNotWaitForWhatCameBeforeItOrAfterIt() throws TraceException {
    // 0:  S>        S>
    // 1:    P..=bR=ccccR=       a timeout, with the first bytes there, and others after it
    TracedProcess writer = process("w", "write");
    TracedProcess reader = process("r", "read", "poll");
    int out = writer.stream(1, 7, "pipe");
    int in = reader.stream(1, 7, "pipe");
    writer.thread(0).write(0, 5, "write", out, 0, 8).enter(5, "d").leave(100)
        .write(100, 105, "write", out, 8, 8);
    reader.thread(0).enter(20, "poll").leave(60).enter(60, "b").leave(70)
        .read(70, 75, "read", in, 0, 8).enter(80, "poll").leave(90)
        .read(110, 120, "read", in, 8, 8).enter(120, "c").leave(220);
    assertEquals(List.of("c 100", "d 95", "Stream: n:w->n:r 10", "write 5", "= 210"), path());
  }

  /** A server that waits for clients, and is told by a handler that a process has ended. */
  @Test
  void pollIsCutShortByTheEndOfAProcess() throws TraceException {
    // 0:  F=P......=W bb
    // 1:   \cccccc
    TracedProcess parent = process("p", "fork", "poll");
    TracedProcess child = trace.child(parent, "/opt/p").start(5);
    parent.thread(0).createProcess(0, 10, "fork", child.pid(), 0).enter(10, "poll").leave(90)
        .event(95, Kind.PROCESS_WAIT, 0, child.pid(), 0, 0).enter(95, "b").leave(130);
    child.thread(0).threadBegin(5, -1).enter(5, "c").leave(70).threadEnd(70);
    assertEquals(List.of("c 65", "b 35", "Wait: n:p (pid 1001)->n:p (pid 1000) 20",
        "(not sampled) 5", "Spawn: n:p (pid 1000)->n:p (pid 1001) 5", "= 130"), path());
  }

  @Test
  void aSignalIsTakenFromADescriptor() throws TraceException {
    // 0:  aaaaaaaK
    // 1:  bP......=R=cc
    TracedProcess first = process("p", "kill");
    TracedProcess second = process("q", "read", "epoll_wait");
    int sent = first.syncObject(SIGNAL, 0x4d217, 99);
    int taken = second.syncObject(SIGNAL, 0x4d217, 99);
    first.thread(0).enter(0, "a").leave(70).enter(70, "kill").signal(70, sent, 1).leave(75);
    second.thread(0).enter(0, "b").leave(10).enter(10, "epoll_wait").leave(80)
        .awaitSignal(80, 85, "read", taken, 1).enter(85, "c").leave(100);
    assertEquals(List.of("a 70", "c 15", "Signal: n:p->n:q 10", "read 5", "= 100"), path());
  }

  @Test
  void aSemaphoreIsSharedByProcesses() throws TraceException {
    // 0:  aaaaaaaP
    // 1:  bW......=cc
    TracedProcess first = process("p", "sem_wait");
    TracedProcess second = process("q", "sem_wait");
    int posted = first.syncObject(SEMAPHORE, 16, 99);
    second.syncObject(SEMAPHORE, 8, 3);
    int awaited = second.syncObject(SEMAPHORE, 16, 99);
    first.thread(0).enter(0, "a").leave(70).signal(70, posted, 1);
    second.thread(0).enter(0, "b").leave(10).awaitSignal(10, 80, "sem_wait", awaited, 1)
        .enter(80, "c").leave(100);
    assertEquals(List.of("a 70", "c 20", "Sem: n:p->n:q 10", "= 100"), path());
  }

  @Test
  void readersWaitForTheWriterAndTheWriterForTheLastReader() throws TraceException {
    // 0:  wwwwwwU        L........=vv     writes, then wants to write again
    // 1:   L...=rrrrrrrrrrrrrrU
    // 2:    L..=sssssU
    TracedProcess process = process("p");
    int lock = process.syncObject(READ_WRITE_LOCK, 16);
    String read = "pthread_rwlock_rdlock";
    process.thread(0).event(0, Kind.ACQUIRE, lock, 1 << 1, 0).enter(0, "w").leave(60)
        .release(60, lock, 1).enter(140, "pthread_rwlock_wrlock")
        .event(230, Kind.ACQUIRE, lock, 4 << 1 | 1, 0).leave(230).enter(230, "v").leave(250);
    process.thread(1).enter(10, read).event(70, Kind.ACQUIRE, lock, 2 << 1 | 1, 1).leave(70)
        .enter(70, "r").leave(220).release(220, lock, 3);
    process.thread(2).enter(20, read).event(70, Kind.ACQUIRE, lock, 2 << 1 | 1, 1).leave(70)
        .enter(70, "s").leave(120).release(120, lock, 2);
    assertEquals(List.of("r 150", "w 60", "v 20", "Lock: n:p:main->n:p:thread 1 10",
        "Lock: n:p:thread 1->n:p:main 10", "= 250"), path());
  }

  @Test
  void aTeamMeets() throws TraceException {
    // 0:  aaP bb    B......=dd
    // 1:  ..\==ccccccccccccB    idle until there is a region
    TracedProcess process = process("p", "GOMP_parallel");
    int team = process.syncObject(TASKS, 0);
    int barrier = process.syncObject(BARRIER, 0);
    process.thread(1, 0, "worker").threadBegin(0, -1).event(30, Kind.WAKE, team, 1)
        .enter(30, "c").leave(150).barrier(150, 155, "GOMP_parallel", barrier, 0, 2);
    process.thread(0).enter(0, "a").leave(20).signal(20, team, 1).enter(20, "b").leave(40)
        .barrier(40, 160, "GOMP_parallel", barrier, 0, 2).enter(160, "d").leave(180);
    assertEquals(List.of("c 120", "a 20", "d 20", "Barrier: n:p:worker->n:p:main 10",
        "Task: n:p:main->n:p:worker 10", "= 180"), path());
  }

  /** The last barriers of regions have generations that are equal in their low 20 bits. */
  @Test
  void theSlowestOfATeamIsWaitedForInEveryRegion() throws TraceException {
    // 0:  aaaaB............=  aaaaB...    the team of each region meets when worker 3 arrives
    // 1:  bbbbbbbbB........=  bbbb
    // 3:  ddddddddddddddddB=  dddd
    TracedProcess process = process("p", "GOMP_parallel");
    int barrier = process.syncObject(BARRIER, 0);
    int members = 4;
    int regions = 6;
    for (int i = members - 1; i >= 0; i--) {
      TracedThread thread = i == 0 ? process.thread(0) : process.thread(i, 0, "worker " + i);
      for (long region = 0; region < regions; region++) {
        long begin = 100 * region;
        thread.enter(begin, "w" + i).leave(begin + 20 * (i + 1)).barrier(begin + 20 * (i + 1),
            begin + 90, "GOMP_parallel", barrier, region + 1 << 20 | (1 << 20) - 1, members);
      }
    }
    assertEquals(List.of("w3 480", "(not sampled) 50", "GOMP_parallel 50",
        "Barrier: n:p:worker 3->n:p:main 10", "= 590"), path());
  }

  /** The path comes from the predecessor that ended last, and from the one before that. */
  @Test
  void aTaskFollowsThoseItDependsOn() throws TraceException {
    // 0:  aaTTT bbbbbE .................=dd     T creates three tasks
    // 1:  ..........W.=ccccccccccccccE ====     c needs b; the last one needs both
    TracedProcess process = process("p", "omp barrier");
    int tasks = process.syncObject(TASKS, 0);
    int ends = process.syncObject(TASK_ENDS, 0);
    process.thread(0).enter(0, "a").leave(20).signal(20, tasks, 1).signal(20, tasks, 2).signal(20, tasks, 3)
        .enter(20, "b").leave(80).enter(80, "omp barrier").signal(80, ends, 1)
        .event(240, Kind.WAKE, tasks, 3).event(240, Kind.WAKE, ends, 1).event(240, Kind.WAKE, ends, 2).leave(240)
        .enter(240, "d").leave(260);
    process.thread(1, 0, "worker").threadBegin(0, -1).enter(10, "omp barrier").event(90, Kind.WAKE, tasks, 2)
        .event(90, Kind.WAKE, ends, 1).leave(90).enter(90, "c").leave(230).enter(230, "omp barrier")
        .signal(230, ends, 2).leave(250);
    assertEquals(List.of("c 140", "b 60", "a 20", "d 20", "TaskEnd: n:p:main->n:p:worker 10",
        "TaskEnd: n:p:worker->n:p:main 10", "= 260"), path());
  }

  @Test
  void tasksOfPvmAreSpawnedAndTalk() throws TraceException {
    // m (t40001):  aaSp=S>    R.........==b
    // s (t40002):     \=R=cccccccccS>/
    TracedProcess master = process("m", "pvm_spawn", "pvm_send", "pvm_recv").pvm(5, 0x40001, 0);
    TracedProcess slave = trace.process("n2", "/opt/s").start(35).pvm(5, 0x40002, 0x40001);
    slave.region("pvm_send");
    slave.region("pvm_recv");
    master.thread(0).threadBegin(0, -1).enter(0, "a").leave(20)
        .createProcess(20, 40, "pvm_spawn", 0x40002, 3)
        .send(40, 50, "pvm_send", 1, 0x40002, 7, 80)
        .receive(60, 180, "pvm_recv", 1, 0x40002, 8, 80).enter(180, "b").leave(190);
    slave.thread(0).threadBegin(35, -1).receive(35, 55, "pvm_recv", 1, 0x40001, 7, 80)
        .enter(55, "c").leave(160).send(160, 170, "pvm_send", 1, 0x40001, 8, 80).threadEnd(170);
    try (Trace opened = Trace.open(trace.write())) {
      LoadedSession session = SessionBuilder.of(opened);
      assertEquals(List.of("m, s"), session.getApplications().stream()
          .map(application -> application.getName()).toList());
      Table table = CriticalPathReport.of(ApplicationAnalysis.global(session.getApplications()),
          Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
      List<String> rows = table.rows().stream()
          .map(row -> row.name() + " " + row.values().get(table.totalColumn())).toList();
      assertEquals(List.of("c 105", "Msg: n2:s->n:m 20", "a 20", "pvm_spawn 20",
          "Msg: n:m->n2:s 15", "b 10"), rows);
    }
  }

  @Test
  void processesMeetAtABarrierThatTheyShare() throws TraceException {
    // 0:  aaaaaaaaB=
    // 1:  bB.......=c
    TracedProcess first = process("p");
    TracedProcess second = process("q");
    int one = first.syncObject(BARRIER, 16, 8);
    second.syncObject(BARRIER, 24, 9);
    int two = second.syncObject(BARRIER, 16, 8);
    TracedThread late = first.thread(0).enter(0, "a").leave(80);
    late.barrier(80, 85, "pthread_barrier_wait", one, 0, 2);
    second.thread(0).enter(0, "b").leave(10)
        .barrier(10, 90, "pthread_barrier_wait", two, 0, 2).enter(90, "c").leave(100);
    assertEquals(List.of("a 80", "Barrier: n:p->n:q 10", "c 10", "= 100"), path());
  }

  /** Two threads of one process use what other processes could share. */
  @Test
  void threadsOfOneProcessUseWhatProcessesCanShare() throws TraceException {
    // 0:  aaaaaaaaBW....=ffU
    // 1:  bB.......ccccPL...=ee
    TracedProcess process = process("p", "sem_wait");
    int barrier = process.syncObject(BARRIER, 16, 8);
    int semaphore = process.syncObject(SEMAPHORE, 48, 9);
    int lock = process.syncObject(1, 80, 10);
    process.thread(0).event(0, Kind.ACQUIRE, lock, 1 << 1).enter(0, "a").leave(80)
        .barrier(80, 85, "pthread_barrier_wait", barrier, 0, 2)
        .awaitSignal(85, 140, "sem_wait", semaphore, 1).enter(140, "f").leave(160)
        .release(160, lock, 1);
    process.thread(1, 0, "worker").enter(0, "b").leave(10)
        .barrier(10, 90, "pthread_barrier_wait", barrier, 0, 2).enter(90, "c").leave(130)
        .signal(130, semaphore, 1).acquire(130, 170, "pthread_mutex_lock", lock, 2)
        .enter(170, "e").leave(190);
    assertEquals(List.of("a 80", "c 40", "e 20", "f 20", "Barrier: n:p:main->n:p:worker 10",
        "Lock: n:p:main->n:p:worker 10", "Sem: n:p:worker->n:p:main 10", "= 190"), path());
  }

  /** Those who share the object are not recorded: that is no fault of the trace. */
  @Test
  void partnersThatAreNotRecordedCostNoWarning() throws TraceException {
    TracedProcess process = process("p", "sem_wait");
    int semaphore = process.syncObject(SEMAPHORE, 48, 9);
    int barrier = process.syncObject(BARRIER, 16, 8);
    int lock = process.syncObject(1, 80, 10);
    process.thread(0).enter(0, "a").leave(10).awaitSignal(10, 30, "sem_wait", semaphore, 1)
        .barrier(30, 50, "pthread_barrier_wait", barrier, 0, 2)
        .acquire(50, 70, "pthread_mutex_lock", lock, 4).enter(70, "b").leave(90);
    try (Trace opened = Trace.open(trace.write())) {
      Table table = CriticalPathReport.of(
          ApplicationAnalysis.global(SessionBuilder.of(opened).getApplications()),
          Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
      assertEquals(List.of(), table.warnings());
    }
  }

  /** A wait for a partner that is not recorded does not let others run further ahead than boards reach. */
  @Test
  void oneUnrecordedPartnerLetsNobodyRunAhead() throws TraceException {
    TracedProcess process = process("p", "sem_wait");
    int shared = process.syncObject(SEMAPHORE, 48, 9);
    int own = process.syncObject(SEMAPHORE, 96);
    int times = 70_000;
    TracedThread poster = process.thread(0).enter(0, "a").leave(10);
    TracedThread waiter = process.thread(1, 0, "worker").enter(0, "b").leave(10)
        .awaitSignal(10, 15, "sem_wait", shared, 1);
    for (int i = 1; i <= times; i++) {
      poster.signal(100L * i, own, i);
      waiter.awaitSignal(100L * i - 50, 100L * i + 10, "sem_wait", own, i);
    }
    poster.enter(100L * times + 5, "c").leave(100L * times + 6);
    path();
  }

  /** Of several threads that cannot go on, only that whose partner is missing does without it. */
  @Test
  void oneMissingPartnerCostsOneWait() throws TraceException {
    // 0:  aaaL..................=b
    // 1:  ccC......?===dddU
    TracedProcess process = process("p");
    int lock = process.syncObject(1, 0);
    int condition = process.syncObject(2, 8);
    process.thread(1, 0, "worker").event(5, Kind.ACQUIRE, lock, 3).enter(5, "c").leave(20)
        .awaitSignal(20, 120, "pthread_cond_wait", condition, 7).enter(120, "d").leave(150)
        .release(150, lock, 3);
    process.thread(0).enter(0, "a").leave(10)
        .acquire(10, 160, "pthread_mutex_lock", lock, 4).enter(160, "b").leave(170);
    try (Trace opened = Trace.open(trace.write())) {
      Table table = CriticalPathReport.of(
          ApplicationAnalysis.global(SessionBuilder.of(opened).getApplications()),
          Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
      assertEquals(1, notOfWeight(table).size(), table.warnings()::toString);
      assertTrue(notOfWeight(table).get(0).startsWith("1 waits (Cond) have no partner"),
          table.warnings()::toString);
      assertTrue(table.rows().stream().anyMatch(row -> row.name().startsWith("Lock: ")));
    }
  }

  /** Two threads of the server write at once, and their bytes are taken for each other's. */
  @Test
  void writersOfOneStreamAreTakenForEachOther() throws TraceException {
    // client: S>R....==bS>                   the reply of w came first, but has the second offsets
    // v:      .....................R=dS>     serves what the client asks then
    // w:      cccccccS>
    TracedProcess client = process("client", "send", "recv");
    TracedProcess server = process("server", "send", "recv");
    int request = client.stream(3, 501, "to");
    int reply = client.stream(3, 502, "from");
    server.stream(3, 501, "to");
    server.stream(3, 502, "from");
    client.thread(0).read(10, 90, "recv", reply, 0, 8).enter(90, "b").leave(100)
        .write(100, 105, "send", request, 0, 8);
    server.thread(0).enter(0, "c").leave(70).write(70, 75, "send", reply, 8, 8);
    server.thread(1, 0, "v").read(20, 130, "recv", request, 0, 8).enter(130, "d").leave(150)
        .write(150, 155, "send", reply, 0, 8);
    assertEquals(List.of("c 70", "Stream: n:client->n:server 30", "Stream: n:server->n:client 20",
        "d 20", "b 10", "send 5", "= 155"), path());
  }
}
