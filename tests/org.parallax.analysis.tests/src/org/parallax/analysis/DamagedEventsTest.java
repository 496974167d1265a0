package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.calls.GprofReport;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.metrics.HistogramMetric;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.phases.PhasesReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.EfficiencyReport;
import org.parallax.analysis.reports.NptReport;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Events that no agent writes: analyses end, and their rows add up to the path's length. */
class DamagedEventsTest {
  private static final int WORLD = 1;
  private static final long HUGE = Long.MAX_VALUE >>> 2;

  @TempDir Path directory;

  private TraceBuilder trace;

  @BeforeEach
  void twoRanks() {
    trace = new TraceBuilder(directory);
    trace.process("n", "/opt/p").mpi(7, 0, 2);
    trace.process("n", "/opt/p").mpi(7, 1, 2);
  }

  private TracedThread rank(int rank) {
    return trace.process(rank).thread(0);
  }

  private void check() {
    assertTimeoutPreemptively(Duration.ofSeconds(120), () -> {
      try (Trace opened = Trace.open(trace.write())) {
        ApplicationAnalysis analysis =
            new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
        for (Weight weight : Weight.values()) {
          Table path =
              CriticalPathReport.of(analysis, Level.PROCEDURE, weight, null, Progress.NONE);
          assertEquals(
              analysis.criticalPath(weight, Progress.NONE).lengthNs(), path.total(), weight.name());
          Table npt = NptReport.of(analysis, Level.PROCEDURE, weight, null, Progress.NONE);
          assertEquals(npt.total(), npt.rows().stream()
              .mapToLong(row -> (Long) row.values().get(npt.totalColumn())).sum(), weight.name());
          GprofReport.of(analysis, weight, null, 0, Progress.NONE);
        }
        ProfileReport.of(analysis, Level.PROCEDURE, null, Progress.NONE);
        MetricsReport.of(analysis, Level.PROCESS, null, Progress.NONE);
        Table waits = WaitsReport.of(analysis, Level.PROCEDURE, true, null, Progress.NONE);
        assertEquals(waits.total(), waits.rows().stream()
            .mapToLong(row -> (Long) row.values().get(waits.totalColumn())).sum());
        EfficiencyReport.of(List.of(analysis), false, Progress.NONE);
        overTime(analysis);
      }
    });
  }

  private static void overTime(ApplicationAnalysis analysis) {
    Table metrics = MetricsReport.of(analysis, Level.APPLICATION, null, Progress.NONE);
    List<HistogramMetric> all = List.copyOf(HistogramMetric.all(analysis).values());
    Table histogram =
        HistogramReport.of(analysis, all, Level.APPLICATION, null, 200, Progress.NONE);
    for (int i = 0; i < all.size(); i++) {
      int column = 2 + i;
      if (all.get(i).thread() != null) {
        String label = all.get(i).label();
        assertEquals(metrics.rows().stream().filter(row -> row.name().equals(label)).findFirst()
            .orElseThrow().values().get(0), histogram.rows().stream()
            .mapToLong(row -> (Long) row.values().get(column)).sum(), label);
      }
    }
    Table events = EventsReport.of(analysis, null,
        new EventsReport.Wanted(0, Integer.MAX_VALUE, Set.of(), null), Progress.NONE);
    long expected = (Long) metrics.rows().stream().filter(row -> row.name().equals("Events"))
        .findFirst().orElseThrow().values().get(0);
    assertEquals(expected, events.rows().size());
    PhasesReport.of(analysis, null, true, Progress.NONE);
  }

  @Test
  void phasesAndValuesThatNobodyDefined() {
    rank(0).event(0, Kind.PHASE_END, 77).event(5, Kind.PHASE_BEGIN, -4).event(6, Kind.VALUE, 99, 1, 2)
        .event(7, Kind.FILE, -2, HUGE, 3).event(8, Kind.STREAM_SEND, -2, HUGE, 5)
        .event(9, Kind.PROCESS_WAIT, 0, HUGE, HUGE, HUGE).event(10, Kind.THREAD_JOIN, 0, HUGE)
        .event(11, Kind.PHASE_BEGIN, trace.process(0).phase("p")).event(20, 99, 5, 1, 2);
    check();
  }

