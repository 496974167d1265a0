package org.parallax.analysis.clocks;

import java.util.Arrays;

/**
 * The time before a jump of a {@link LogicalClock} over which the jump is spread: the backward
 * amortization of the controlled logical clock (Becker, Rabenseifner, Wolf and Linford, "Scalable
 * timestamp synchronization for event traces of message-passing applications", Parallel Computing
 * 35(12), 2009). Events there are moved forward, by more the later they are, but each cause at most up
 * to what it caused.
 *
 * <p>The move is the greatest convex function of time that is 0 at the begin, the jump at the end, and
 * within the limits. For limits, the window is divided into {@value #PARTS} parts, in each of which the strictest
 * one counts for all its causes. Memory: 1 KiB.
 */
final class BackwardWindow {
  private static final int PARTS = 64;

  private final long beginNs;
  private final long endNs;
  private final long jumpNs;
  private final long[] limitNs = new long[PARTS];
  private final long[] latestNs = new long[PARTS];

  BackwardWindow(long beginNs, long endNs, long jumpNs) {
    this.beginNs = beginNs;
    this.endNs = endNs;
    this.jumpNs = jumpNs;
    Arrays.fill(limitNs, Long.MAX_VALUE);
    Arrays.fill(latestNs, Long.MIN_VALUE);
  }

  /** A cause at this time, after the begin, must not move by more than this. */
  void limit(long ns, long mostNs) {
    if (mostNs >= jumpNs) {
      return;
    }
    // The quotient of long times is rounded, up to 1.
    int part = Math.min(PARTS - 1, (int) ((double) (ns - beginNs) / (endNs - beginNs + 1) * PARTS));
    limitNs[part] = Math.min(limitNs[part], Math.max(0, mostNs));
    latestNs[part] = Math.max(latestNs[part], ns);
  }

  /** Adds the knots of the move: a lower convex hull, by Andrew's monotone chain. */
  void addTo(Knots knots) {
    long[] x = new long[PARTS + 2];
    long[] y = new long[PARTS + 2];
    x[0] = beginNs;
    int count = 1;
    for (int part = 0; part <= PARTS; part++) {
      boolean last = part == PARTS;
      if (!last && limitNs[part] == Long.MAX_VALUE) {
        continue;
      }
      long atNs = last ? endNs : latestNs[part];
      long byNs = last ? jumpNs : limitNs[part];
      if (x[count - 1] == atNs && count > 1) {
        byNs = Math.min(byNs, y[count - 1]);
        count--;
      }
      while (count > 1 && isAbove(x[count - 2], y[count - 2], x[count - 1], y[count - 1], atNs, byNs)) {
        count--;
      }
      x[count] = atNs;
      y[count++] = byNs;
    }
    for (int i = 0; i < count; i++) {
      knots.add(x[i], x[i] + y[i]);
    }
  }

  /** @return whether the middle point is on or above the line between the others */
  private static boolean isAbove(long x0, long y0, long x1, long y1, long x2, long y2) {
    return (double) (y1 - y0) * (x2 - x0) >= (double) (y2 - y0) * (x1 - x0);
  }
}
