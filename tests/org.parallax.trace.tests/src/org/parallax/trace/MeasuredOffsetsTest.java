package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/** Machines whose clocks are shifted and drift, and which have measured by how much. */
class MeasuredOffsetsTest {
  private static final int CLOCK_OFFSET = 22;
  private static final long SECOND_NS = 1_000_000_000L;

  @TempDir Path directory;

  /** At a true time, what the host's and another one's clocks show. */
  private static void measured(TracedProcess process, long shownNs, long otherNs, long errorNs, String other) {
    process.record(CLOCK_OFFSET).u64(TraceBuilder.BASE_MONOTONIC_NS + shownNs)
        .u64(TraceBuilder.BASE_MONOTONIC_NS + otherNs).u64(errorNs).string(other).end();
  }

  private static List<Long> times(ProcessTrace process) {
    List<Long> times = new ArrayList<>();
    EventCursor cursor = process.threads().get(0).cursor();
    while (cursor.next()) {
      times.add(cursor.timeNs());
    }
    return times;
  }

  private static ProcessTrace on(List<ProcessTrace> processes, String host) {
    return processes.stream().filter(process -> process.host().equals(host)).findFirst().orElseThrow();
  }

  private static TracedProcess process(TraceBuilder builder, String host) {
    TracedProcess process = builder.process(host, "/opt/p");
    process.thread(0).enter(0, "a").leave(SECOND_NS / 2).enter(SECOND_NS, "b").leave(2 * SECOND_NS);
    return process;
  }

  /** 7 ms ahead at the begin, 9 ms after 2 s; the time of day is another 40 ms ahead. */
  @Test
  void timesAreInterpolatedBetweenMeasurements() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace"))
        .clock("b", ns -> ns + 7_000_000 + ns / 1_000);
    process(builder, "a");
    TracedProcess b = process(builder, "b").realtimeShift(40_000_000);
    measured(b, 7_000_000, 0, 30_000, "a");
    measured(b, 9_000_000 + 2 * SECOND_NS, 2 * SECOND_NS, 30_000, "a");
    try (Trace trace = Trace.open(builder.write())) {
      assertNull(on(trace.processes(), "a").clock().offsets());
      assertEquals(2, on(trace.processes(), "b").clock().offsets().knots());
      List<Long> expected = times(on(trace.processes(), "a"));
      List<Long> found = times(on(trace.processes(), "b"));
      for (int i = 0; i < expected.size(); i++) {
        assertEquals(expected.get(i), found.get(i), 2, found.toString());
      }
      assertFalse(String.join("\n", trace.warnings()).contains("time of day"));
      // Other bases of time keep them.
      List<ProcessTrace> moved = CommonTime.of(List.of(trace));
      assertEquals(times(on(trace.processes(), "b")).get(1) - times(on(trace.processes(), "a")).get(1),
          times(on(moved, "b")).get(1) - times(on(moved, "a")).get(1));
    }
  }

  /** Without a measurement, or with one that leads nowhere, times are those of the time of day. */
  @Test
  void machinesWithoutMeasurementsAreJoinedByTheirTimeOfDay() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace"));
    process(builder, "a");
    TracedProcess b = process(builder, "b").realtimeShift(40_000_000);
    measured(b, 7_000_000, 0, 30_000, "unknown");
    try (Trace trace = Trace.open(builder.write())) {
      assertNull(on(trace.processes(), "b").clock().offsets());
      assertEquals(40_000_000, times(on(trace.processes(), "b")).get(0) - times(on(trace.processes(), "a")).get(0));
      assertTrue(String.join("\n", trace.warnings()).contains("time of day"));
    }
  }

  /** c has measured b, which has measured a; of two measurements at the same time the better one counts. */
  @Test
  void offsetsLeadThroughOtherMachines() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace")).clock("b", ns -> ns + 1_000_000)
        .clock("c", ns -> ns + 3_000_000);
    process(builder, "a");
    TracedProcess b = process(builder, "b");
    TracedProcess c = process(builder, "c");
    measured(c, 3_500_000, 1_400_000, 500_000, "b");
    measured(c, 4_000_000, 2_000_000, 20_000, "b");
    measured(c, 4_500_000, 2_600_000, 500_000, "b");
    measured(b, 1_000_000, 0, 20_000, "a");
    try (Trace trace = Trace.open(builder.write())) {
      assertEquals(times(on(trace.processes(), "a")), times(on(trace.processes(), "b")));
      assertEquals(times(on(trace.processes(), "a")), times(on(trace.processes(), "c")));
    }
  }

  @Test
  void senselessMeasurementsAreLeftOut() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace"));
    process(builder, "a");
    TracedProcess b = process(builder, "b");
    measured(b, 0, 0, 10, "a");
    measured(b, SECOND_NS, -SECOND_NS, 10, "a");
    measured(b, Long.MAX_VALUE / 2, Long.MIN_VALUE / 2, -10, "a");
    measured(b, 2 * SECOND_NS, 2 * SECOND_NS, 10, "a");
    measured(b, SECOND_NS, 5, 10, "b");
    try (Trace trace = Trace.open(builder.write())) {
      assertEquals(times(on(trace.processes(), "a")), times(on(trace.processes(), "b")));
    }
  }
}
