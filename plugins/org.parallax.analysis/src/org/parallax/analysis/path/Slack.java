package org.parallax.analysis.path;

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
    long length = 0;
    for (int vertex = 0; vertex < afterNs.length; vertex++) {
      afterNs[vertex] = graph.isActive(vertex) ? 0 : -1;
      length = graph.isActive(vertex) ? Math.max(length, beforeNs[vertex]) : length;
    }
    for (int arc = graph.arcCount() - 1; arc >= 0; arc--) {
      int from = graph.from(arc);
      long after = afterNs[graph.to(arc)];
      if (after >= 0) {
        afterNs[from] = Math.max(afterNs[from], after + graph.weightNs(arc));
      }
    }
    lengthNs = length;
  }

  /** @return the length of the longest path in nanoseconds */
  public long lengthNs() {
    return lengthNs;
  }

  /** @return nanoseconds, or -1 for an arc that is on no path from a begin to an end */
  public long slackNs(int arc) {
    long before = beforeNs[graph.from(arc)];
    long after = afterNs[graph.to(arc)];
    boolean passes = graph.from(arc) != 0 || graph.isActive(graph.to(arc));
    return before < 0 || after < 0 || !passes ? -1
        : lengthNs - before - graph.weightNs(arc) - after;
  }
}
