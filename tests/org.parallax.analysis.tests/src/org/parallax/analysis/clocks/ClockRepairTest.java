package org.parallax.analysis.clocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.Collective;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.TimeMap;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** The controlled logical clock, on traces of machines whose clocks are shifted and drift by known amounts. */
class ClockRepairTest {
  private static final int WORLD = 1;
  /** Interpolation rounds: a time can be wrong by so much. */
  private static final long ROUNDING_NS = 4;
  private static final long DAY_NS = 86_400_000_000_000L;

  @TempDir Path directory;

  private static ClockRepair repair(Trace trace) {
    return ClockRepair.of(trace.processes(), Window.ALL, Progress.NONE);
  }

  private static List<Long> times(ProcessTrace process) {
    List<Long> times = new ArrayList<>();
    for (ThreadTrace thread : process.threads()) {
      EventCursor cursor = thread.cursor();
      while (cursor.next()) {
        times.add(cursor.timeNs());
      }
    }
    return times;
  }

  private TraceBuilder ranks(String... hosts) {
    TraceBuilder trace = new TraceBuilder(directory.resolve("trace"));
    for (int rank = 0; rank < hosts.length; rank++) {
      trace.process(hosts[rank], "/opt/p").mpi(7, rank, hosts.length);
    }
    return trace;
  }

  /**
   * <pre>
   * rank 0, m   0 ............ send 10000
   * rank 1, n   0 ... recv ends 9000 ........... 40000
   * </pre>
   */
  @Test
  void aReceiptIsPutAfterItsSendAndTheClockReturns() throws TraceException {
    TraceBuilder builder = ranks("m", "n");
    builder.process(0).thread(0).enter(0, "a").leave(10_000).send(10_000, 10_100, "MPI_Send", WORLD, 1, 0, 8);
    builder.process(1).thread(0).enter(0, "a").leave(8_000).receive(8_000, 9_000, "MPI_Recv", WORLD, 0, 0, 8)
        .enter(10_000, "a").leave(40_000).enter(400_000, "a").leave(401_000);
    try (Trace trace = Trace.open(builder.write())) {
      ClockRepair repair = repair(trace);
      assertEquals(1, repair.before().violations());
      assertEquals(1_000, repair.before().largestNs());
      assertEquals(0, repair.after().violations());
      assertEquals(1, repair.jumps());
      assertEquals(times(trace.processes().get(0)), times(repair.processes().get(0)));
      // No event of the thread before it is a cause of anything: all are moved, by 1000 ns at 9000, 1/128 of
      // the distance less before. From there on the clock is slower by 1/128 until it agrees again.
      List<Long> expected = List.of(930L, 8_993L, 8_993L, 10_000L, 10_000L, 10_993L, 40_758L, 400_000L, 401_000L);
      List<Long> found = times(repair.processes().get(1));
      assertEquals(expected.size(), found.size());
      for (int i = 0; i < expected.size(); i++) {
        assertEquals(expected.get(i), found.get(i), ROUNDING_NS, found.toString());
      }
    }
  }

  /** What the thread sends before the receipt was received 100 ns later: it can be moved by so much only. */
  @Test
  void aCauseIsNotMovedBeyondWhatItCaused() throws TraceException {
    TraceBuilder builder = ranks("m", "n");
    builder.process(0).thread(0).receive(7_000, 7_600, "MPI_Recv", WORLD, 1, 0, 8)
        .enter(7_600, "a").leave(10_000).send(10_000, 10_100, "MPI_Send", WORLD, 1, 0, 8);
    builder.process(1).thread(0).enter(0, "a").leave(7_500).send(7_500, 7_520, "MPI_Send", WORLD, 0, 0, 8)
        .receive(8_000, 9_000, "MPI_Recv", WORLD, 0, 0, 8);
    try (Trace trace = Trace.open(builder.write())) {
      ClockRepair repair = repair(trace);
      assertEquals(1, repair.before().violations());
      assertEquals(0, repair.after().violations());
      List<Long> found = times(repair.processes().get(1));
      assertEquals(7_600, found.get(2), ROUNDING_NS, found.toString());
      assertEquals(10_000, found.get(found.size() - 1), ROUNDING_NS, found.toString());
    }
  }

