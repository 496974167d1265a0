package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.path.ActivityGraph;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Collective;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Region;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/**
 * Efficiency factors of drawn cases with known answers, what holds of all, and the time on an ideal
 * network against the activity graph with other weights, searched slowly.
 */
class EfficiencyTest {
  private static final int WORLD = 1;
  private static final double EXACT = 1e-9;
  private static final int PROGRAMS = 60;

  @TempDir Path directory;

  private static double value(Table table, int run, String name) {
    return table.rows().stream().filter(row -> row.name().equals(name))
        .map(row -> ((Number) row.values().get(run)).doubleValue()).findFirst().orElseThrow();
  }

  private static void assertFactors(Table table, int run, Object... namesAndPercents) {
    for (int i = 0; i < namesAndPercents.length; i += 2) {
      assertEquals(((Number) namesAndPercents[i + 1]).doubleValue(),
          value(table, run, (String) namesAndPercents[i]), EXACT, (String) namesAndPercents[i]);
    }
  }

  /** Each factor is what those below it multiply to. */
  private static void assertIdentities(Table table) {
    for (int run = 0; run < table.columns().size(); run++) {
      assertProduct(table, run, "Global efficiency", "Parallel efficiency", "Computation scaling");
      assertProduct(
          table, run, "Parallel efficiency", "Load balance", "Communication efficiency");
      assertProduct(table, run, "Communication efficiency", "Serialization efficiency",
          "Transfer efficiency");
      for (String name : List.of("Parallel efficiency", "Load balance",
          "Communication efficiency", "Serialization efficiency", "Transfer efficiency")) {
        double percent = value(table, run, name);
        assertTrue(percent >= 0 && percent <= 100 + EXACT, name + " is " + percent);
      }
      if (table.rows().stream().anyMatch(row -> row.name().startsWith("Thread"))) {
        assertProduct(table, run, "Parallel efficiency", "Process parallel efficiency",
            "Thread parallel efficiency");
        assertProduct(table, run, "Process parallel efficiency", "Process load balance",
            "Process communication efficiency");
        assertProduct(table, run, "Thread parallel efficiency", "Thread load balance",
            "Thread communication efficiency");
        assertProduct(table, run, "Load balance", "Process load balance", "Thread load balance");
      }
    }
  }

  private static void assertProduct(
      Table table, int run, String name, String first, String second) {
    assertEquals(value(table, run, name),
        value(table, run, first) * value(table, run, second) / 100, EXACT, name);
  }

  private Table table(boolean weak, Window window, TraceBuilder... traces) throws Exception {
    List<Path> paths = new ArrayList<>();
    for (TraceBuilder trace : traces) {
      paths.add(trace.write());
    }
    LoadedSession session = SessionBuilder.open(paths, Progress.NONE);
    try {
      Table table = EfficiencyReport.of(session.getApplications().stream()
          .map(ApplicationAnalysis::new).map(run -> run.during(new Phase("part", window))).toList(),
          weak, Progress.NONE);
      assertIdentities(table);
      return table;
    } finally {
      SessionBuilder.close(session);
    }
  }

