package org.parallax.analysis.graph;

import java.util.Arrays;

/**
 * By how much each arc of an activity graph could be longer without making the longest path longer:
 * the length of the longest path less that of the longest one through the arc. Arcs of the critical
 * path have none; those with little are next when it is shortened (near-critical paths, Alexander,
 * Reese and Harden 1994).
 *
 * <p>Linear in the arcs; 16 bytes for each vertex.
 */
public final class Slack {
  private final ActivityGraph graph;
  private final long[] beforeNs;
  private final long[] afterNs;
  private final long lengthNs;

  public Slack(ActivityGraph graph) {
    this.graph = graph;
    beforeNs = graph.longestPathsNs();
    afterNs = new long[graph.vertexCount()];
    for (int arc = graph.arcCount() - 1; arc >= 0; arc--) {
      int from = graph.from(arc);
      afterNs[from] = Math.max(afterNs[from], afterNs[graph.to(arc)] + graph.weightNs(arc));
    }
    lengthNs = Arrays.stream(beforeNs).max().orElse(0);
  }

  /** @return the length of the longest path in nanoseconds */
  public long lengthNs() {
    return lengthNs;
  }

  /** @return nanoseconds, or -1 for an arc that no path from the begin reaches */
  public long slackNs(int arc) {
    long before = beforeNs[graph.from(arc)];
    return before < 0 ? -1
        : lengthNs - before - graph.weightNs(arc) - afterNs[graph.to(arc)];
  }
}
