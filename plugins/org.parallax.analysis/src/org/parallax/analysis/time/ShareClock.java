package org.parallax.analysis.time;

import java.util.PriorityQueue;

/**
 * A clock that runs at 1/n of the speed of time while n threads execute, and stands while none does:
 * what it advances while a thread executes is the thread's normalized time.
 *
 * <p>It is known for a part of the run at a time, some number of changes of threads between executing
 * and idle, so that memory does not grow with the run; {@link #next} goes to the following
 * part. Cost: O(log T) for each change with T threads.
 *
 * <p>Shares are in units of 2<sup>-{@link #shift}</sup> ns. The remainders of divisions are
 * carried on: what the clock shows is off by less than two units.
 */
final class ShareClock {
  private static final int MAX_SHIFT = 20;
  private static final int CARRY_BITS = 32;

  /** The changes of one thread between executing and idle that are still to come. */
  private static final class Source {
    private static final long NEVER = Long.MAX_VALUE;

    private final IdleTimes idle;
    private final long endNs;
    private long change;
    private boolean executing;
    long nextNs;

    Source(IdleTimes idle, long beginNs, long endNs) {
      this.idle = idle;
      this.endNs = endNs;
      change = idle.firstAfter(beginNs);
      boolean begins = (change & 1) == 0;
      nextNs = begins ? beginNs : next();
    }

    private long next() {
      long next = change < idle.changeCount() ? idle.changeNs(change++) : NEVER;
      return next < endNs ? next : NEVER;
    }

    /** @return by how many more threads execute from now on */
    int take() {
      executing = !executing;
      if (executing) {
        nextNs = Math.min(next(), endNs);
        return 1;
      }
      nextNs = nextNs == endNs ? NEVER : next();
      return -1;
    }

    boolean isOver() {
      return nextNs == NEVER;
    }
  }

  private final PriorityQueue<Source> sources =
      new PriorityQueue<>((a, b) -> Long.compare(a.nextNs, b.nextNs));
  private final int shift;
  private final long[] timesNs;
  private final long[] shares;
  private final int[] executing;
  /** Units a nanosecond, by the number of threads that execute. */
  private final double[] speeds;
  private int count;
  private long carry;
  private long busyNs;

  /**
   * @param idle of each thread
   * @param beginNs when each thread begins
   * @param endNs when it ends; before its begin for one that does not count
   * @param changes at different times in a part of the run, at least 1
   */
  ShareClock(IdleTimes[] idle, long[] beginNs, long[] endNs, int changes) {
    timesNs = new long[changes + 1];
    shares = new long[changes + 1];
    executing = new int[changes + 1];
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int i = 0; i < idle.length; i++) {
      if (beginNs[i] < endNs[i]) {
        Source source = new Source(idle[i], beginNs[i], endNs[i]);
        first = Math.min(first, beginNs[i]);
        last = Math.max(last, endNs[i]);
        if (!source.isOver()) {
          sources.add(source);
        }
      }
    }
    long durationNs = Math.max(1, last - first);
    shift = first > last ? 0
        : Math.max(0, Math.min(MAX_SHIFT, Long.numberOfLeadingZeros(durationNs) - 2));
    speeds = new double[idle.length + 1];
    for (int n = 1; n < speeds.length; n++) {
      speeds[n] = (double) (1L << shift) / n;
    }
    timesNs[0] = Long.MIN_VALUE;
    count = 1;
  }

  /** @return the unit of shares is 2^-shift nanoseconds */
  int shift() {
    return shift;
  }

  /** @return the time up to the end of this part during which at least one thread executes */
  long busyNs() {
    return busyNs;
  }

  /**
   * Goes to the next part of the run, which begins where the one before ended.
   *
   * @return false when that was the last
   */
  boolean next() {
    if (sources.isEmpty()) {
      return false;
    }
    timesNs[0] = timesNs[count - 1];
    shares[0] = shares[count - 1];
    executing[0] = executing[count - 1];
    count = 1;
    while (!sources.isEmpty() && count < timesNs.length) {
      Source source = sources.poll();
      advance(source.nextNs);
      executing[count - 1] += source.take();
      if (!source.isOver()) {
        sources.add(source);
      }
    }
    return true;
  }

  private void advance(long timeNs) {
    int last = count - 1;
    if (timesNs[last] == timeNs) {
      return;
    }
    timesNs[count] = timeNs;
    executing[count] = executing[last];
    shares[count] = shares[last];
    if (executing[last] > 0) {
      int n = executing[last];
      long passed = timeNs - timesNs[last];
      busyNs += passed;
      carry += ((passed << shift) % n << CARRY_BITS) / n;
      shares[count] += (passed << shift) / n + (carry >>> CARRY_BITS);
      carry &= (1L << CARRY_BITS) - 1;
    }
    count++;
  }

  /** @return the end of this part; of the last one, of all time */
  long endNs() {
    return sources.isEmpty() ? Long.MAX_VALUE : timesNs[count - 1];
  }

  /**
   * @param from a number that this returned for an earlier time in the same part, or 0
   * @param timeNs a time in this part
   * @return the number of the last change up to the time; the logarithm of how many are between
   */
  int find(int from, long timeNs) {
    int low = from;
    if (low + 1 == count || timesNs[low + 1] > timeNs) {
      return low;
    }
    int step = 1;
    while (low + step < count && timesNs[low + step] <= timeNs) {
      low += step;
      step <<= 1;
    }
    int high = Math.min(count, low + step);
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (timesNs[middle] <= timeNs) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * @param change what {@link #find} returned for the time
   * @return what the clock shows at the time
   */
  long share(int change, long timeNs) {
    double speed = speeds[executing[change]];
    return speed == 0 ? shares[change]
        : shares[change] + (long) ((timeNs - timesNs[change]) * speed);
  }
}
