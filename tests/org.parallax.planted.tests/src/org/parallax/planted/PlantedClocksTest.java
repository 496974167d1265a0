package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.analysis.clocks.ClockCheck;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.MachineClock;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.TimeMap;
import org.parallax.trace.Trace;

/** Ranks on two hosts, of which one shows wrong times: its time of day is 250 ms ahead, its monotonic clock 7 s. */
class PlantedClocksTest {
  private static final long REALTIME_NS = 250_000_000L;
  private static final String MONOTONIC_NS = "7000000000";
  /** Two processes read their clocks at the begin and see each other's start one after the other; on a busy machine. */
  private static final long MOST_ERROR_NS = 20_000_000L;
  private static final long MOST_LEFT_NS = REALTIME_NS / 50;
  private static final String OTHER = "otherhost";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"mpich", "openmpi"})
  void offsetsOfHostsAreMeasuredByMessages(String mpi) throws Exception {
    assumeTrue(new ProcessBuilder(List.of("unshare", "--uts", "true")).start().waitFor() == 0,
        "namespaces of host names need root");
    Path program = directory.resolve("pipeline");
    Path clocks = directory.resolve("libshifted.so");
    Compilers.compile(program, "pipeline.c", "mpicc." + mpi, "-O1", "-g");
    Compilers.compile(clocks, "shifted_clock.c", "cc", "-shared", "-fPIC", "-O1");
    Path trace = directory.resolve("trace");
    String run = program + " 50 1";
    String shifted = "LD_PRELOAD=" + clocks + ":$LD_PRELOAD SHIFT_REALTIME_NS=" + REALTIME_NS + " SHIFT_MONOTONIC_NS="
        + MONOTONIC_NS + " exec " + run;
    Recording.Result result = Recording.record(trace, List.of("--clock-offsets"), List.of("sh", "-c",
        "exec " + Recording.mpirun(mpi) + " -n 1 " + run + " : -n 1 unshare --uts sh -c 'hostname " + OTHER + " && " + shifted + "'"));
    assertEquals(0, result.status(), result.output());
    try (Trace opened = Trace.open(trace)) {
      List<ProcessTrace> ranks = opened.processes().stream().filter(process -> process.mpi() != null).toList();
      assertEquals(2, ranks.size());
      MachineClock right = ranks.get(0).clock();
      MachineClock wrong = ranks.get(1).clock();
      assertEquals(OTHER, wrong.host());
      assertNull(right.offsets());
      TimeMap offsets = wrong.offsets();
      assertTrue(offsets.knots() >= 1 && offsets.knots() <= 2, offsets.knots() + " measurements");
      // By the time of day, all events of the host would be 250 ms too late.
      assertEquals(-REALTIME_NS, offsets.toNs(0) - offsets.fromNs(0), MOST_ERROR_NS);
      ClockCheck check = ClockCheck.of(ranks, Window.ALL, Progress.NONE);
      assertTrue(check.interactions() >= 99, check.interactions() + " interactions");
      // The measurement is as exact as the shortest of its round trips, on a busy machine some 10 us.
      assertTrue(check.largestNs() < MOST_LEFT_NS, check.violations() + " violations by up to " + check.largestNs() + " ns");
    }
  }
}
