package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.TraceBuilder;

class MachineClockTest {
  @TempDir
  Path directory;

  /** Exact arithmetic, rounded down. */
  private static long exact(long ticks, long elapsedTicks, long elapsedNs) {
    BigInteger[] parts = BigInteger.valueOf(ticks).multiply(BigInteger.valueOf(elapsedNs))
        .divideAndRemainder(BigInteger.valueOf(elapsedTicks));
    return parts[0].longValueExact() - (parts[1].signum() < 0 ? 1 : 0);
  }

  @Test
  void agreesWithExactArithmetic() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      long elapsedNs = 1 + (random.nextLong() & (1L << 10 + random.nextInt(36)) - 1);
      long elapsedTicks = Math.max(1, (long) (elapsedNs * Math.pow(10, random.nextDouble() * 5
          - 4)));
      MachineClock clock = MachineClock.of("h", MachineClock.Source.TSC, true, elapsedTicks,
          elapsedNs, 1L << 60, 0, 0);
      long ticks = random.nextLong() >> 1 + clock.shift() + random.nextInt(40);
      long difference = clock.timeNs((1L << 60) + ticks) - exact(ticks, elapsedTicks, elapsedNs);
      assertTrue(Math.abs(difference) <= 1, i + ": off by " + difference);
    }
  }

  @Test
  void isExactForNanoseconds() {
    MachineClock clock =
        MachineClock.of("h", MachineClock.Source.MONOTONIC, true, 1, 1, 1000, -1000, 0);
    for (long ns : new long[] {-5, 0, 1, 999, 1 << 30, 1L << 55}) {
      assertEquals(ns - 1000, clock.timeNs(ns + 1000));
    }
  }

  @Test
  void neverRunsBackward() {
    MachineClock clock =
        MachineClock.of("h", MachineClock.Source.TSC, true, 2_112_003_117L, 1_000_000_000L, 17, 0,
            0);
    long last = Long.MIN_VALUE;
    for (long ticks = -100_000; ticks < 100_000; ticks++) {
      long now = clock.timeNs(ticks);
      assertTrue(now == last || now == last + 1 || last == Long.MIN_VALUE);
      last = now;
    }
  }

  @Test
  void rateComesFromTheRunAndNotFromTheCalibration() throws Exception {
    // The counter runs 0.1 % faster than the calibration says.
    TraceBuilder builder = new TraceBuilder(directory).tsc(2_002_000_000L);
    builder.process("node1", "/opt/clock").exit(2_000_000_000L, 0).thread(0)
        .sample(1_000_000_000L, "main");
    try (Trace trace = Trace.open(builder.write())) {
      MachineClock clock = trace.clocks().get(0);
      assertTrue(clock.isMeasured());
      assertEquals(2_002_000_000.0, clock.tickHz(), 1);
      assertEquals(1_000_000_000L, trace.processes().get(0).threads().get(0).beginNs(), 1);
    }
  }

  @Test
  void aShortRunUsesTheCalibration() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory).tsc(2_500_000_000L);
    builder.process("node1", "/opt/clock").thread(0).sample(1_000_000L, "main");
    try (Trace trace = Trace.open(builder.write())) {
      assertEquals(false, trace.clocks().get(0).isMeasured());
      assertEquals(1_000_000L, trace.processes().get(0).endNs(), 1);
    }
  }

  @Test
  void aRunThatWasKilledHasItsRateFromTheLastBlocks() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory).tsc(2_002_000_000L).blockSlots(10);
    var thread = builder.process("node1", "/opt/clock").killed().thread(0);
    for (int i = 0; i < 100; i++) {
      thread.sample(i * 10_000_000L, "main");
    }
    try (Trace trace = Trace.open(builder.write())) {
      assertTrue(trace.clocks().get(0).isMeasured());
      assertEquals(990_000_000L, trace.durationNs(), 1);
    }
  }

  @Test
  void machinesAreAlignedByTheTimeOfDay() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    builder.process("node1", "/opt/clock").start(500).thread(0).sample(1000, "main");
    builder.process("node2", "/opt/clock").start(200).realtimeShift(-100).thread(0)
        .sample(1000, "main");
    try (Trace trace = Trace.open(builder.write())) {
      assertEquals(List.of("node2", "node1"),
          trace.processes().stream().map(ProcessTrace::host).toList());
      assertEquals(0, trace.processes().get(0).startNs());
      assertEquals(400, trace.processes().get(1).startNs());
      assertEquals(900, trace.durationNs());
      assertEquals(2, trace.clocks().size());
      assertTrue(trace.warnings().stream().anyMatch(text -> text.contains("2 machines")));
    }
  }
}
