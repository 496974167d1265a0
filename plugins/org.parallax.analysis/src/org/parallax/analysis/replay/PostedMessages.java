package org.parallax.analysis.replay;

import java.util.Arrays;
import org.parallax.analysis.internal.IntQueue;
import org.parallax.analysis.internal.KeyMap;

/**
 * The non-blocking receives, or sends, that were posted and have not completed: which message each has.
 *
 * <p>MPI's rule that messages do not overtake makes the k-th message of a channel match the k-th
 * receive in the order of <em>posting</em>, while the trace tells of them in the order of
 * completion; so the ordinal is drawn when a receive is posted.
 */
final class PostedMessages {
  /** Completions that are remembered before their posting; a damaged trace may lack the postings. */
  private static final int MOST_EARLY = 1 << 16;

  private final KeyMap slots = new KeyMap();
  private KeyMap early = new KeyMap();
  private final IntQueue free = new IntQueue();
  private int[] channel = new int[64];
  private long[] ordinal = new long[64];
  private int used;

  void add(int process, long request, int channelOfIt, long ordinalOfIt) {
    int slot = free.poll();
    if (slot < 0) {
      slot = used++;
      if (slot == channel.length) {
        channel = Arrays.copyOf(channel, 2 * slot);
        ordinal = Arrays.copyOf(ordinal, 2 * slot);
      }
    }
    channel[slot] = channelOfIt;
    ordinal[slot] = ordinalOfIt;
    slots.add(process, request, slot);
  }

  /**
   * Forgets a message that completes.
   *
   * @return where its ordinal and channel stood until the next {@link #add}, or -1 if it is unknown
   */
  int remove(int process, long request) {
    int slot = slots.remove(process, request);
    if (slot >= 0) {
      free.add(slot);
    }
    return slot;
  }

  /** A message completes that was not posted yet: another thread, which is replayed later, posts it. */
  void completeEarly(int process, long request) {
    if (early.size() >= MOST_EARLY) {
      early = new KeyMap();
    }
    early.add(process, request, 0);
  }

  /** @return whether a message that is posted now has completed already; forgets that */
  boolean hasCompleted(int process, long request) {
    return early.remove(process, request) >= 0;
  }

  int channel(int slot) {
    return channel[slot];
  }

  long ordinal(int slot) {
    return ordinal[slot];
  }

  /** Gives the messages of a cancelled receive's successors on its channel to their predecessors. */
  void closeGap(int cancelled) {
    for (int i = 0; i < used; i++) {
      if (channel[i] == channel[cancelled] && ordinal[i] > ordinal[cancelled]) {
        ordinal[i]--;
      }
    }
  }
}
