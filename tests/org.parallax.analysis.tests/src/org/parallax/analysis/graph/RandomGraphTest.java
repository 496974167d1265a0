package org.parallax.analysis.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jgrapht.alg.shortestpath.BellmanFordShortestPath;
import org.jgrapht.graph.AsWeightedGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    Map<ArcKind, Integer> waits = new EnumMap<>(ArcKind.class);
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(
          seed, directory.resolve("trace" + seed), 2 + (int) seed % 4, 40 + (int) seed * 3);
      messages += program.messages;
      late += program.late;
      program.processes().waits().forEach((kind, count) -> waits.merge(kind, count, Integer::sum));
      try (Trace trace = Trace.open(program.write())) {
        for (Weight weight : Weight.values()) {
          check(trace, weight, program.longest(weight), "seed " + seed + ", " + weight);
        }
      }
    }
    assertTrue(messages > 20 * PROGRAMS, "programs send messages: " + messages);
    for (ArcKind kind : List.of(ArcKind.LOCK, ArcKind.SEMAPHORE, ArcKind.STREAM, ArcKind.ROOM,
        ArcKind.SPAWN, ArcKind.EXEC, ArcKind.PROCESS_END)) {
      assertTrue(waits.getOrDefault(kind, 0) > 40, kind + " in " + waits);
    }
    assertTrue(late > PROGRAMS, "sends wait for receivers: " + late);
  }

  private void check(Trace trace, Weight weight, long expected, String message) {
    Replay replay = Replay.of(trace.processes(), weight, Progress.NONE);
    assertEquals(List.of(), replay.warnings(), message);
    CriticalPath path = CriticalPath.of(replay);
    assertEquals(expected, path.lengthNs(), message + ": replay");
    assertEquals(expected, sumOf(path), message + ": parts of the path");

    ActivityGraph graph = ActivityGraph.of(trace.processes(), weight, Progress.NONE);
    long[] longest = graph.longestPathsNs();
    assertEquals(expected, Arrays.stream(longest).max().orElseThrow(), message + ": graph");
    assertEquals(expected, longestByJGraphT(graph), message + ": JGraphT");
    if (weight == Weight.WALL) {
      assertTrue(expected <= trace.durationNs(), message + ": no longer than the run");
    }
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
