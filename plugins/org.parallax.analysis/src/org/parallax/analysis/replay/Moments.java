package org.parallax.analysis.replay;

import java.util.Arrays;

/**
 * The latest moments of one kind, such as the releases of a lock: of each its time, the length of the longest
 * path to it, where it is, a number that says more, and since when that held. At most {@value #MOST} are kept.
 */
final class Moments {
  /** Which moments are asked for. */
  interface Choice {
    boolean isWanted(int number, long sinceNs);
  }

  private static final int MOST = 1 << 12;
  private static final int FIELDS = 5;

  private long[] ring = new long[FIELDS * 8];
  private int count;

  void add(long timeNs, long length, long reference, int number, long sinceNs) {
    if (FIELDS * count == ring.length && count < MOST) {
      ring = Arrays.copyOf(ring, 2 * ring.length);
    }
    int at = at(count++);
    ring[at] = timeNs;
    ring[at + 1] = length;
    ring[at + 2] = reference;
    ring[at + 3] = number;
    ring[at + 4] = sinceNs;
    if (count >= 2 * MOST) {
      count -= MOST;
    }
  }

  private int at(int number) {
    return FIELDS * (number & MOST - 1);
  }

  private int first() {
    return Math.max(0, count - MOST);
  }

  private void get(int moment, Exchange.Values into) {
    int at = at(moment);
    into.timeNs = ring[at];
    into.length = ring[at + 1];
    into.reference = ring[at + 2];
  }

  private boolean isWanted(int moment, Choice choice) {
    return choice.isWanted((int) ring[at(moment) + 3], ring[at(moment) + 4]);
  }

  /** The last wanted one after a time and before another; {@link Reference#NONE} if there is none. Linear. */
  void last(long afterNs, long beforeNs, Choice choice, Exchange.Values into) {
    into.reference = Reference.NONE;
    long latestNs = afterNs;
    for (int i = first(); i < count; i++) {
      long timeNs = ring[at(i)];
      if (timeNs > latestNs && timeNs < beforeNs && isWanted(i, choice)) {
        latestNs = timeNs;
        get(i, into);
      }
    }
  }

  /**
   * The first wanted one after a pause, without any, of more than half of the time between two times.
   * {@link Reference#NONE} if there is none, or the moments are no longer known. Moments were added in the order
   * of their times. Linear in the moments since the first time.
   */
  void afterPause(long afterNs, long beforeNs, Choice choice, Exchange.Values into) {
    into.reference = Reference.NONE;
    int next = count;
    while (next > first() && ring[at(next - 1)] > afterNs) {
      next--;
    }
    if (next == first()) {
      return;
    }
    for (; next < count && ring[at(next)] < beforeNs; next++) {
      long pauseNs = ring[at(next)] - Math.max(afterNs, ring[at(next - 1)]);
      if (pauseNs > (beforeNs - afterNs) / 2 && isWanted(next, choice)
          && !isWanted(next - 1, choice)) {
        get(next, into);
        return;
      }
    }
  }
}
