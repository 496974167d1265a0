package org.parallax.analysis.replay;

/**
 * Is told of every arc that the replay finds, in an order in which the origin of an arc comes
 * before its target. Vertices are named as {@link Reference} packs them; weights are nanoseconds,
 * not negative.
 */
public interface ReplayListener {
  /**
   * @param from origin of the arc; {@link Reference#NONE} for the start of a thread
   * @param to target
   */
  void arc(ArcKind kind, long from, long to, long weightNs);

  /** A participant of a collective makes its contribution at a vertex. */
  void contribution(long key, long sequence, int rank, long from);

  /** Arcs from the contributions of ranks in [from, to) of a collective to a vertex. */
  void groupArcs(
      ArcKind kind, long key, long sequence, int from, int to, long target, long weightNs);
}
