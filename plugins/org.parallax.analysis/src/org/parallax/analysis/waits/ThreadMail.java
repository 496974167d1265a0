package org.parallax.analysis.waits;

import org.parallax.analysis.internal.CompactLongs;
import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.ArcKind;

/**
 * What a thread received from others, in the order in which it had it: messages, and bytes of streams.
 * Those that were under way in a part of the time are found without looking at most of the others. 16
 * bytes for each.
 */
public final class ThreadMail {
  private static final int CHUNK_SHIFT = 6;
  private static final int CHUNK = 1 << CHUNK_SHIFT;

  private final LongList chunkNs = new LongList();
  /** Of each chunk: when the first of them was sent. */
  private final LongList chunkSentNs = new LongList();
  private final CompactLongs offsets = new CompactLongs();
  private final CompactLongs flights = new CompactLongs();
  private final CompactLongs bytes = new CompactLongs();
  /** The sender; negative, less one, where it is a stream. */
  private final IntList senders = new IntList();
  private long lastNs = Long.MIN_VALUE;
  private long leastSentNs;

  void add(ArcKind kind, int sender, long sizeBytes, long sentNs, long receivedNs) {
    long received = Math.max(lastNs, receivedNs);
    lastNs = received;
    if (offsets.size() % CHUNK == 0) {
      if (offsets.size() > 0) {
        chunkSentNs.add(leastSentNs);
      }
      chunkNs.add(received);
      leastSentNs = sentNs;
    }
    leastSentNs = Math.min(leastSentNs, sentNs);
    offsets.add(received - chunkNs.get(chunkNs.size() - 1));
    flights.add(received - sentNs);
    bytes.add(sizeBytes);
    senders.add(kind == ArcKind.STREAM ? -1 - sender : sender);
  }

  /** @return how many there are */
  public long count() {
    return offsets.size();
  }

  /** @return when it had been received */
  public long receivedNs(long index) {
    return chunkNs.get(index >>> CHUNK_SHIFT) + offsets.get(index);
  }

  /** @return when it was sent; later than it was received where clocks differ */
  public long sentNs(long index) {
    return receivedNs(index) - flights.get(index);
  }

  /** @return index in the replay of the thread that sent it */
  public int sender(long index) {
    int sender = senders.get(index);
    return sender < 0 ? -1 - sender : sender;
  }

  public boolean isStream(long index) {
    return senders.get(index) < 0;
  }

  public long bytes(long index) {
    return bytes.get(index);
  }

  /** @return the index of the first that was received at the time or later; {@link #count} if none */
  public long firstReceivedAt(long timeNs) {
    long low = 0;
    long high = count();
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (receivedNs(middle) < timeNs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * @param index of one that was received after the time
   * @return the first one from there on that was sent before the time; {@link #count} if none
   */
  public long nextSentBefore(long index, long timeNs) {
    for (long i = index; i < count();) {
      long chunk = i >>> CHUNK_SHIFT;
      long least = chunk < chunkSentNs.size() ? chunkSentNs.get(chunk) : leastSentNs;
      long end = Math.min(count(), chunk + 1 << CHUNK_SHIFT);
      if (least >= timeNs) {
        i = end;
        continue;
      }
      for (; i < end; i++) {
        if (sentNs(i) < timeNs) {
          return i;
        }
      }
    }
    return count();
  }
}
