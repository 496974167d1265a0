package org.parallax.analysis.waits;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.parallax.analysis.internal.PackedLongs;
import org.parallax.analysis.replay.ArcKind;

/**
 * What a thread received from others, in the order in which it had it: messages, and bytes of streams.
 * Those that were under way in a part of the time are found without looking at most of the others. Some
 * 10 bytes for each.
 */
public final class ThreadMail {
  private static final int CHUNK_SHIFT = 6;
  private static final int CHUNK = 1 << CHUNK_SHIFT;

  private final PackedLongs received;
  private final PackedLongs flights;
  private final PackedLongs bytes;
  /** The sender; negative, less one, where it is a stream. */
  private final PackedLongs senders;
  /** Of each chunk but the last: when the first of them was sent. */
  private final PackedLongs chunkSentNs;
  private long lastNs = Long.MIN_VALUE;
  private long leastSentNs;

  ThreadMail() {
    received = new PackedLongs();
    flights = new PackedLongs();
    bytes = new PackedLongs();
    senders = new PackedLongs();
    chunkSentNs = new PackedLongs();
  }

  private ThreadMail(ByteBuffer in) {
    received = PackedLongs.read(in);
    flights = PackedLongs.read(in);
    bytes = PackedLongs.read(in);
    senders = PackedLongs.read(in);
    chunkSentNs = PackedLongs.read(in);
    leastSentNs = in.getLong();
  }

  void add(ArcKind kind, int sender, long sizeBytes, long sentNs, long receivedNs) {
    lastNs = Math.max(lastNs, receivedNs);
    if (received.size() % CHUNK == 0) {
      if (received.size() > 0) {
        chunkSentNs.add(leastSentNs);
      }
      leastSentNs = sentNs;
    }
    leastSentNs = Math.min(leastSentNs, sentNs);
    received.add(lastNs);
    flights.add(lastNs - sentNs);
    bytes.add(sizeBytes);
    senders.add(kind == ArcKind.STREAM ? -1 - sender : sender);
  }

  /** Writes it so that {@link #read} gets it back. */
  public void write(DataOutputStream out) throws IOException {
    for (PackedLongs list : new PackedLongs[] {received, flights, bytes, senders, chunkSentNs}) {
      list.write(out);
    }
    out.writeLong(leastSentNs);
  }

  /**
   * @param in stays as it is
   * @throws java.nio.BufferUnderflowException if it is cut
   * @throws IllegalArgumentException if it is something else
   */
  public static ThreadMail read(ByteBuffer in) {
    ThreadMail mail = new ThreadMail(in);
    long count = mail.count();
    if (mail.flights.size() != count || mail.bytes.size() != count || mail.senders.size() != count
        || mail.chunkSentNs.size() != Math.max(0, (count - 1) / CHUNK)) {
      throw new IllegalArgumentException("messages do not fit to each other");
    }
    return mail;
  }

  /** @return how many there are */
  public long count() {
    return received.size();
  }

  /** @return when it had been received */
  public long receivedNs(long index) {
    return received.get(index);
  }

  /** @return when it was sent; later than it was received where clocks differ */
  public long sentNs(long index) {
    return receivedNs(index) - flights.get(index);
  }

  /** @return index in the replay of the thread that sent it */
  public int sender(long index) {
    int sender = (int) senders.get(index);
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
    return received.firstAtLeast(timeNs);
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
