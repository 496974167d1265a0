package org.parallax.analysis.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Collective;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/**
 * What ended waits that are no messages: each is written {@code kind of thread at time <- kind of thread at
 * time}, or with {@code -} where nothing was waited for.
 */
class PartnersTest {
  @TempDir Path directory;

  private TraceBuilder trace;
  private TracedProcess process;
  private TracedThread main;
  private TracedThread other;

  @BeforeEach
  void twoThreads() {
    trace = new TraceBuilder(directory);
    process = trace.process("n", "/opt/p").mpi(7, 0, 1);
    main = process.thread(0);
    other = process.thread(1, 0, "other");
    main.create(0, 0, "pthread_create", 1);
    other.threadBegin(0, 0);
  }

  private static String text(ThreadTrace thread, EventCursor at) {
    return Kind.name(at.kind()) + " of " + thread.id() + " at " + at.timeNs();
  }

  /** Of all events that can have a partner and are no messages. */
  private List<String> partners() throws TraceException {
    List<String> found = new ArrayList<>();
    try (Trace opened = Trace.open(trace.write())) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
      List<ProcessTrace> processes = analysis.workload().processes();
      for (ProcessTrace each : processes) {
        for (ThreadTrace thread : each.threads()) {
          EventCursor cursor = thread.cursor();
          while (cursor.next()) {
            if (Partners.isPossible(cursor.kind()) && !Partners.isMessage(cursor.kind())) {
              Partners.Found partner =
                  Partners.of(processes, thread, cursor.position(), Progress.NONE);
              EventCursor there = partner == null ? null : partner.thread().cursor();
              if (there != null) {
                there.seek(partner.position());
              }
              found.add(text(thread, cursor) + " <- "
                  + (there == null ? "-" : text(partner.thread(), there)));
            }
          }
        }
      }
    }
    return found;
  }

  @Test
  void aLockComesFromItsRelease() throws TraceException {
    int lock = process.syncObject(1, 0x10);
    main.enter(0, "a").leave(10).acquire(10, 10, "pthread_mutex_lock", lock, 1).enter(10, "c")
        .leave(90).release(90, lock, 1);
    other.enter(0, "b").leave(30).acquire(30, 94, "pthread_mutex_lock", lock, 2)
        .release(95, lock, 2).threadEnd(95);
    assertEquals(List.of("Acquire of 0 at 10 <- -", "Acquire of 1 at 94 <- Release of 0 at 90"),
        partners());
  }

  @Test
  void aConditionComesFromItsSignalAndItsLockFromTheRelease() throws TraceException {
    int condition = process.syncObject(2, 0x20);
    int lock = process.syncObject(1, 0x10);
    other.acquire(5, 5, "pthread_mutex_lock", lock, 1).enter(8, "pthread_cond_wait")
        .release(8, lock, 1);
    main.acquire(10, 10, "pthread_mutex_lock", lock, 2).enter(10, "a").leave(80)
        .signal(80, condition, 1).enter(80, "c").leave(120).release(120, lock, 2);
    other.event(125, Kind.WAKE, condition, 1).event(125, Kind.ACQUIRE, lock, 3 << 1 | 1)
        .leave(125).release(130, lock, 3).threadEnd(130);
    assertEquals(List.of("Acquire of 0 at 10 <- -", "Acquire of 1 at 5 <- -",
        "Wake of 1 at 125 <- Signal of 0 at 80", "Acquire of 1 at 125 <- Release of 0 at 120"),
        partners());
  }

  @Test
  void aBarrierComesFromTheLastAndAJoinFromTheEnd() throws TraceException {
    int barrier = process.syncObject(3, 0x30);
    main.enter(0, "a").leave(100).barrier(100, 110, "pthread_barrier_wait", barrier, 0, 2);
    other.enter(0, "b").leave(40).barrier(40, 110, "pthread_barrier_wait", barrier, 0, 2)
        .enter(110, "c").leave(150).threadEnd(150);
    main.join(115, 152, "pthread_join", 1);
    assertEquals(List.of("Barrier of 0 at 110 <- -", "ThreadJoin of 0 at 152 <- ThreadEnd of 1 at 150",
        "Barrier of 1 at 110 <- Enter of 0 at 100"), partners());
  }

  @Test
  void aCollectiveComesFromTheLastToEnterIt() throws TraceException {
    trace = new TraceBuilder(directory.resolve("ranks"));
    long[] enterNs = {30, 60, 100};
    for (int rank = 0; rank < enterNs.length; rank++) {
      trace.process("n", "/opt/p").mpi(7, rank, enterNs.length);
    }
    for (int rank = 0; rank < enterNs.length; rank++) {
      trace.process(rank).thread(0).enter(0, "work").leave(enterNs[rank]).collective(enterNs[rank],
          110, "MPI_Allreduce", 1, Collective.ALLREDUCE, Kind.NO_ROOT, 8, 8);
    }
    assertEquals(List.of("Collective of 0 at 110 <- Enter of 0 at 100",
        "Collective of 0 at 110 <- Enter of 0 at 100", "Collective of 0 at 110 <- -"), partners());
  }
}
