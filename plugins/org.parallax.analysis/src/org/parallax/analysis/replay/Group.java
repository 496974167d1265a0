package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.parallax.analysis.internal.IntQueue;

/**
 * The values of the participants of one collective. A result of all takes constant time, that of a part is linear in
 * its size, {@link #lastArrival} takes O(log P) of P participants if they arrive about in the order of their times.
 */
final class Group {
  private final int size;
  private final long[] times;
  private final long[] lengths;
  private final long[] references;
  private long sequence = -1;
  private int contributed;
  private int left;
  private final Exchange.Values all = new Exchange.Values();
  private final List<Waiter> waiters = new ArrayList<>();
  /** The ranks that have arrived, as they contributed, or by time once somebody has asked for that order. */
  private int[] order = {};
  private boolean isOrdered;

  /** A thread that waits for the ranks [next, end) or, where there are members, for those of [next, end) among them. */
  private static final class Waiter {
    private final int thread;
    private final int[] members;
    private final int end;
    private int next;

    Waiter(int thread, int[] members, int next, int end) {
      this.thread = thread;
      this.members = members;
      this.next = next;
      this.end = end;
    }
  }

  Group(int size) {
    this.size = size;
    times = new long[size];
    lengths = new long[size];
    references = new long[size];
  }

  int size() {
    return size;
  }

  long sequence() {
    return sequence;
  }

  void begin(long newSequence) {
    sequence = newSequence;
    Arrays.fill(references, Reference.NONE);
    contributed = 0;
    left = 0;
    isOrdered = false;
    clear(all);
    waiters.clear();
  }

  boolean isUnderWay() {
    return left < size;
  }

  void leave() {
    left++;
  }

  private static void clear(Exchange.Values values) {
    values.timeNs = Long.MIN_VALUE;
    values.length = Long.MIN_VALUE;
    values.reference = Reference.NONE;
    values.latest = Reference.NONE;
  }

  void contribute(int numbered, long timeNs, long length, long reference, IntQueue woken) {
    if (contributed == size || numbered >= size) {
      return;
    }
    int rank = numbered < 0 ? contributed : numbered;
    times[rank] = timeNs;
    lengths[rank] = length;
    references[rank] = reference;
    if (order.length == 0) {
      order = new int[size];
    }
    if (isOrdered) {
      insert(rank, contributed);
    } else {
      order[contributed] = rank;
    }
    contributed++;
    latest(rank, all);
    if (waiters.isEmpty()) {
      return;
    }
    waiters.removeIf(waiter -> {
      boolean ready = isComplete(waiter);
      if (ready) {
        woken.add(waiter.thread);
      }
      return ready;
    });
  }

  private boolean isComplete(Waiter waiter) {
    if (contributed == size) {
      return true;
    }
    while (waiter.next < waiter.end) {
      int rank = waiter.members == null ? waiter.next : waiter.members[waiter.next];
      if (references[rank] == Reference.NONE) {
        return false;
      }
      waiter.next++;
    }
    return true;
  }

  /** As {@link Exchange#result} has it. */
  boolean result(int from, int to, int thread, Exchange.Values into) {
    if (!isComplete(null, from, to, thread)) {
      return false;
    }
    if (from == 0 && to == size) {
      into.timeNs = all.timeNs;
      into.length = all.length;
      into.reference = all.reference;
      into.latest = all.latest;
      return true;
    }
    clear(into);
    for (int i = from; i < to; i++) {
      latest(i, into);
    }
    return true;
  }

  /** As {@link Exchange#resultOf} has it. */
  boolean resultOf(int[] members, int thread, Exchange.Values into) {
    if (!isComplete(members, 0, members.length, thread)) {
      return false;
    }
    clear(into);
    for (int rank : members) {
      latest(rank, into);
    }
    return true;
  }

  private boolean isComplete(int[] members, int from, int to, int thread) {
    if (contributed == size) {
      return true;
    }
    Waiter waiter = new Waiter(thread, members, from, to);
    if (isComplete(waiter)) {
      return true;
    }
    waiters.add(waiter);
    return false;
  }

  private void latest(int rank, Exchange.Values values) {
    boolean longer =
        lengths[rank] > values.length
            || lengths[rank] == values.length && times[rank] > values.timeNs;
    if (longer || values.reference == Reference.NONE) {
      values.length = lengths[rank];
      values.reference = references[rank];
    }
    if (times[rank] > values.timeNs) {
      values.timeNs = times[rank];
      values.latest = references[rank];
    }
  }

  /** As {@link Exchange#lastArrival} has it. */
  void lastArrival(long afterNs, long beforeNs, Exchange.Values into) {
    order();
    int low = 0;
    int high = contributed;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[order[middle]] <= beforeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low > 0 && times[order[low - 1]] > afterNs) {
      int rank = order[low - 1];
      into.timeNs = times[rank];
      into.length = lengths[rank];
      into.reference = into.latest = references[rank];
    }
  }

  private void order() {
    if (isOrdered) {
      return;
    }
    isOrdered = true;
    for (int i = 0; i < contributed; i++) {
      insert(order[i], i);
    }
  }

  private boolean isAfter(int one, int other) {
    return times[one] > times[other] || times[one] == times[other] && one > other;
  }

  private void insert(int rank, int ordered) {
    int at = ordered;
    while (at > 0 && isAfter(order[at - 1], rank)) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = rank;
  }
}