  /** Rank 2 comes last to a barrier, by its clock after the others have left it. */
  @Test
  void collectivesAreKeptInOrder() throws TraceException {
    TraceBuilder builder = ranks("m", "m", "n");
    long[] begins = {1_000, 2_000, 9_000};
    long[] ends = {3_100, 3_200, 9_300};
    for (int rank = 0; rank < 3; rank++) {
      builder.process(rank).thread(0).enter(0, "a").leave(begins[rank])
          .collective(begins[rank], ends[rank], "MPI_Barrier", WORLD, Collective.BARRIER, Kind.NO_ROOT, 0, 0)
          .enter(10_000, "a").leave(20_000);
    }
    try (Trace trace = Trace.open(builder.write())) {
      ClockRepair repair = repair(trace);
      assertEquals(2, repair.before().violations());
      assertEquals(5_900, repair.before().largestNs());
      assertEquals(0, repair.after().violations());
      assertEquals(5_900, repair.largestMoveNs("m"), ROUNDING_NS);
      assertEquals(0, repair.largestMoveNs("n"));
      // Each member of the barrier can come as late as all leave.
      assertTrue(times(repair.processes().get(0)).get(2) > 6_000);
    }
  }

  /** A lock that is handed from a thread whose clock was put forward to one whose clock was not. */
  @Test
  void locksAreKeptInOrder() throws TraceException {
    TraceBuilder builder = ranks("m", "n");
    builder.process(0).thread(0).enter(0, "a").leave(10_000).send(10_000, 10_100, "MPI_Send", WORLD, 1, 0, 8);
    int lock = builder.process(1).syncObject(1, 0x1000);
    builder.process(1).thread(0).threadBegin(0, -1).receive(100, 1_000, "MPI_Recv", WORLD, 0, 0, 8);
    builder.process(1).thread(0).enter(1_010, "pthread_mutex_unlock").event(1_010, Kind.RELEASE, lock, 2).leave(1_020);
    builder.process(1).thread(1, -1, "").enter(500, "pthread_mutex_lock")
        .event(1_100, Kind.ACQUIRE, lock, 3L << 1 | 1).leave(1_100);
    try (Trace trace = Trace.open(builder.write())) {
      ClockRepair repair = repair(trace);
      assertEquals(1, repair.before().violations());
      assertEquals(0, repair.after().violations());
      List<Long> found = new ArrayList<>();
      EventCursor cursor = repair.processes().get(1).threads().get(1).cursor();
      while (cursor.next()) {
        found.add(cursor.timeNs());
      }
      assertTrue(found.get(found.size() - 1) >= 10_010, found.toString());
    }
  }

  /** A clock that was never set, or that shows another day. Causes are right before the receipts that are put forward. */
  @Test
  void clocksThatAreFarOff() throws TraceException {
    for (long days : new long[] {1, 30, 365, 20_116, 20_785}) {
      TraceBuilder builder = new TraceBuilder(directory.resolve("off" + days)).clock("n", ns -> ns - days * DAY_NS);
      for (int rank = 0; rank < 2; rank++) {
        builder.process(rank == 0 ? "m" : "n", "/opt/p").mpi(7, rank, 2);
      }
      TracedThread first = builder.process(0).thread(0);
      TracedThread second = builder.process(1).thread(0).threadBegin(0, -1);
      TracedThread third = builder.process(1).thread(1, -1, "");
      int lock = builder.process(1).syncObject(1, 0x1000);
      for (long ns = 0; ns < 1_000_000; ns += 10_000) {
        long handed = ns / 5_000 + 2;
        first.send(ns, ns + 100, "MPI_Send", WORLD, 1, 0, 8).receive(ns + 200, ns + 8_000, "MPI_Recv", WORLD, 1, 0, 8);
        second.send(ns + 2_500, ns + 2_900, "MPI_Send", WORLD, 0, 0, 8)
            .enter(ns + 2_950, "pthread_mutex_unlock").event(ns + 2_955, Kind.RELEASE, lock, handed).leave(ns + 2_960)
            .receive(ns + 2_970, ns + 3_000, "MPI_Recv", WORLD, 0, 0, 8);
        third.enter(ns + 2_900, "pthread_mutex_lock").event(ns + 2_965, Kind.ACQUIRE, lock, (handed + 1) << 1 | 1)
            .leave(ns + 2_965);
      }
      try (Trace trace = Trace.open(builder.write())) {
        ClockRepair repair = repair(trace);
        String which = days + " days";
        assertEquals(100, repair.before().violations(), which);
        assertEquals(0, repair.after().violations(), which);
        assertInOrder(trace.processes(), repair.processes(), which);
      }
    }
  }