  @Test
  void numbersThatAreNegativeAsInt() {
    rank(0).event(0, Kind.ENTER, -5).event(5, Kind.SEND, -3, 1L << 32, 8)
        .event(6, Kind.COLLECTIVE, -3, 1, 0, 0, 0).event(10, Kind.LEAVE, -5)
        .event(20, Kind.SAMPLE, -7).event(30, Kind.ENTER, -1).event(40, Kind.LEAVE, -1);
    check();
  }

  @Test
  void numbersOfLocksThatAreFarOff() {
    int lock = trace.process(0).syncObject(1, 0x10);
    rank(0).release(5, lock, HUGE).acquire(10, 20, "pthread_mutex_lock", lock, HUGE)
        .acquire(20, 30, "pthread_mutex_lock", lock, 0);
    check();
  }

  @Test
  void sequencesOfCollectivesThatAreFarOff() {
    long barrier = (long) Collective.BARRIER.op() << 31 | Kind.NO_ROOT;
    rank(0).enter(0, "b").event(10, Kind.COLLECTIVE, WORLD, barrier, 0, 0, 3).leave(10)
        .enter(20, "b").event(30, Kind.COLLECTIVE, WORLD, barrier, 0, 0, 3 | 1L << 40).leave(30);
    rank(1).enter(0, "b").event(50, Kind.COLLECTIVE, WORLD, barrier, 0, 0, 3 | 1L << 40).leave(50);
    check();
  }

  @Test
  void ranksAndSizesThatCannotBe() {
    TracedProcess process = trace.process(0);
    int[][] runs = {{0, 1, 2}};
    process.communicator(2, 2, 77, 5, 0, runs, new int[0][], "");
    process.communicator(3, -4, 78, 0, 2, new int[0][], new int[0][], "");
    process.communicator(4, Integer.MAX_VALUE, 79, 0, 2, new int[0][], new int[0][], "");
    long scan = (long) Collective.SCAN.op() << 31 | Kind.NO_ROOT;
    for (int i = 2; i < 5; i++) {
      rank(0).enter(10 * i, "s").event(10 * i + 5, Kind.COLLECTIVE, i, scan, 0, 0, 0)
          .leave(10 * i + 5);
    }
    check();
  }

  @Test
  void timesThatGoBack() {
    rank(0).enter(0, "a").leave(100).enter(50, "b").leave(120);
    check();
  }

  @Test
  void aThreadThatBeginsLate() {
    TracedThread other = trace.process(0).thread(1, 0, "other");
    rank(0).create(0, 5, "pthread_create", 1);
    other.enter(0, "a").enter(50, "b").event(60, Kind.THREAD_BEGIN, 0, 1).leave(60).leave(100);
    check();
  }

  @Test
  void participantsOfABarrierThatCannotBe() {
    int barrier = trace.process(0).syncObject(3, 0x30);
    rank(0).barrier(0, 10, "pthread_barrier_wait", barrier, 0, Integer.MAX_VALUE)
        .barrier(20, 30, "pthread_barrier_wait", barrier, 1L << 50, 0);
    check();
  }

  @Test
  void aCollectiveThatIsNeverLeft() {
    // Rank 1 is never seen to take part in the first: what follows must not be held with it.
    long barrier = (long) Collective.BARRIER.op() << 31 | Kind.NO_ROOT;
    int from = 0;
    for (int rank = 0; rank < 2; rank++) {
      for (int i = from; i < 200_000; i++) {
        rank(rank).enter(10L * i, "b").event(10L * i + 5, Kind.COLLECTIVE, WORLD, barrier, 0, 0, i)
            .leave(10L * i + 5);
      }
      from = 1;
    }
    check();
  }
}
