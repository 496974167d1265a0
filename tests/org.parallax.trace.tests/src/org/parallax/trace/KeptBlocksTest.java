package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.KeptState.What;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Threads of which only the last events are kept. */
class KeptBlocksTest {
  @TempDir Path directory;

  private static TracedThread thread(TraceBuilder trace) {
    return trace.blockSlots(24).process("n", "/opt/p").thread(0).threadBegin(5, -1);
  }

  private static List<String> events(Trace trace) {
    List<String> events = new ArrayList<>();
    EventCursor cursor = trace.processes().get(0).threads().get(0).cursor();
    while (cursor.next()) {
      events.add(cursor.timeNs() + " " + Kind.name(cursor.kind()) + " " + cursor.operand()
          + (cursor.kind() == Kind.CPU ? " " + cursor.payload(0) + " " + cursor.payload(1) : ""));
    }
    List<String> backwards = new ArrayList<>();
    while (cursor.previous()) {
      backwards.add(0, cursor.timeNs() + " " + Kind.name(cursor.kind()) + " " + cursor.operand()
          + (cursor.kind() == Kind.CPU ? " " + cursor.payload(0) + " " + cursor.payload(1) : ""));
    }
    assertEquals(events, backwards);
    return events;
  }

  /** The time before is a pause up to the begin of the innermost open call, after which what is open begins. */
  @Test
  void theTimeBeforeIsAPause() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("open")).property("keep-last", "30");
    TracedThread thread = thread(builder);
    int outer = thread.process().path("main/MPI_Bcast");
    int inner = thread.process().path("main/MPI_Bcast/MPI_Recv");
    int phase = thread.process().phase("solve");
    thread.enter(100, outer);
    for (int i = 0; i < 100; i++) {
      thread.event(200 + i, Kind.MARK, phase);
    }
    thread.lost(400, 50);
    thread.enter(1000, inner);
    thread.lost(3000, 1500);
    long base = TraceBuilder.BASE_MONOTONIC_NS;
    thread.keptFrom(3500, "[not recorded]")
        .kept(3500, What.CALL, outer, base + 100, 0, base)
        .kept(3500, What.CALL, inner, base + 1000, 350, base + 400)
        .kept(3500, What.PHASE, phase)
        .kept(3500, What.SENDS, 1, 7, 12)
        .leave(4000).leave(4100).threadEnd(4200);
    try (Trace trace = Trace.open(builder.write())) {
      int pause = inner + 1;
      assertTrue(trace.processes().get(0).isPause(pause));
      assertEquals(List.of("5 Enter " + pause, "1000 Cpu 0 950 50", "1000 Leave " + pause, "1000 PhaseBegin " + phase,
          "1000 Enter " + outer, "1000 Enter " + inner, "3500 Cpu 0 1950 1500", "3500 KeptState " + pause,
          "3500 Kept " + outer, "3500 Kept " + inner, "3500 Kept " + phase, "3500 Kept 1", "4000 Leave " + inner,
          "4100 Leave " + outer, "4200 ThreadEnd 0"), events(trace));
      ThreadTrace read = trace.processes().get(0).threads().get(0);
      assertEquals(3500, read.keptFromNs());
      assertEquals(3500, trace.keptFromNs());
      assertEquals(12, read.kept().items().get(3).value(1));
      assertEquals(List.of(), trace.warnings().stream().filter(text -> text.startsWith("damaged")).toList());
      assertTrue(trace.warnings().stream().anyMatch(text -> text.startsWith("only the last 30 s were kept")));
      assertTrue(trace.warnings().stream().noneMatch(text -> text.startsWith("recording was paused")));
      assertEquals(List.of(), trace.pausedProcesses());
    }
    assertEquals(List.of(), TraceChecker.check(directory.resolve("open")).findings().stream()
        .filter(finding -> finding.severity() != Finding.Severity.INFO).toList());
  }

  /** The path of pauses stands for the time before the kept events, too. */
  @Test
  void aPauseBesideIsTold() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("paused")).property("keep-last", "30");
    TracedThread thread = thread(builder);
    thread.process().setting("paused", "yes");
    thread.keptFrom(3500, "[not recorded]").threadEnd(4200);
    try (Trace trace = Trace.open(builder.write())) {
      assertEquals(trace.processes(), trace.pausedProcesses());
      assertTrue(trace.warnings().stream().anyMatch(text -> text.startsWith("recording was paused for some time")));
    }
  }

  /** States between kept events mean nothing. */
  @Test
  void aStateWithoutACutIsIgnored() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("whole"));
    TracedThread thread = thread(builder);
    thread.event(10, Kind.KEPT_STATE, thread.process().path("[not recorded]"))
        .kept(10, What.SENDS, 1, 7, 12).threadEnd(20);
    try (Trace trace = Trace.open(builder.write())) {
      assertNull(trace.processes().get(0).threads().get(0).kept());
      assertEquals(0, trace.keptFromNs());
      assertEquals(4, events(trace).size());
    }
  }

  /** Whatever stands there is read, and checked, to its end. */
  @Test
  void damageIsRead() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("damaged"));
    TracedThread thread = thread(builder);
    for (int i = 0; i < 60; i++) {
      thread.event(200 + i, Kind.MARK, thread.process().phase("mark"));
    }
    thread.keptFrom(3500, "[not recorded]").kept(3500, What.CALL, 1, 5, 6, 7).kept(3500, What.POSTED, 1, 2, 3)
        .threadEnd(4200);
    Path file = thread.file();
    Path written = builder.write();
    byte[] sound = Files.readAllBytes(file);
    int kept = sound[56] << EventFile.BLOCK_SHIFT;
    assertTrue(kept > 0);
    Random random = new Random(5);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = sound.clone();
      for (int change = 0; change < 3; change++) {
        int at = random.nextInt(3) == 0 ? random.nextInt(64) : Math.min(sound.length - 1, kept + random.nextInt(160));
        bytes[at] = (byte) random.nextInt();
      }
      Files.write(file, bytes);
      try (Trace trace = Trace.open(written)) {
        EventCursor cursor = trace.processes().get(0).threads().get(0).cursor();
        while (cursor.next()) {
          cursor.payloadCount();
        }
        assertNotNull(trace.warnings());
      }
      TraceChecker.check(written);
    }
  }
}
