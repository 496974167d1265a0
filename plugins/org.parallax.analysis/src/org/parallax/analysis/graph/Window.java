package org.parallax.analysis.graph;

/**
 * The part of a run that an analysis is about: what happens outside of it weighs nothing.
 *
 * @param beginNs its first nanosecond, on the time base of the traces
 * @param endNs the first one after it
 */
public record Window(long beginNs, long endNs) {
  /** All of a run. */
  public static final Window ALL = new Window(Long.MIN_VALUE, Long.MAX_VALUE);

  /** @return true if the moment is in the window; its end counts, as that of a run does */
  public boolean contains(long timeNs) {
    return timeNs >= beginNs && timeNs <= endNs;
  }

  /** @return how much of an interval is in the window, in nanoseconds; 0 for one that ends first */
  public long overlapNs(long fromNs, long toNs) {
    return Math.max(0, Math.min(toNs, endNs) - Math.max(fromNs, beginNs));
  }

  /**
   * The CPU time that an interval has in the window: what was lost in it, at an unknown moment, is
   * taken to have been lost evenly.
   */
  public long cpuNs(long fromNs, long toNs, long lostNs) {
    long wall = toNs - fromNs;
    long inside = overlapNs(fromNs, toNs);
    long lost = lostNs == 0 || wall <= 0 ? 0
        : inside == wall ? lostNs : Math.round((double) lostNs * inside / wall);
    return Math.max(0, inside - lost);
  }
}
