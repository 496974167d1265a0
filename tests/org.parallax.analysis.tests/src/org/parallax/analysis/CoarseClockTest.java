package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** CPU clocks that are rounded down to ticks, as {@code cpu-tick-ns} of the manifest says. */
class CoarseClockTest {
  @TempDir Path directory;

  private static void setTick(Path trace, long tickNs) throws Exception {
    Files.writeString(trace.resolve("manifest"), "cpu-tick-ns = " + tickNs + "\n",
        StandardOpenOption.APPEND);
  }

  /** A thread of several blocks that loses the processor now and then. */
  private Path manyBlocks(long seed) {
    TraceBuilder trace = new TraceBuilder(directory.resolve("blocks"));
    TracedThread thread = trace.process("n", "/opt/p").thread(0);
    Random random = new Random(seed);
    long now = 100;
    for (int i = 0; i < 15_000; i++) {
      now += random.nextInt(60);
      thread.enter(now, "f");
      int took = 1 + random.nextInt(80);
      now += took;
      if (random.nextInt(6) == 0) {
        thread.lost(now, random.nextInt(took));
      }
      thread.leave(now);
    }
    return trace.write();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 1_000, 50_000, 1_000_000_000})
  void eachReadingIsRoundedDown(long tickNs) throws Exception {
    Path path = manyBlocks(tickNs);
    List<Long> positions = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    try (Trace trace = Trace.open(path)) {
      EventCursor exact = trace.processes().get(0).threads().get(0).cursor();
      long before = 0;
      long cpu = 0;
      while (exact.next()) {
        if (positions.isEmpty()) {
          cpu = exact.blockCpuNs() + exact.timeNs() - exact.blockBaseNs();
          expected.add(0L);
        } else {
          long wall = exact.timeNs() - before;
          long now = cpu + wall - exact.lostNs();
          expected.add(wall - (now / tickNs - cpu / tickNs) * tickNs);
          cpu = now;
        }
        positions.add(exact.position());
        before = exact.timeNs();
      }
      assertTrue(positions.size() > 30_000);
    }
    setTick(path, tickNs);
    try (Trace trace = Trace.open(path)) {
      EventCursor coarse = trace.processes().get(0).threads().get(0).cursor();
      for (int i = 0; i < positions.size(); i++) {
        assertTrue(coarse.next());
        assertEquals(expected.get(i), coarse.lostNs(), "event " + i + " forwards");
      }
      coarse.end();
      for (int i = positions.size() - 1; i >= 0; i--) {
        assertTrue(coarse.previous());
        assertEquals(expected.get(i), coarse.lostNs(), "event " + i + " backwards");
      }
      Random random = new Random(5);
      for (int n = 0; n < 300; n++) {
        int i = random.nextInt(positions.size());
        coarse.seek(positions.get(i));
        assertEquals(expected.get(i), coarse.lostNs(), "event " + i + " by itself");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 40, 1_000, 100_000})
  void theRowsOfAPathStillAddUp(long tickNs) throws Exception {
    Path path = RandomPrograms.write(11 + tickNs, directory.resolve("trace"), 4, 400);
    setTick(path, tickNs);
    try (Trace trace = Trace.open(path)) {
      Application application = SessionBuilder.of(trace).getApplications().get(0);
      ApplicationAnalysis analysis = new ApplicationAnalysis(application);
      long length = analysis.criticalPath(Weight.CPU, Progress.NONE).lengthNs();
      for (Level level : List.of(Level.PROCESS, Level.PROCEDURE)) {
        Table table = CriticalPathReport.of(analysis, level, Weight.CPU, null, Progress.NONE);
        int time = table.column("time");
        assertEquals(length,
            table.rows().stream().mapToLong(row -> (Long) row.values().get(time)).sum());
      }
      assertTrue(analysis.traceWarnings().stream().anyMatch(w -> w.contains("cpu-tick-ns")));
      for (ThreadRecord record : analysis.replay(Progress.NONE).threads()) {
        CallPathProfile profile = CallPathProfile.of(
            record.process(), record.thread(), Window.ALL, Progress.NONE);
        long cpu = LongStream.of(profile.cpuNs()).sum();
        assertEquals(0, cpu % tickNs, record.thread() + ": whole ticks");
        assertEquals(record.metrics().cpuNs, cpu);
      }
    }
  }

  /** What runs when the clock advances gets all of the tick (the paper's section 5.1). */
  @Test
  void theProcedureAtTheTickGetsAllOfIt() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("trace"));
    trace.process("n", "/opt/p").thread(0)
        .enter(0, "a").leave(80).enter(80, "b").leave(110).enter(110, "c").leave(190)
        .event(190, Kind.THREAD_END, 0);
    trace.property("cpu-tick-ns", "100");
    try (Trace opened = Trace.open(trace.write())) {
      Application application = SessionBuilder.of(opened).getApplications().get(0);
      Table table = CriticalPathReport.of(new ApplicationAnalysis(application), Level.PROCEDURE,
          Weight.CPU, null, Progress.NONE);
      assertEquals(1, table.rows().size(), table.toString());
      assertEquals("b", table.rows().get(0).name());
      assertEquals(100L, table.total());
    }
  }
}