  private TraceBuilder ranks(String name, int ranks) {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name));
    for (int rank = 0; rank < ranks; rank++) {
      trace.process("n", "/opt/p").mpi(7, rank, ranks);
    }
    return trace;
  }

  /** Both ranks work, meet in a barrier and work again; the second does more before it. */
  private TraceBuilder imbalance() {
    // 0:  aaaB......=bb     40 + 20 of 130
    // 1:  aaaaaaaaaaB=bb    100 + 20
    TraceBuilder trace = ranks("imbalance", 2);
    for (int rank = 0; rank < 2; rank++) {
      long work = rank == 0 ? 40 : 100;
      trace.process(rank).thread(0).enter(0, "a").leave(work)
          .collective(work, 110, "MPI_Barrier", WORLD, Collective.BARRIER, Kind.NO_ROOT, 0, 0)
          .enter(110, "b").leave(130);
    }
    return trace;
  }

  @Test
  void imbalanceAndTransfer() throws Exception {
    Table table = table(false, Window.ALL, imbalance());
    assertFactors(table, 0, "Processes", 2, "Places", 2, "Elapsed time", 130, "Useful time", 180,
        "Most useful time of a place", 120, "Elapsed time on an ideal network", 120,
        "Parallel efficiency", 100 * 180 / 260.0, "Load balance", 100 * 180 / 240.0,
        "Communication efficiency", 100 * 120 / 130.0, "Serialization efficiency", 100,
        "Transfer efficiency", 100 * 120 / 130.0, "Computation scaling", 100,
        "Processor availability", 100);
    assertEquals(List.of(), table.warnings());
  }

  @Test
  void aPhaseIsARunOfItsOwn() throws Exception {
    Table table = table(false, new Window(0, 100), imbalance());
    assertFactors(table, 0, "Elapsed time", 100, "Useful time", 140, "Load balance", 70,
        "Serialization efficiency", 100, "Transfer efficiency", 100);
  }

  @Test
  void turnsAreSerialization() throws Exception {
    // 0:  aaaaS=R......=      both work for 40, one after the other: nothing overlaps
    // 1:  R....=bbbbS=        ideal: 80 of 105
    TraceBuilder trace = ranks("turns", 2);
    trace.process(0).thread(0).enter(0, "a").leave(40).send(40, 45, "MPI_Send", WORLD, 1, 0, 8)
        .receive(45, 105, "MPI_Recv", WORLD, 1, 0, 8);
    trace.process(1).thread(0).receive(0, 50, "MPI_Recv", WORLD, 0, 0, 8).enter(50, "b").leave(90)
        .send(90, 95, "MPI_Send", WORLD, 0, 0, 8);
    assertFactors(table(false, Window.ALL, trace), 0, "Elapsed time", 105, "Load balance", 100,
        "Elapsed time on an ideal network", 80, "Serialization efficiency", 50,
        "Transfer efficiency", 100 * 80 / 105.0, "Parallel efficiency", 100 * 80 / 210.0);
  }

  @Test
  void threadsAndProcesses() throws Exception {
    // Each process: 20 serial, a region of two threads, MPI until 100; the second's is unbalanced.
    TraceBuilder trace = ranks("hybrid", 2);
    for (int rank = 0; rank < 2; rank++) {
      TracedProcess process = trace.process(rank);
      int tasks = process.syncObject(8, 0x40);
      int barrier = process.syncObject(3, 0x50);
      process.region("omp parallel");
      process.region("omp implicit barrier");
      process.region("[OpenMP idle]");
      TracedThread main = process.thread(0);
      TracedThread worker = process.thread(1, 0, "worker");
      long half = rank == 0 ? 60 : 40;
      main.create(0, 0, "pthread_create", 1).enter(0, "s").leave(20).enter(20, "omp parallel")
          .signal(20, tasks, 1).leave(20).enter(20, "r").leave(60)
          .barrier(60, 60, "omp implicit barrier", barrier, 0, 2)
          .collective(60, 100, "MPI_Barrier", WORLD, Collective.BARRIER, Kind.NO_ROOT, 0, 0);
      worker.threadBegin(0, 0).awaitSignal(0, 20, "[OpenMP idle]", tasks, 1).enter(20, "r")
          .leave(half).barrier(half, 60, "omp implicit barrier", barrier, 0, 2)
          .enter(60, "[OpenMP idle]").leave(100).threadEnd(100);
    }
    // Useful: 60 + 40 and 60 + 20 of 400; outside of MPI: 60 and 60 of 200.
    assertFactors(table(false, Window.ALL, trace), 0, "Processes", 2, "Places", 4,
        "Parallel efficiency", 45, "Load balance", 75, "Communication efficiency", 60,
        "Process parallel efficiency", 60, "Process load balance", 100,
        "Process communication efficiency", 60, "Thread parallel efficiency", 75,
        "Thread load balance", 75, "Thread communication efficiency", 100);
  }

  @Test
  void threadsAfterEachOtherTakeOnePlace() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("places"));
    TracedProcess process = trace.process("n", "/opt/p");
    TracedThread main = process.thread(0);
    for (int thread = 1; thread <= 3; thread++) {
      long begin = 100 * (thread - 1);
      main.create(begin, begin, "pthread_create", thread)
          .join(begin + 1, begin + 100, "pthread_join", thread);
      process.thread(thread, 0, "t").threadBegin(begin, 0).enter(begin, "w").leave(begin + 100)
          .threadEnd(begin + 100);
    }
    assertFactors(table(false, Window.ALL, trace), 0, "Places", 2, "Useful time", 303,
        "Most useful time of a place", 300, "Communication efficiency", 100);
  }

  @Test
  void aSeriesIsComparedToItsSmallestRun() throws Exception {
    // The same work of 400 on four ranks and two; on four it costs 40 more, and 100 at a time.
    TraceBuilder four = ranks("four", 4);
    for (int rank = 0; rank < 4; rank++) {
      four.process(rank).thread(0).enter(0, "a").leave(110);
    }
    TraceBuilder two = ranks("two", 2);
    for (int rank = 0; rank < 2; rank++) {
      two.process(rank).thread(0).enter(0, "a").leave(200);
    }
    Table strong = table(false, Window.ALL, four, two);
    assertEquals(2, strong.columns().size());
    assertFactors(strong, 0, "Parallel efficiency", 100, "Computation scaling", 100 * 400 / 440.0,
        "Global efficiency", 100 * 400 / 440.0, "Speedup", 100 * 200 / 110.0);
    assertFactors(strong, 1, "Computation scaling", 100, "Speedup", 100);
    Table weak = table(true, Window.ALL, four, two);
    assertFactors(weak, 0, "Computation scaling", 100 * 200 / 110.0);
  }

  @Test
  void processorsThatAreSharedAreSaid() throws Exception {
    TraceBuilder trace = ranks("shared", 1);
    trace.process(0).thread(0).enter(0, "a").lost(100, 40).leave(100);
    Table table = table(false, Window.ALL, trace);
    assertFactors(table, 0, "Useful time", 60, "Time outside of routines", 100,
        "Processor availability", 60, "Parallel efficiency", 60);
    assertEquals(1, table.warnings().size());
    assertTrue(table.warnings().get(0).contains("60 %"), table.warnings().toString());
  }

  @Test
  void sleepsAreNotUsefulWhetherTheyAreMeasuredOrNot() throws Exception {
    // As recorded with samples on CPU time, and on wall time.
    TraceBuilder cpu = ranks("cpu", 1);
    cpu.process(0).thread(0).threadBegin(0, -1).sample(50, "a").lost(950, 900).sample(1000, "a");
    TraceBuilder wall = ranks("wall", 1);
    wall.process(0).region("nanosleep");
    wall.process(0).thread(0).threadBegin(0, -1).sample(50, "a").enter(50, "a/nanosleep")
        .lost(950, 900).leave(950).sample(1000, "a");
    for (TraceBuilder trace : List.of(cpu, wall)) {
      assertFactors(table(false, Window.ALL, trace), 0, "Useful time", 100,
          "Parallel efficiency", 10, "Load balance", 100, "Communication efficiency", 10);
    }
  }

  // ------------------------------------------------------------- random programs

  @Test
  void theTimeOnAnIdealNetworkIsThatOfTheGraphWithoutTransfers() throws Exception {
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Path path = RandomPrograms.write(
          seed, directory.resolve("random" + seed), 2 + (int) seed % 4, 60 + (int) seed * 3);
      try (Trace trace = Trace.open(path)) {
        List<ProcessTrace> processes = trace.processes();
        Replay ideal = Replay.of(processes, ReplaySetup.of(Weight.WALL)
            .with(Efficiency.idealNetwork(Set.copyOf(processes))), Progress.NONE);
        assertEquals(longestWithoutTransfers(processes, ideal.threads()), ideal.last().length(),
            "seed " + seed);
        LoadedSession session = SessionBuilder.of(trace);
        Table table = EfficiencyReport.of(
            List.of(ApplicationAnalysis.global(session.getApplications())), false, Progress.NONE);
        assertIdentities(table);
        assertEquals(ideal.last().length(),
            (long) value(table, 0, "Elapsed time on an ideal network"),
            "at least the most useful work of a place, seed " + seed);
      }
    }
  }

  private static long longestWithoutTransfers(
      List<ProcessTrace> processes, List<ThreadRecord> threads) {
    ActivityGraph graph =
        ActivityGraph.of(processes, ReplaySetup.of(Weight.WALL), Progress.NONE);
    Set<Integer> signalled = signalled(graph, threads);
    long[] longest = new long[graph.vertexCount()];
    Arrays.fill(longest, -1);
    longest[0] = 0;
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      if (longest[graph.from(arc)] >= 0) {
        longest[graph.to(arc)] = Math.max(longest[graph.to(arc)],
            longest[graph.from(arc)] + weight(graph, arc, threads, signalled));
      }
    }
    return Arrays.stream(longest).max().orElseThrow();
  }

  /** Ends of calls during which the signal came that they waited for. */
  private static Set<Integer> signalled(ActivityGraph graph, List<ThreadRecord> threads) {
    Map<Integer, Long> begins = new HashMap<>();
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      if (graph.kind(arc) == ArcKind.WAIT) {
        begins.put(graph.to(arc), timeNs(graph, graph.from(arc), threads));
      }
    }
    Set<Integer> signalled = new HashSet<>();
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      int to = graph.to(arc);
      if (graph.kind(arc) == ArcKind.SIGNAL
          && timeNs(graph, graph.from(arc), threads) > begins.get(to)) {
        signalled.add(to);
      }
    }
    return signalled;
  }

  private static long timeNs(ActivityGraph graph, int vertex, List<ThreadRecord> threads) {
    EventCursor cursor = threads.get(graph.thread(vertex)).thread().cursor();
    cursor.seek(graph.position(vertex));
    return cursor.timeNs();
  }

  /** What remains of a call that a signal ends is no transfer, though it waited for bytes, too. */
  private static long weight(
      ActivityGraph graph, int arc, List<ThreadRecord> threads, Set<Integer> signalled) {
    int to = graph.to(arc);
    if (graph.thread(to) < 0) {
      return graph.weightNs(arc);
    }
    ThreadRecord record = threads.get(graph.thread(to));
    EventCursor cursor = record.thread().cursor();
    if (graph.kind(arc) != ArcKind.WORK) {
      cursor.seek(graph.position(to));
      return cursor.kind() == Kind.LEAVE && communicates(record.process(), cursor.operand())
          && !signalled.contains(to) ? 0 : graph.weightNs(arc);
    }
    long from = graph.thread(graph.from(arc)) < 0 ? -1 : graph.position(graph.from(arc));
    List<Integer> open = new ArrayList<>();
    long ns = 0;
    long before = record.thread().beginNs();
    while (cursor.next() && cursor.position() <= graph.position(to)) {
      if (cursor.position() > from
          && (open.isEmpty() || !communicates(record.process(), open.get(open.size() - 1)))) {
        ns += cursor.timeNs() - before;
      }
      before = cursor.timeNs();
      if (cursor.kind() == Kind.ENTER) {
        open.add(cursor.operand());
      } else if (cursor.kind() == Kind.LEAVE && open.contains(cursor.operand())) {
        while (open.remove(open.size() - 1) != cursor.operand()) {
          // Left together with the one below it.
        }
      }
    }
    return ns;
  }

  private static boolean communicates(ProcessTrace process, int path) {
    if (process.callPaths().kind(path) != CallPaths.REGION) {
      return false;
    }
    Region.Group group = process.region((int) process.callPaths().value(path)).group();
    return group == Region.Group.MPI || group == Region.Group.STREAM;
  }
}
