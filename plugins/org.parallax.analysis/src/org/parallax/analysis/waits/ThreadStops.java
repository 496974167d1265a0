package org.parallax.analysis.waits;

import org.parallax.analysis.internal.CompactLongs;
import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.WaitState;

/**
 * When a thread waited, in what and in which call: waits that follow each other and do not overlap.
 * Those of a part of the time are found without looking at the others. 12 bytes for each wait.
 */
public final class ThreadStops {
  /** How many waits stand between two begins that are held. */
  public static final int CHUNK = 64;

  private final LongList chunkBegins = new LongList();
  /** Of each wait: from the end of that before, its length, its state and the number of its path. */
  private final CompactLongs gaps = new CompactLongs();
  private final CompactLongs lengths = new CompactLongs();
  private final IntList states = new IntList();
  private long endNs = Long.MIN_VALUE;

  private static final int STATE_BITS = 6;

  /** @param path call path of the call */
  void add(WaitState state, int path, long beginNs, long untilNs) {
    long begin = Math.max(beginNs, endNs);
    if (untilNs <= begin) {
      return;
    }
    if (gaps.size() % CHUNK == 0) {
      chunkBegins.add(begin);
      gaps.add(0);
    } else {
      gaps.add(begin - endNs);
    }
    lengths.add(untilNs - begin);
    states.add(path << STATE_BITS | state.ordinal());
    endNs = untilNs;
  }

  /** @return how many waits there are */
  public long count() {
    return lengths.size();
  }

  /** @return how many chunks of {@value #CHUNK} waits there are, the last of which may be shorter */
  public int chunkCount() {
    return (int) chunkBegins.size();
  }

  /** @return when the first wait of a chunk begins */
  public long chunkBeginNs(int chunk) {
    return chunkBegins.get(chunk);
  }

  /** @return the last chunk that begins at the time or before it, 0 if none does */
  public int chunkAt(long timeNs) {
    return (int) Math.max(0, chunkBegins.firstAtLeast(timeNs + 1) - 1);
  }

  /** @return from the end of the wait before to the begin of this one; 0 for the first of a chunk */
  public long gapNs(long wait) {
    return gaps.get(wait);
  }

  public long lengthNs(long wait) {
    return lengths.get(wait);
  }

  public WaitState state(long wait) {
    return WaitState.at(states.get(wait) & (1 << STATE_BITS) - 1);
  }

  /** @return the call path of the call in which it waited, 0 outside of calls */
  public int path(long wait) {
    return states.get(wait) >>> STATE_BITS;
  }
}