  /** Rank 1 has sent at the time at which it receives, as its clock is coarse. The message comes soon after. */
  @Test
  void causesAtTheTimeOfAReceiptThatIsPutForward() throws TraceException {
    TraceBuilder builder = ranks("m", "n", "n");
    builder.process(0).thread(0).enter(0, "a").leave(10_000).send(10_000, 10_100, "MPI_Send", WORLD, 1, 0, 8);
    builder.process(1).thread(0).enter(0, "a").leave(9_000).send(9_000, 9_000, "MPI_Send", WORLD, 2, 0, 8)
        .receive(9_000, 9_000, "MPI_Recv", WORLD, 0, 0, 8);
    builder.process(2).thread(0).enter(0, "a").leave(9_000).receive(9_000, 9_100, "MPI_Recv", WORLD, 1, 0, 8);
    try (Trace trace = Trace.open(builder.write())) {
      ClockRepair repair = repair(trace);
      assertEquals(1, repair.before().violations());
      assertEquals(0, repair.after().violations());
      assertInOrder(trace.processes(), repair.processes(), "coarse");
    }
  }

  @Test
  void nothingIsChangedWithoutViolations() throws TraceException {
    Path path = RandomPrograms.write(1, directory.resolve("sound"), 4, 200);
    try (Trace trace = Trace.open(path)) {
      ClockRepair repair = repair(trace);
      assertEquals(0, repair.before().violations());
      assertTrue(repair.before().interactions() > 50);
      assertTrue(repair.processes().stream().noneMatch(ProcessTrace::isCorrected));
    }
  }

  /** One clock ahead, or drifting, or set back in the middle of the run. */
  @Test
  void plantedClocksOfRandomPrograms() throws TraceException {
    List<LongUnaryOperator> clocks = List.of(
        ns -> ns + 20_000,
        ns -> ns + ns / 100,
        ns -> ns + 5_000 + ns / 1_000,
        ns -> ns < 60_000 ? ns + 9_000 : Math.max(69_000, ns + ns / 200));
    double[] all = new double[2];
    for (int seed = 1; seed <= 40; seed++) {
      LongUnaryOperator clock = clocks.get(seed % clocks.size());
      String host = "node" + seed / 4 % 2;
      Path truth = RandomPrograms.write(seed, directory.resolve("truth" + seed), 6, 300);
      Path shown = RandomPrograms.write(seed, directory.resolve("shown" + seed), 6, 300, Map.of(host, clock));
      try (Trace right = Trace.open(truth); Trace wrong = Trace.open(shown)) {
        ClockRepair repair = repair(wrong);
        String which = "seed " + seed;
        assertTrue(repair.before().violations() > 0, which);
        assertEquals(0, repair.after().violations(), which);
        double before = disagreement(right.processes(), wrong.processes());
        double after = disagreement(right.processes(), repair.processes());
        assertTrue(after < before, which + ": " + before + " ns before, " + after + " after");
        all[0] += before;
        all[1] += after;
        assertInOrder(wrong.processes(), repair.processes(), which);
      }
    }
    // Programs that seldom wait for each other tell little of clocks.
    assertTrue(all[1] < 0.4 * all[0], all[1] + " ns of " + all[0]);
  }

