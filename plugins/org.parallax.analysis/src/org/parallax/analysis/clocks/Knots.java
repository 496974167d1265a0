package org.parallax.analysis.clocks;

import java.util.Arrays;
import org.parallax.trace.TimeMap;

/** Knots of a correction under way. */
final class Knots {
  private long[] fromNs = new long[16];
  private long[] toNs = new long[16];
  private int count;

  /** Adds a knot; one that is not after the last one changes nothing. */
  void add(long from, long to) {
    if (count > 0 && from <= fromNs[count - 1]) {
      return;
    }
    if (count == fromNs.length) {
      fromNs = Arrays.copyOf(fromNs, 2 * count);
      toNs = Arrays.copyOf(toNs, 2 * count);
    }
    fromNs[count] = from;
    toNs[count] = count > 0 ? Math.max(to, toNs[count - 1]) : to;
    count++;
  }

  TimeMap map() {
    return TimeMap.of(Arrays.copyOf(fromNs, count), Arrays.copyOf(toNs, count));
  }
}
