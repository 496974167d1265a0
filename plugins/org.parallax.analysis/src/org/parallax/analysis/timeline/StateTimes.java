package org.parallax.analysis.timeline;

import java.util.Arrays;

/** How long a thread was in which state, within a piece of time that is looked at. */
final class StateTimes {
  /** No time in any state. */
  static final int NONE = -1;

  private final long[] ns;
  private int[] used = new int[16];
  private int count;

  /** @param states how many there are, numbered from 0 */
  StateTimes(int states) {
    ns = new long[states];
  }

  void add(int state, long moreNs) {
    if (moreNs <= 0) {
      return;
    }
    if (ns[state] == 0) {
      if (count == used.length) {
        used = Arrays.copyOf(used, 2 * count);
      }
      used[count++] = state;
    }
    ns[state] += moreNs;
  }

  /** Time in one state turns out to have been time in another, as far as there is some of it. */
  void move(int from, int to, long movedNs) {
    long moved = Math.min(ns[from], movedNs);
    if (moved > 0) {
      add(to, moved);
      ns[from] -= moved;
      if (ns[from] == 0) {
        forget(from);
      }
    }
  }

  private void forget(int state) {
    for (int i = 0; i < count; i++) {
      if (used[i] == state) {
        used[i] = used[--count];
        return;
      }
    }
  }

  /** @return the state with most time, that of the least number among equals; {@link #NONE} if none */
  int dominating() {
    int best = NONE;
    for (int i = 0; i < count; i++) {
      int state = used[i];
      if (best == NONE || ns[state] > ns[best] || ns[state] == ns[best] && state < best) {
        best = state;
      }
    }
    return best;
  }

  long ns(int state) {
    return ns[state];
  }

  long totalNs() {
    long total = 0;
    for (int i = 0; i < count; i++) {
      total += ns[used[i]];
    }
    return total;
  }

  /** @return the states with some time, in no order */
  int[] states() {
    return Arrays.copyOf(used, count);
  }

  void clear() {
    for (int i = 0; i < count; i++) {
      ns[used[i]] = 0;
    }
    count = 0;
  }
}
