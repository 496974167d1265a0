package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When a thread waited and for what: from the begin of a call to the arrival of what it needed. Held
 * in some 5 bytes a wait; those of a part of the time are found without looking at most of the
 * others.
 */
public final class WaitLog {
  /** Is told of waits. */
  public interface Visitor {
    void wait(ArcKind kind, long beginNs, long endNs);
  }

  private static final int CHUNK_BYTES = 1 << 13;
  private static final int MOST_BYTES_OF_A_WAIT = 20;
  private static final int KIND_BITS = 5;
  private static final ArcKind[] KINDS = ArcKind.values();

  /** Waits that follow each other, each in two numbers: begin since that before; length and kind. */
  private static final class Chunk {
    byte[] bytes = new byte[64];
    int used;
    long firstNs;
    long lastBeginNs;
    long leastNs = Long.MAX_VALUE;
    long mostNs = Long.MIN_VALUE;

    void put(long value) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        bytes[used++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      bytes[used++] = (byte) rest;
    }
  }

  private final List<Chunk> chunks = new ArrayList<>();
  private Chunk last;
  private long count;

  void add(ArcKind kind, long beginNs, long endNs) {
    if (endNs <= beginNs) {
      return;
    }
    if (last == null || last.used > CHUNK_BYTES - MOST_BYTES_OF_A_WAIT) {
      last = new Chunk();
      last.firstNs = beginNs;
      last.lastBeginNs = beginNs;
      chunks.add(last);
    }
    if (last.used > last.bytes.length - MOST_BYTES_OF_A_WAIT) {
      last.bytes = Arrays.copyOf(last.bytes, Math.min(CHUNK_BYTES, 4 * last.bytes.length));
    }
    long step = beginNs - last.lastBeginNs;
    last.put(step << 1 ^ step >> 63);
    last.put(endNs - beginNs << KIND_BITS | kind.ordinal());
    last.lastBeginNs = beginNs;
    last.leastNs = Math.min(last.leastNs, beginNs);
    last.mostNs = Math.max(last.mostNs, endNs);
    count++;
  }

  /** @return how many waits there are */
  public long count() {
    return count;
  }

  /** @return the memory of the waits */
  public long sizeBytes() {
    return chunks.stream().mapToLong(chunk -> chunk.bytes.length).sum();
  }

  /** Visits all waits that have something of a part of the time, and perhaps others near it. */
  public void visit(long fromNs, long toNs, Visitor visitor) {
    for (Chunk chunk : chunks) {
      if (chunk.mostNs > fromNs && chunk.leastNs < toNs) {
        visit(chunk, visitor);
      }
    }
  }

  private static void visit(Chunk chunk, Visitor visitor) {
    byte[] bytes = chunk.bytes;
    long begin = chunk.firstNs;
    for (int at = 0; at < chunk.used;) {
      long value = 0;
      int shift = 0;
      byte next;
      do {
        next = bytes[at++];
        value |= (next & 0x7fL) << shift;
        shift += 7;
      } while (next < 0);
      begin += value >>> 1 ^ -(value & 1);
      value = 0;
      shift = 0;
      do {
        next = bytes[at++];
        value |= (next & 0x7fL) << shift;
        shift += 7;
      } while (next < 0);
      visitor.wait(KINDS[(int) value & (1 << KIND_BITS) - 1], begin, begin + (value >>> KIND_BITS));
    }
  }
}
