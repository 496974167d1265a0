package org.parallax.analysis.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.parallax.analysis.internal.IntList;

/**
 * The critical path and those that come next. Arcs are taken by rising slack; the longest path through
 * an arc that no path before it has leaves these for a while. It counts if that detour weighs
 * enough: paths that differ in little are not told apart.
 *
 * <p>Cost: the slack of all arcs, sorted; each arc is in one detour.
 */
public final class NearPaths {
  private static final int NONE = -1;

  /**
   * A path.
   *
   * @param lengthNs of all of it
   * @param arcs those that no longer path has, in their order; of the first all
   * @param weightNs of these
   */
  public record NearPath(long lengthNs, int[] arcs, long weightNs) {}

  private final ActivityGraph graph;
  private final Slack slack;
  /** Of each vertex: the arc by which the longest path comes, and by which it goes on. */
  private final int[] arcIn;
  private final int[] arcOut;
  private final BitSet taken;

  private NearPaths(ActivityGraph graph, Slack slack) {
    this.graph = graph;
    this.slack = slack;
    taken = new BitSet(graph.arcCount());
    arcIn = new int[graph.vertexCount()];
    arcOut = new int[graph.vertexCount()];
    Arrays.fill(arcIn, NONE);
    Arrays.fill(arcOut, NONE);
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      if (slack.slackNs(arc) >= 0) {
        keepBetter(arcIn, graph.to(arc), arc);
        keepBetter(arcOut, graph.from(arc), arc);
      }
    }
  }

  /** Among the arcs into a vertex the one with the least slack is on the longest path to it. */
  private void keepBetter(int[] best, int vertex, int arc) {
    if (best[vertex] == NONE || slack.slackNs(arc) < slack.slackNs(best[vertex])) {
      best[vertex] = arc;
    }
  }

  /**
   * Finds paths, the longest first.
   *
   * @param count of paths at most, the critical one included
   * @param leastNs that what is new in a path must weigh
   */
  public static List<NearPath> of(ActivityGraph graph, Slack slack, int count, long leastNs) {
    NearPaths paths = new NearPaths(graph, slack);
    List<NearPath> found = new ArrayList<>();
    List<Integer> bySlack = IntStream.range(0, graph.arcCount())
        .filter(arc -> graph.weightNs(arc) > 0 && slack.slackNs(arc) >= 0).boxed()
        .sorted(Comparator.comparingLong(slack::slackNs)).toList();
    for (int arc : bySlack) {
      if (found.size() == count) {
        break;
      }
      if (!paths.taken.get(arc)) {
        NearPath path = paths.detour(arc);
        if (found.isEmpty() || path.weightNs >= leastNs) {
          found.add(path);
        }
      }
    }
    return found;
  }

  private NearPath detour(int arc) {
    IntList arcs = new IntList();
    int at = arc;
    while (at != NONE && !taken.get(at)) {
      arcs.add(at);
      at = arcIn[graph.from(at)];
    }
    int before = (int) arcs.size();
    at = arcOut[graph.to(arc)];
    while (at != NONE && !taken.get(at)) {
      arcs.add(at);
      at = arcOut[graph.to(at)];
    }
    int[] ordered = new int[(int) arcs.size()];
    long weight = 0;
    for (int i = 0; i < ordered.length; i++) {
      ordered[i] = arcs.get(i < before ? before - 1 - i : i);
      taken.set(ordered[i]);
      weight += graph.weightNs(ordered[i]);
    }
    return new NearPath(slack.lengthNs() - slack.slackNs(arc), ordered, weight);
  }
}
