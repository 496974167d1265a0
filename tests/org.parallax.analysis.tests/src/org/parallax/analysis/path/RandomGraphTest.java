package org.parallax.analysis.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jgrapht.alg.shortestpath.BellmanFordShortestPath;
import org.jgrapht.graph.AsWeightedGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.RandomProgram;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.EventCursor;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** The critical path of random programs against their simulation, and against JGraphT. */
class RandomGraphTest {
  private static final int PROGRAMS = 150;

  @TempDir Path directory;

  @Test
  void theLongestPathIsThatOfTheSimulationAndOfJGraphT() throws TraceException {
    int messages = 0;
    int late = 0;
    int arrivals = 0;
    Map<ArcKind, Integer> waits = new EnumMap<>(ArcKind.class);
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(
          seed, directory.resolve("trace" + seed), 2 + (int) seed % 4, 40 + (int) seed * 3);
      messages += program.messages;
      late += program.late;
      arrivals += program.arrivals;
      program.processes().waits().forEach((kind, count) -> waits.merge(kind, count, Integer::sum));
      try (Trace trace = Trace.open(program.write())) {
        for (Weight weight : Weight.values()) {
          check(trace, weight, program.longest(weight), "seed " + seed + ", " + weight);
        }
      }
    }
    assertTrue(messages > 20 * PROGRAMS, "programs send messages: " + messages);
    for (ArcKind kind : List.of(ArcKind.LOCK, ArcKind.SEMAPHORE, ArcKind.SIGNAL, ArcKind.STREAM, ArcKind.ROOM,
        ArcKind.SPAWN, ArcKind.EXEC, ArcKind.PROCESS_END)) {
      assertTrue(waits.getOrDefault(kind, 0) > 40, kind + " in " + waits);
    }
    assertTrue(late > PROGRAMS, "sends wait for receivers: " + late);
    assertTrue(arrivals > 20, "collectives wait for others than those whose data they receive: " + arrivals);
  }

  private void check(Trace trace, Weight weight, long expected, String message) {
    Replay replay = Replay.of(trace.processes(), ReplaySetup.of(weight), Progress.NONE);
    assertEquals(List.of(), replay.warnings(), message);
    CriticalPath path = CriticalPath.of(replay);
    assertEquals(expected, path.lengthNs(), message + ": replay");
    assertEquals(expected, sumOf(path), message + ": parts of the path");

    ActivityGraph graph = ActivityGraph.of(trace.processes(), ReplaySetup.of(weight), Progress.NONE);
    long[] longest = graph.longestPathsNs();
    assertEquals(expected, Arrays.stream(longest).max().orElseThrow(), message + ": graph");
    assertEquals(expected, longestByJGraphT(graph), message + ": JGraphT");
    if (weight == Weight.WALL) {
      assertTrue(expected <= trace.durationNs(), message + ": no longer than the run");
    }
  }

  /** Paths of some of the processes, which others prolong. */
  @Test
  void whatOthersDoCountsFromWhereAPathReachesThem() throws TraceException {
    int prolonged = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(
          seed, directory.resolve("trace" + seed), 2 + (int) seed % 4, 40 + (int) seed * 3);
      try (Trace trace = Trace.open(program.write())) {
        Set<ProcessTrace> active = new HashSet<>();
        for (ProcessTrace process : trace.processes()) {
          if (process.index() % 3 != seed % 3) {
            active.add(process);
          }
        }
        for (Weight weight : Weight.values()) {
          String message = "seed " + seed + ", " + weight;
          CriticalPath path = CriticalPath.of(Replay.of(
              trace.processes(), new ReplaySetup(weight, Window.ALL, active), Progress.NONE));
          long expected = longestFrom(active, trace, weight);
          assertEquals(expected, path.lengthNs(), message);
          assertEquals(expected, sumOf(path), message + ": parts of the path");
          assertEquals(expected, new Slack(ActivityGraph.of(trace.processes(),
              new ReplaySetup(weight, Window.ALL, active), Progress.NONE)).lengthNs(), message);
          long alone = CriticalPath.of(Replay.of(List.copyOf(active), ReplaySetup.of(weight),
              Progress.NONE)).lengthNs();
          prolonged += expected > alone ? 1 : 0;
        }
      }
    }
    assertTrue(prolonged > PROGRAMS / 4, "others prolong paths: " + prolonged);
  }

  /** In the graph of all processes, the longest path from and to some. */
  private static long longestFrom(Set<ProcessTrace> active, Trace trace, Weight weight) {
    ReplaySetup setup = ReplaySetup.of(weight);
    ActivityGraph graph = ActivityGraph.of(trace.processes(), setup, Progress.NONE);
    List<ThreadRecord> threads = Replay.of(trace.processes(), setup, Progress.NONE).threads();
    long[] longest = new long[graph.vertexCount()];
    Arrays.fill(longest, -1);
    longest[0] = 0;
    long most = 0;
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      int to = graph.to(arc);
      boolean isActive =
          graph.thread(to) >= 0 && active.contains(threads.get(graph.thread(to)).process());
      long through = longest[graph.from(arc)];
      if (through >= 0 && (graph.from(arc) != 0 || isActive)) {
        longest[to] = Math.max(longest[to], through + graph.weightNs(arc));
      } else if (isActive && graph.kind(arc).isBegin()) {
        longest[to] = Math.max(longest[to], 0);
      }
      most = isActive ? Math.max(most, longest[to]) : most;
    }
    return most;
  }

  /** Paths in a part of the time. */
  @Test
  void whatIsOutsideOfAWindowWeighsNothing() throws TraceException {
    Random random = new Random(1);
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(
          seed, directory.resolve("trace" + seed), 2 + (int) seed % 4, 40 + (int) seed * 3);
      try (Trace trace = Trace.open(program.write())) {
        long begin = random.nextLong(trace.durationNs());
        Window window = new Window(begin, begin + 1 + random.nextLong(trace.durationNs() - begin));
        String message = "seed " + seed + ", " + window;
        CriticalPath path = CriticalPath.of(Replay.of(
            trace.processes(), new ReplaySetup(Weight.WALL, window, null), Progress.NONE));
        assertEquals(longestIn(window, trace), path.lengthNs(), message);
        assertEquals(path.lengthNs(), sumOf(path), message + ": parts of the path");
        assertTrue(path.lengthNs() <= window.endNs() - window.beginNs(), message);
        long cpu = 0;
        for (Window part : List.of(new Window(Long.MIN_VALUE, window.beginNs()), window,
            new Window(window.endNs(), Long.MAX_VALUE))) {
          for (ThreadRecord thread : Replay.of(trace.processes(),
              new ReplaySetup(Weight.CPU, part, null), Progress.NONE).threads()) {
            cpu += thread.metrics().cpuNs;
          }
        }
        assertEquals(Replay.of(trace.processes(), ReplaySetup.of(Weight.CPU), Progress.NONE)
            .threads().stream().mapToLong(thread -> thread.metrics().cpuNs).sum(), cpu, 3,
            message + ": CPU time of all parts, but for a rounding of what was lost");
      }
    }
  }

  /** By wall time, each arc of the graph of all time weighs the time right before its end. */
  private static long longestIn(Window window, Trace trace) {
    ReplaySetup setup = ReplaySetup.of(Weight.WALL);
    ActivityGraph graph = ActivityGraph.of(trace.processes(), setup, Progress.NONE);
    List<ThreadRecord> threads = Replay.of(trace.processes(), setup, Progress.NONE).threads();
    long[] longest = new long[graph.vertexCount()];
    Arrays.fill(longest, -1);
    longest[0] = 0;
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      int to = graph.to(arc);
      long weight = 0;
      if (graph.thread(to) >= 0) {
        EventCursor cursor = threads.get(graph.thread(to)).thread().cursor();
        cursor.seek(graph.position(to));
        weight = window.overlapNs(cursor.timeNs() - graph.weightNs(arc), cursor.timeNs());
      }
      if (longest[graph.from(arc)] >= 0) {
        longest[to] = Math.max(longest[to], longest[graph.from(arc)] + weight);
      }
    }
    return Arrays.stream(longest).max().orElseThrow();
  }

  private static long sumOf(CriticalPath path) {
    long sum = 0;
    for (ThreadRecord thread : path.replay().threads()) {
      long[] work = path.workNs(thread.index());
      if (work != null) {
        for (long ns : work) {
          assertTrue(ns >= 0);
          sum += ns;
        }
      }
    }
    return sum + path.arcs().values().stream().mapToLong(CriticalPath.ArcSum::ns).sum();
  }

  /** The shortest paths with the weights' signs changed. */
  private static long longestByJGraphT(ActivityGraph graph) {
    var view = new ActivityGraphView(graph);
    var negative = new AsWeightedGraph<>(view, edge -> -view.getEdgeWeight(edge), false, false);
    var paths = new BellmanFordShortestPath<>(negative).getPaths(0);
    List<Double> lengths = new ArrayList<>();
    for (int vertex : view.vertexSet()) {
      double weight = paths.getWeight(vertex);
      if (weight != Double.POSITIVE_INFINITY) {
        lengths.add(-weight);
      }
    }
    return lengths.stream().mapToLong(Double::longValue).max().orElseThrow();
  }
}
