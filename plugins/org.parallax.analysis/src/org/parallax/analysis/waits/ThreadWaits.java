package org.parallax.analysis.waits;

import java.util.Arrays;
import java.util.BitSet;
import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.WaitState;

/**
 * The waits of one thread in the order of time; they do not overlap. 36 bytes for each.
 *
 * <p>The begin of a thread is one of them: before it, the thread waited for its creator.
 */
final class ThreadWaits {
  /** The state of what is no loss of the thread: its begin. */
  private static final int BEGIN = 255;

  private final LongList begins = new LongList();
  private final LongList untils = new LongList();
  private final LongList causes = new LongList();
  private final IntList paths = new IntList();
  private final IntList states = new IntList();
  private final IntList details = new IntList();
  /** Waits for messages that were late while others, received later, were not. */
  private final BitSet wrongOrder = new BitSet();
  /** Waits for messages that are not in {@link #wrongOrder}, the latest last. */
  private int[] rightOrder = new int[8];
  private int rightOrders;

  void add(WaitState state, int path, int detail, long beginNs, long untilNs, long cause) {
    if (state == WaitState.LATE_SENDER) {
      if (rightOrders == rightOrder.length) {
        rightOrder = Arrays.copyOf(rightOrder, 2 * rightOrders);
      }
      rightOrder[rightOrders++] = count();
    }
    add(state.ordinal(), path, detail, beginNs, untilNs, cause);
  }

  /** The thread began; {@code untilNs} is when it was created. */
  void addBegin(long untilNs, long cause) {
    add(BEGIN, 0, 0, Long.MIN_VALUE, untilNs, cause);
  }

  private void add(int state, int path, int detail, long beginNs, long untilNs, long cause) {
    begins.add(beginNs);
    untils.add(untilNs);
    causes.add(cause);
    paths.add(path);
    states.add(state);
    details.add(detail);
  }

  /**
   * A message is received. Of those that were waited for before, who were sent later came in the
   * wrong order: while they were waited for, this one could have been received. Amortized constant.
   */
  void received(long sentNs) {
    while (rightOrders > 0 && untils.get(rightOrder[rightOrders - 1]) > sentNs) {
      wrongOrder.set(rightOrder[--rightOrders]);
    }
  }

  int count() {
    return (int) begins.size();
  }

  boolean isLoss(int wait) {
    return states.get(wait) != BEGIN;
  }

  WaitState state(int wait) {
    return wrongOrder.get(wait) ? WaitState.LATE_SENDER_WRONG_ORDER
        : WaitState.at(states.get(wait));
  }

  int path(int wait) {
    return paths.get(wait);
  }

  int detail(int wait) {
    return details.get(wait);
  }

  long beginNs(int wait) {
    return begins.get(wait);
  }

  long untilNs(int wait) {
    return untils.get(wait);
  }

  long cause(int wait) {
    return causes.get(wait);
  }

  /** @return the last wait that began before a time, or -1; logarithmic */
  int lastBefore(long ns) {
    return (int) begins.firstAtLeast(ns) - 1;
  }
}
