package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.IntQueue;

/**
 * One start of a partitioned message while it is under way: when its partitions were ready, and its receiver.
 *
 * <p>The receiver can have another number of partitions, of which each needs all of the sender's that it overlaps.
 * Constant amortized time for each partition, linear time for each question of the receiver. 24 bytes for each partition.
 */
final class Partitions {
  /** @param start the ordinal of the request in the upper half, the number of its start in the lower one */
  record Key(long channel1, long channel2, long start) {}

  private static final class Waiter {
    final int thread;
    final long first;
    final long count;
    final long of;
    /** The next of the sender's partitions that may be missing. */
    int next = -1;

    Waiter(int thread, long first, long count, long of) {
      this.thread = thread;
      this.first = first;
      this.count = count;
      this.of = of;
    }
  }

  private final Key key;
  private final Map<Key, Partitions> underWay;
  private final IntQueue woken;
  private final List<Waiter> waiters = new ArrayList<>();
  /** They wait until the sender has started. */
  private final List<Integer> waitForStart = new ArrayList<>();
  private final Exchange.Values started = new Exchange.Values();
  private final Exchange.Values receiver = new Exchange.Values();
  private long[] times = {};
  private long[] lengths;
  private long[] references;
  private boolean senderLeft;
  private boolean receiverLeft;

  Partitions(Key key, Map<Key, Partitions> underWay, IntQueue woken) {
    this.key = key;
    this.underWay = underWay;
    this.woken = woken;
    started.reference = receiver.reference = Reference.NONE;
  }

  private static void set(Exchange.Values values, long timeNs, long length, long reference) {
    values.timeNs = timeNs;
    values.length = length;
    values.reference = reference;
  }

  private static void copy(Exchange.Values from, Exchange.Values into) {
    set(into, from.timeNs, from.length, from.reference);
  }

  /** The sender has started. */
  void start(long timeNs, long length, long reference) {
    set(started, timeNs, length, reference);
    waitForStart.forEach(woken::add);
    waitForStart.clear();
  }

  /** The receiver has started. */
  void setReceiver(long timeNs, long length, long reference) {
    set(receiver, timeNs, length, reference);
  }

  /** The sender's partitions [first, first + count) of a total are ready. */
  void provide(long first, long count, int total, long timeNs, long length, long reference) {
    if (times.length == 0 && total > 0) {
      times = new long[total];
      lengths = new long[total];
      references = new long[total];
      Arrays.fill(references, Reference.NONE);
    }
    for (long i = first; i < Math.min(first + count, times.length); i++) {
      times[(int) i] = timeNs;
      lengths[(int) i] = length;
      references[(int) i] = reference;
    }
    waiters.removeIf(waiter -> {
      boolean there = isThere(waiter);
      if (there) {
        woken.add(waiter.thread);
      }
      return there;
    });
  }

  private int from(long first, long of) {
    return (int) (first * times.length / of);
  }

  private int to(long end, long of) {
    return (int) Math.min(times.length, (end * times.length + of - 1) / of);
  }

  private boolean isThere(Waiter waiter) {
    if (times.length == 0) {
      return false;
    }
    int to = to(waiter.first + waiter.count, waiter.of);
    waiter.next = Math.max(waiter.next, from(waiter.first, waiter.of));
    while (waiter.next < to && references[waiter.next] != Reference.NONE) {
      waiter.next++;
    }
    return waiter.next >= to;
  }

  /**
   * Asks when and where the sender started.
   *
   * @return false if it has not yet: the thread is then woken when it does
   */
  boolean askStart(int thread, Exchange.Values into) {
    copy(started, into);
    if (started.reference == Reference.NONE) {
      waitForStart.add(thread);
    }
    return started.reference != Reference.NONE;
  }

  /**
   * Asks for partitions [first, first + count) of the {@code of} that the receiver has: the latest time and the greatest
   * length, with its reference.
   *
   * @return false if some are not ready yet: the thread is then woken when they are
   */
  boolean ask(long first, long count, long of, int thread, Exchange.Values into) {
    Waiter waiter = new Waiter(thread, first, count, of);
    if (!isThere(waiter)) {
      waiters.add(waiter);
      return false;
    }
    clear(into);
    for (int i = from(first, of); i < to(first + count, of); i++) {
      if (into.reference == Reference.NONE || lengths[i] > into.length
          || lengths[i] == into.length && times[i] > into.timeNs) {
        into.length = lengths[i];
        into.reference = references[i];
      }
      setLatest(i, into);
    }
    return true;
  }

  private static void clear(Exchange.Values into) {
    into.timeNs = Long.MIN_VALUE;
    into.reference = into.latest = Reference.NONE;
  }

  private void setLatest(int i, Exchange.Values into) {
    if (times[i] > into.timeNs) {
      into.timeNs = times[i];
      into.latest = references[i];
    }
  }

  /**
   * Asks for the last of all partitions that was ready after a time and not after another; the reference is
   * {@link Reference#NONE} if none was.
   */
  void askLast(long afterNs, long beforeNs, Exchange.Values into) {
    clear(into);
    for (int i = 0; i < times.length; i++) {
      if (references[i] != Reference.NONE && times[i] > afterNs && times[i] <= beforeNs && times[i] > into.timeNs) {
        into.length = lengths[i];
        into.reference = references[i];
        setLatest(i, into);
      }
    }
  }

  /** Asks when and where the receiver was ready; the reference is {@link Reference#NONE} if it has not been yet. */
  void askReceiver(Exchange.Values into) {
    copy(receiver, into);
  }

  /** The sender asks for nothing more. */
  void leaveSender() {
    senderLeft = true;
    forgetIfLeft();
  }

  /** The receiver asks for nothing more. */
  void leaveReceiver() {
    receiverLeft = true;
    forgetIfLeft();
  }

  private void forgetIfLeft() {
    if (senderLeft && receiverLeft) {
      underWay.remove(key);
    }
  }
}
