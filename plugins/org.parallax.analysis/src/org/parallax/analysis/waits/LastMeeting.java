package org.parallax.analysis.waits;

import java.util.Arrays;
import java.util.List;
import org.parallax.analysis.replay.Reference;

/**
 * Since when two threads ran apart: their last common synchronization. That is a moment at which one
 * of them ended a wait of the other, or one event ended a wait of both; or the creation of one by the
 * other, or of both by a common ancestor. Before that, they are compared as one.
 *
 * <p>A message that nobody waited for is none: it does not tell that both sides were at the same point.
 *
 * <p>Cost: the waits of both threads since then.
 */
final class LastMeeting {
  private final List<ThreadWaits> waits;
  private final int[] creators;
  private final long[] createdNs;

  /** @param waits of each thread */
  LastMeeting(List<ThreadWaits> waits) {
    this.waits = waits;
    creators = new int[waits.size()];
    createdNs = new long[waits.size()];
    Arrays.fill(creators, -1);
    Arrays.fill(createdNs, Long.MIN_VALUE);
    for (int thread = 0; thread < creators.length; thread++) {
      ThreadWaits own = waits.get(thread);
      if (own.count() > 0 && !own.isLoss(0)) {
        creators[thread] = Reference.thread(own.cause(0));
        createdNs[thread] = own.untilNs(0);
      }
    }
  }

  /** @return the thread that created a thread, -1 if it is not known */
  int creator(int thread) {
    return creators[thread];
  }

  /** @return when a thread was created, {@code Long.MIN_VALUE} if it is not known */
  long createdNs(int thread) {
    return createdNs[thread];
  }

  /**
   * @param wait number of the wait of a thread
   * @param other thread for which it waited
   * @return when they met before this wait; {@code Long.MIN_VALUE} if they never did
   */
  long before(int thread, int wait, int other) {
    ThreadWaits mine = waits.get(thread);
    ThreadWaits others = waits.get(other);
    long floor = parted(thread, other);
    int i = wait - 1;
    int j = others.lastBefore(mine.untilNs(wait));
    while (i >= 0 || j >= 0) {
      long mineNs = i < 0 ? Long.MIN_VALUE : mine.untilNs(i);
      long othersNs = j < 0 ? Long.MIN_VALUE : others.untilNs(j);
      if (Math.max(mineNs, othersNs) <= floor) {
        break;
      }
      if (mineNs == othersNs && mine.cause(i) == others.cause(j)) {
        return mineNs;
      }
      if (mineNs >= othersNs) {
        if (mine.isLoss(i) && Reference.thread(mine.cause(i)) == other) {
          return mineNs;
        }
        i--;
      } else {
        if (others.isLoss(j) && Reference.thread(others.cause(j)) == thread) {
          return othersNs;
        }
        j--;
      }
    }
    return floor;
  }

  /** @return when the creation of one made two of them, {@code Long.MIN_VALUE} if none did */
  private long parted(int thread, int other) {
    long mineNs = Long.MAX_VALUE;
    for (int mine = thread; mine >= 0; mineNs = Math.min(mineNs, createdNs[mine]), mine = creators[mine]) {
      long othersNs = Long.MAX_VALUE;
      for (int theirs = other; theirs >= 0;
          othersNs = Math.min(othersNs, createdNs[theirs]), theirs = creators[theirs]) {
        if (mine == theirs) {
          return Math.min(mineNs, othersNs);
        }
      }
    }
    return Long.MIN_VALUE;
  }
}