  /** @return by how much the mean errors of the machines' times differ */
  private static double disagreement(List<ProcessTrace> truth, List<ProcessTrace> shown) {
    double[] sums = new double[2];
    long[] counts = new long[2];
    for (int i = 0; i < truth.size(); i++) {
      List<Long> right = times(truth.get(i));
      List<Long> wrong = times(shown.get(i));
      assertEquals(right.size(), wrong.size());
      int host = truth.get(i).host().equals("node0") ? 0 : 1;
      for (int event = 0; event < right.size(); event++) {
        sums[host] += wrong.get(event) - right.get(event);
        counts[host]++;
      }
    }
    return Math.abs(sums[0] / counts[0] - sums[1] / counts[1]);
  }

  /** The events of a thread stay in order, and none is moved back. */
  private static void assertInOrder(List<ProcessTrace> before, List<ProcessTrace> after, String which) {
    for (int i = 0; i < before.size(); i++) {
      for (int t = 0; t < before.get(i).threads().size(); t++) {
        EventCursor was = before.get(i).threads().get(t).cursor();
        EventCursor is = after.get(i).threads().get(t).cursor();
        long lastNs = Long.MIN_VALUE;
        while (was.next() && is.next()) {
          assertTrue(is.timeNs() >= lastNs && is.timeNs() >= was.timeNs(), which);
          lastNs = is.timeNs();
          EventCursor sought = after.get(i).threads().get(t).cursor();
          assertTrue(sought.seekTime(lastNs), which);
          assertEquals(lastNs, sought.timeNs(), which);
        }
      }
    }
  }

  @Test
  void theDriftOfTwoMachines() throws TraceException {
    TraceBuilder builder = ranks("m", "n").clock("n", ns -> ns + 1_000_000 + ns / 10_000);
    TracedThread first = builder.process(0).thread(0);
    TracedThread second = builder.process(1).thread(0);
    for (long ns = 0; ns < 1_000_000_000; ns += 10_000_000) {
      first.send(ns, ns + 100, "MPI_Send", WORLD, 1, 0, 8).receive(ns + 200, ns + 8_000, "MPI_Recv", WORLD, 1, 0, 8);
      second.receive(ns, ns + 3_000, "MPI_Recv", WORLD, 0, 0, 8).send(ns + 5_000, ns + 5_100, "MPI_Send", WORLD, 0, 0, 8);
    }
    try (Trace trace = Trace.open(builder.write())) {
      ClockRepair repair = repair(trace);
      assertEquals(100, repair.before().violations());
      ClockCheck.Drift drift = repair.before().drift("m", "n");
      // 100 us a second. Messages take 3 us each way.
      assertEquals(100_000, drift.nsPerSecond(), drift.within());
      assertTrue(drift.within() < 7_000, drift.toString());
      assertEquals(0, repair.after().violations());
    }
  }

  @Test
  void mapsFollowEachOther() {
    TimeMap first = TimeMap.of(new long[] {0, 100, 101, 1_000}, new long[] {0, 100, 200, 1_000});
    TimeMap second = TimeMap.of(new long[] {50, 150, 300}, new long[] {50, 170, 300});
    TimeMap both = first.then(second);
    long lastNs = Long.MIN_VALUE;
    for (long ns = -10; ns < 1_200; ns++) {
      assertEquals(second.at(first.at(ns)), both.at(ns), 1, "at " + ns);
      assertTrue(both.at(ns) >= lastNs);
      lastNs = both.at(ns);
      long inverse = both.inverse(lastNs);
      assertTrue(both.at(inverse) >= lastNs && both.at(inverse - 1) < lastNs, "at " + ns);
    }
    assertEquals(both.at(107) + 5, both.movedBy(5).at(112));
  }
}
