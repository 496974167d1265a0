package org.parallax.model.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

class SessionBuilderTest {
  @TempDir Path directory;

  /** Two jobs, one of two programs on two machines, and two processes outside of MPI. */
  private Path workload() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("workload"))
        .property("command", "sh run-all");
    builder.process("node1", "/opt/ocean").mpi(7, 0, 2).start(100);
    builder.process("node2", "/opt/atmosphere").mpi(7, 1, 2).start(90);
    builder.process("node1", "/opt/ring").mpi(8, 0, 1).start(300);
    builder.process("node1", "/opt/daemon").start(0);
    builder.process("node1", "/opt/daemon").start(10);
    for (int i = 0; i < 5; i++) {
      TracedProcess process = builder.process(i);
      process.thread(0).threadBegin(400 + i, -1).sample(1_000, "main").threadEnd(2_000 + i);
    }
    return builder.write();
  }

  private static List<String> applications(LoadedSession session) {
    return session.getApplications().stream().map(Application::getName).toList();
  }

  @Test
  void eachJobIsAnApplicationAndTheRestAnother() throws Exception {
    try (Trace trace = Trace.open(workload())) {
      LoadedSession session = SessionBuilder.of(trace);
      assertEquals(List.of("ocean, atmosphere", "ring", "daemon"), applications(session));
      Application job = session.getApplications().get(0);
      assertEquals(7, job.getJob());
      assertEquals("sh run-all", job.getCommand());
      assertEquals(trace.directory().toString(), job.getTracePath());
      assertSame(trace, job.getTrace());
      assertEquals(List.of("ocean[0]", "atmosphere[1]"),
          job.getProcesses().stream().map(ProgramProcess::getName).toList());
      assertEquals(90, job.getStartNs());
      assertTrue(job.getEndNs() >= 2_001);
      for (ProgramProcess process : job.getProcesses()) {
        assertEquals(process.getPid(), trace.processes().get(process.getIndex()).pid());
        assertEquals(trace.processes().get(process.getIndex()).mpi().worldRank(),
            process.getWorldRank());
      }
      Application rest = session.getApplications().get(2);
      assertEquals(List.of("daemon (pid 1003)", "daemon (pid 1004)"),
          rest.getProcesses().stream().map(ProgramProcess::getName).toList());
      assertEquals(-1, rest.getProcesses().get(0).getWorldRank());
      assertEquals(List.of("main"),
          rest.getProcedures().stream().map(Procedure::getName).toList());
      ProgramThread thread = rest.getProcesses().get(0).getThreads().get(0);
      assertEquals(403, thread.getBeginNs());
      assertEquals(2_003, thread.getEndNs());
    }
  }

  @Test
  void oneExecutableCanBeSeveralPrograms() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("names"));
    builder.process("node1", "/usr/bin/redis-check-rdb").startedAs("redis-server");
    builder.process("node1", "/usr/bin/redis-check-rdb").startedAs("/usr/bin/redis-sentinel");
    builder.process("node1", "/usr/bin/bash").startedAs("-bash");
    for (int i = 0; i < 3; i++) {
      builder.process(i).thread(0).threadBegin(i, -1).sample(1_000, "main").threadEnd(2_000);
    }
    try (Trace trace = Trace.open(builder.write())) {
      assertEquals(List.of("redis-server", "redis-sentinel", "bash"), applications(SessionBuilder.of(trace)));
    }
  }

  @Test
  void machineHasTheProcessesOfAllApplications() throws Exception {
    try (Trace trace = Trace.open(workload())) {
      LoadedSession session = SessionBuilder.of(trace);
      assertEquals(List.of("node1", "node2"),
          session.getMachines().stream().map(Machine::getHost).toList());
      assertEquals(4, session.getProcesses(session.getMachines().get(0)).size());
      assertEquals(List.of("atmosphere[1]"), session.getProcesses(session.getMachines().get(1)).stream()
          .map(ProgramProcess::getName).toList());
    }
  }

  @Test
  void threadsOfTheRuntimeLibraryAreLeftOutAndNamesAreUnique() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("threads"));
    TracedProcess process = builder.process("node1", "/opt/pool");
    process.thread(0, -1, "main").sample(10, "main");
    process.record(4).u32(1).u32(99).u32(1).u32(1).u64(builder.ticks(0)).string("progress").end();
    process.thread(2, 0, "worker").sample(10, "work");
    process.thread(3, 0, "worker").sample(10, "work");
    builder.write();
    try (Trace trace = Trace.open(directory.resolve("threads"))) {
      ProgramProcess read = SessionBuilder.of(trace).getApplications().get(0).getProcesses().get(0);
      assertEquals(List.of("main", "worker #2", "worker #3"),
          read.getThreads().stream().map(ProgramThread::getName).toList());
      for (ProgramThread thread : read.getThreads()) {
        assertEquals(thread.getId(), trace.processes().get(0).threads().get(thread.getIndex()).id());
      }
    }
  }

  @Test
  void tracesJoinAndLeaveWithoutTouchingTheOthers() throws Exception {
    Path workload = workload();
    Path other = new TraceBuilder(directory.resolve("other"))
        .mpiJob("node2", "/opt/ring", 2).write();
    LoadedSession session = SessionBuilder.open(List.of(workload), Progress.NONE);
    Trace first = session.traces().get(0);
    Application ring = session.getApplications().get(1);
    try (Trace second = Trace.open(other)) {
      LoadedSession before = session;
      session = new SessionBuilder(session).add(second, Progress.NONE).build();
      assertEquals(3, before.getApplications().size());
      assertThrows(UnsupportedOperationException.class, () -> before.getApplications().clear());
      assertThrows(UnsupportedOperationException.class, () -> ring.getProcesses().clear());
      assertThrows(UnsupportedOperationException.class,
          () -> ring.getProcesses().get(0).getThreads().clear());
      assertSame(ring, session.getApplications().get(1));
      assertEquals(List.of("ocean, atmosphere", "ring", "daemon", "ring@other"),
          applications(session));
      assertEquals(3, session.getProcesses(session.getMachines().get(1)).size());
      assertEquals(List.of(first, second), session.traces());
      session = session.without(first);
      assertEquals(List.of("ring@other"), applications(session));
      assertEquals(List.of("node2"),
          session.getMachines().stream().map(Machine::getHost).toList());
      assertEquals("ring", ring.getName());
      assertEquals(1, ring.getProcesses().size());
      session = session.without(second);
      assertTrue(session.getMachines().isEmpty());
    }
    first.close();
  }

  @Test
  void whatIsNoTraceFailsAndCancellingStops() throws Exception {
    Path workload = workload();
    Path empty = Files.createDirectory(directory.resolve("empty"));
    TraceException failure = assertThrows(TraceException.class,
        () -> SessionBuilder.open(List.of(workload, empty), Progress.NONE));
    assertTrue(failure.getMessage().contains(empty.toString()), failure.getMessage());
    Progress cancelled = new Progress() {
      @Override
      public boolean isCancelled() {
        return true;
      }
    };
    assertThrows(CancellationException.class,
        () -> SessionBuilder.open(List.of(workload), cancelled));
  }
}
