package org.parallax.analysis.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.TrafficMatrix;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/**
 * A program of 2,500 ranks on 50 machines, with 10,000 threads: what a token passes through. Each rank waits for it, works for
 * {@value #WORK_NS} ns, and passes it on.
 */
class ManyThreadsTest {
  private static final int RANKS = 2_500;
  private static final int MACHINES = 50;
  private static final int THREADS = 4;
  private static final long WORK_NS = 1_000;
  private static final long FLIGHT_NS = 100;

  @TempDir Path directory;

  private Path program() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace")).blockSlots(32);
    for (int rank = 0; rank < RANKS; rank++) {
      TracedProcess process =
          builder.process("node" + rank / (RANKS / MACHINES), "/opt/token").mpi(7, rank, RANKS);
      long begin = rank * (WORK_NS + FLIGHT_NS);
      TracedThread main = process.thread(0).threadBegin(0, -1);
      if (rank > 0) {
        main.receive(10, begin, "main/MPI_Recv", 1, rank - 1, 0, 8);
      }
      main.sample(begin + WORK_NS - 2, "main/work");
      if (rank < RANKS - 1) {
        main.send(begin + WORK_NS, begin + WORK_NS + 1, "main/MPI_Send", 1, rank + 1, 0, 8);
      }
      main.threadEnd(begin + WORK_NS + 50);
      for (int thread = 1; thread < THREADS; thread++) {
        process.thread(thread).threadBegin(0, -1).enter(5, "main/MPI_Wtime").leave(55).threadEnd(60);
      }
      process.exit(begin + WORK_NS + 60, 0);
    }
    return builder.write();
  }

  /** So many threads in each of a number of lanes, as when lanes share lines of pixels. */
  private static int[][] lanes(int threads, int lanes) {
    return IntStream.range(0, lanes).mapToObj(lane ->
        IntStream.range(threads * lane / lanes, threads * (lane + 1) / lanes).toArray()).toArray(int[][]::new);
  }

  @Test
  void aProgramOfManyThreadsIsShown() throws Exception {
    try (Trace trace = Trace.open(program())) {
      List<Application> applications = SessionBuilder.of(trace).getApplications();
      assertEquals(1, applications.size());
      ApplicationAnalysis analysis = new ApplicationAnalysis(applications.get(0));
      ProgramTimeline timeline = analysis.timeline();
      int threads = timeline.threads().size();
      assertEquals(RANKS * THREADS, threads);
      timeline.read(new int[0], () -> { }, Progress.NONE);
      timeline.readInterplay(Progress.NONE);
      timeline.readPath(Progress.NONE);

      // Groups of neighbours and single threads show the same time.
      int[][] lanes = lanes(threads, 1_000);
      StateColumns picture =
          timeline.states(lanes, timeline.beginNs(), timeline.endNs(), 1_750, false, Progress.NONE);
      assertEquals(lanes.length, picture.states().length);
      assertTrue(Arrays.stream(picture.states()).allMatch(states -> states[0] >= 0));
      long ofGroups = Arrays.stream(lanes).flatMap(
          lane -> timeline.shares(lane, timeline.beginNs(), timeline.endNs()).stream())
          .mapToLong(ProgramTimeline.Share::ns).sum();
      assertEquals(timeline.threads().stream()
          .mapToLong(record -> record.thread().endNs() - record.thread().beginNs()).sum(), ofGroups);

      // Each rank has the token when its turn is.
      int[] all = IntStream.range(0, threads).toArray();
      assertEquals(RANKS - 1, timeline.messages(all, timeline.beginNs(), timeline.endNs(), 100).count());
      PathPieces path = timeline.path(timeline.beginNs(), timeline.endNs(), 1 << 20);
      assertEquals(RANKS, path.pieces().size());
      assertTrue(timeline.path(timeline.beginNs(), timeline.endNs(), 500).isThinned());

      TrafficMatrix processes = TrafficMatrix.of(analysis, Level.PROCESS, null, Progress.NONE);
      assertEquals(RANKS, processes.parts().size());
      assertEquals(RANKS - 1, processes.cells().size());
      TrafficMatrix machines = TrafficMatrix.of(analysis, Level.MACHINE, null, Progress.NONE);
      assertEquals(MACHINES, machines.parts().size());
      assertEquals(RANKS / MACHINES - 1, machines.cell(3, 3).value(TrafficMatrix.Metric.MESSAGES));
      assertEquals(1, machines.cell(3, 4).value(TrafficMatrix.Metric.MESSAGES));

      // Pairs are a row for each rank; kinds and call paths are few.
      assertEquals(RANKS - 1, arcs(analysis, Level.PROCESS, CriticalPathReport.Grouping.PAIR));
      assertEquals(1, arcs(analysis, Level.PROCESS, CriticalPathReport.Grouping.KIND));
      assertEquals(1, arcs(analysis, Level.PROCEDURE, CriticalPathReport.Grouping.PATH));
    }
  }

  private static long arcs(ApplicationAnalysis analysis, Level level, CriticalPathReport.Grouping grouping) {
    Table table = CriticalPathReport.of(analysis, level, grouping, Weight.CPU, null, Progress.NONE);
    int kind = table.column("kind");
    return table.rows().stream().filter(row -> !row.values().get(kind).equals("CPU")).count();
  }
}
