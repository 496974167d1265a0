package org.parallax.analysis.replay;

import java.util.Arrays;

/**
 * The part of a run that an analysis is about: what happens outside of it weighs nothing. It is one
 * interval, or several that do not touch. Immutable.
 *
 * <p>What the parts of a divided window say adds up to what the whole says, to the nanosecond.
 */
public final class Window {
  /** All of a run. */
  public static final Window ALL = new Window(Long.MIN_VALUE, Long.MAX_VALUE);

  private final long beginNs;
  private final long endNs;
  /** Begins and ends in turns, where there are several intervals; else null. */
  private final long[] bounds;

  /**
   * @param beginNs its first nanosecond, on the time base of the traces
   * @param endNs the first one after it
   */
  public Window(long beginNs, long endNs) {
    this.beginNs = beginNs;
    this.endNs = endNs;
    bounds = null;
  }

  private Window(long[] bounds) {
    beginNs = bounds[0];
    endNs = bounds[bounds.length - 1];
    this.bounds = bounds.length == 2 ? null : bounds;
  }

  /**
   * Every moment that is in one of some intervals.
   *
   * @param intervals of each its begin and its end, which is not before it; at least one
   */
  public static Window union(long[][] intervals) {
    long[][] sorted = intervals.clone();
    Arrays.sort(sorted, (a, b) -> Long.compare(a[0], b[0]));
    long[] bounds = new long[2 * sorted.length];
    int used = 0;
    for (long[] interval : sorted) {
      if (used > 0 && interval[0] <= bounds[used - 1]) {
        bounds[used - 1] = Math.max(bounds[used - 1], interval[1]);
      } else {
        bounds[used++] = interval[0];
        bounds[used++] = interval[1];
      }
    }
    return new Window(Arrays.copyOf(bounds, used));
  }

  /** @return its first nanosecond */
  public long beginNs() {
    return beginNs;
  }

  /** @return the first nanosecond after all of it */
  public long endNs() {
    return endNs;
  }

  /** @return how many intervals it is */
  public int count() {
    return bounds == null ? 1 : bounds.length / 2;
  }

  /** @return the begin of an interval, in the order of time */
  public long beginNs(int interval) {
    return bounds == null ? beginNs : bounds[2 * interval];
  }

  /** @return the end of an interval */
  public long endNs(int interval) {
    return bounds == null ? endNs : bounds[2 * interval + 1];
  }

  /** @return the first interval that ends at the moment or later; {@link #count} if none does */
  public int intervalAt(long timeNs) {
    int low = 0;
    int high = count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (endNs(middle) < timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** @return true if the moment is in the window; its ends count, as those of a run do */
  public boolean contains(long timeNs) {
    if (timeNs < beginNs || timeNs > endNs) {
      return false;
    }
    return bounds == null || beginNs(intervalAt(timeNs)) <= timeNs;
  }

  /** @return how much of an interval is in the window, in nanoseconds; 0 for one that ends first */
  public long overlapNs(long fromNs, long toNs) {
    long overlap = Math.max(0, Math.min(toNs, endNs) - Math.max(fromNs, beginNs));
    if (bounds == null || overlap == 0) {
      return overlap;
    }
    overlap = 0;
    for (int i = intervalAt(fromNs); i < count() && beginNs(i) < toNs; i++) {
      overlap += Math.max(0, Math.min(toNs, endNs(i)) - Math.max(fromNs, beginNs(i)));
    }
    return overlap;
  }

  /**
   * The CPU time that an interval has in the window: what was lost in it, at an unknown moment, is
   * taken to have been lost evenly.
   */
  public long cpuNs(long fromNs, long toNs, long lostNs) {
    long inside = overlapNs(fromNs, toNs);
    if (lostNs == 0 || inside == 0) {
      return inside;
    }
    if (inside == toNs - fromNs) {
      return Math.max(0, inside - lostNs);
    }
    long cpu = 0;
    for (int i = intervalAt(fromNs); i < count() && beginNs(i) < toNs; i++) {
      cpu += cpuUntil(endNs(i), fromNs, toNs, lostNs) - cpuUntil(beginNs(i), fromNs, toNs, lostNs);
    }
    return cpu;
  }

  /** @return the part of {@link #cpuNs} from a moment on */
  public long cpuNsFrom(long splitNs, long fromNs, long toNs, long lostNs) {
    long cpu = 0;
    for (int i = intervalAt(splitNs); i < count() && beginNs(i) < toNs; i++) {
      cpu += cpuUntil(Math.max(endNs(i), splitNs), fromNs, toNs, lostNs)
          - cpuUntil(Math.max(beginNs(i), splitNs), fromNs, toNs, lostNs);
    }
    return cpu;
  }

  /** @return the CPU time of an interval up to a moment, all of it from the interval's end on */
  public static long cpuUntil(long timeNs, long fromNs, long toNs, long lostNs) {
    if (timeNs <= fromNs) {
      return 0;
    }
    long wall = toNs - fromNs;
    long lost = Math.min(lostNs, wall);
    if (timeNs >= toNs) {
      return wall - lost;
    }
    long passed = timeNs - fromNs;
    return passed - Math.min(passed, Math.round((double) lost * passed / wall));
  }
}
