package org.parallax.analysis.time;

import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.Window;

/** When a thread was idle, as intervals by rising time that do not meet: 16 bytes for each. */
final class IdleTimes {
  /** Begin and end of each interval. */
  private final LongList changes = new LongList();
  /** Intervals that were taken out because they come after the one that is added. */
  private final LongList after = new LongList();

  /**
   * Adds an interval; what it overlaps becomes one with it. Cost: the number of intervals that were
   * added before and do not end before it begins.
   */
  void add(long fromNs, long toNs) {
    long from = fromNs;
    long to = toNs;
    if (from >= to) {
      return;
    }
    while (changes.size() > 0 && changes.get(changes.size() - 1) >= from) {
      long end = changes.removeLast();
      long begin = changes.removeLast();
      if (begin > to) {
        after.add(end);
        after.add(begin);
      } else {
        from = Math.min(from, begin);
        to = Math.max(to, end);
      }
    }
    changes.add(from);
    changes.add(to);
    while (after.size() > 0) {
      changes.add(after.removeLast());
    }
  }

  /** @return these intervals and what is between those of a window; the same where that is nothing */
  IdleTimes andOutside(Window window) {
    if (window.count() == 1) {
      return this;
    }
    IdleTimes both = new IdleTimes();
    long change = 0;
    for (int i = 0; i < window.count() - 1; i++) {
      long gapNs = window.endNs(i);
      for (; change < changeCount() && changeNs(change) <= gapNs; change += 2) {
        both.add(changeNs(change), changeNs(change + 1));
      }
      both.add(gapNs, window.beginNs(i + 1));
    }
    for (; change < changeCount(); change += 2) {
      both.add(changeNs(change), changeNs(change + 1));
    }
    return both;
  }

  /** @return how often the thread goes from executing to idle or back */
  long changeCount() {
    return changes.size();
  }

  /**
   * @param change even for the begin of an interval, odd for its end
   * @return when it is
   */
  long changeNs(long change) {
    return changes.get(change);
  }

  /** @return the first change that is later than a time, {@link #changeCount} if there is none */
  long firstAfter(long timeNs) {
    return changes.firstAtLeast(timeNs + 1);
  }
}
