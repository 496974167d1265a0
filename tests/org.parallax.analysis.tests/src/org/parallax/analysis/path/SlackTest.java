package org.parallax.analysis.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.RandomProgram;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.Weight;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** The slack of arcs of random programs against what a longer arc does, and the paths by it. */
class SlackTest {
  private static final int PROGRAMS = 40;
  private static final int ARCS = 30;

  @TempDir Path directory;

  @Test
  void anArcCanBeLongerByItsSlackAndNoMore() throws TraceException {
    Random random = new Random(1);
    int some = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(seed, directory.resolve("trace" + seed), 3, 200);
      try (Trace trace = Trace.open(program.write())) {
        ActivityGraph graph = ActivityGraph.of(
            trace.processes(), ReplaySetup.of(Weight.CPU), Progress.NONE);
        Slack slack = new Slack(graph);
        assertEquals(longest(graph, 0, 0), slack.lengthNs());
        for (int i = 0; i < ARCS; i++) {
          int arc = random.nextInt(graph.arcCount());
          long ns = slack.slackNs(arc);
          some += ns > 0 ? 1 : 0;
          assertEquals(slack.lengthNs(), longest(graph, arc, ns), "seed " + seed + ", arc " + arc);
          assertEquals(slack.lengthNs() + 1, longest(graph, arc, ns + 1),
              "seed " + seed + ", arc " + arc);
        }
      }
    }
    assertTrue(some > PROGRAMS, "arcs with slack: " + some);
  }

  /** Of a graph with one arc that is longer. */
  private static long longest(ActivityGraph graph, int longer, long byNs) {
    long[] longest = new long[graph.vertexCount()];
    Arrays.fill(longest, -1);
    longest[0] = 0;
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      if (longest[graph.from(arc)] >= 0) {
        longest[graph.to(arc)] = Math.max(longest[graph.to(arc)], longest[graph.from(arc)]
            + graph.weightNs(arc) + (arc == longer ? byNs : 0));
      }
    }
    return Arrays.stream(longest).max().orElseThrow();
  }

  @Test
  void pathsAreConnectedAndApart() throws TraceException {
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(seed, directory.resolve("trace" + seed), 3, 200);
      try (Trace trace = Trace.open(program.write())) {
        ActivityGraph graph = ActivityGraph.of(
            trace.processes(), ReplaySetup.of(Weight.CPU), Progress.NONE);
        Slack slack = new Slack(graph);
        List<NearPaths.NearPath> paths = NearPaths.of(graph, slack, Integer.MAX_VALUE, 1);
        assertEquals(slack.lengthNs(), paths.get(0).lengthNs());
        assertEquals(slack.lengthNs(), paths.get(0).weightNs());
        assertEquals(0, graph.from(paths.get(0).arcs()[0]));
        BitSet taken = new BitSet();
        long before = slack.lengthNs();
        for (NearPaths.NearPath path : paths) {
          assertTrue(path.lengthNs() <= before && path.weightNs() <= path.lengthNs());
          before = path.lengthNs();
          int[] arcs = path.arcs();
          for (int i = 0; i < arcs.length; i++) {
            assertTrue(!taken.get(arcs[i]) && (i == 0 || graph.to(arcs[i - 1]) == graph.from(arcs[i])));
            taken.set(arcs[i]);
          }
        }
        assertTrue(IntStream.range(0, graph.arcCount()).allMatch(arc -> taken.get(arc)
            || graph.weightNs(arc) == 0 || slack.slackNs(arc) < 0), "all that weighs is on a path");
      }
    }
  }
}
