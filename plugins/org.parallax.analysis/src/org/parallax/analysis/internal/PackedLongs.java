package org.parallax.analysis.internal;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An append-only list of {@code long} values of which neighbours are near each other, such as times. Of each
 * {@value #CHUNK} values the least is held, and by how much each is larger, in as many bytes as the largest difference
 * takes; equal values take none. A list that was read from a buffer stays there, a mapped file say: nothing but the place
 * of each chunk is held beside it.
 */
public final class PackedLongs implements LongSequence {
  private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SHIFT = 6;
  private static final int CHUNK = 1 << SHIFT;
  private static final int MASK = CHUNK - 1;
  private static final int PAGE_SHIFT = 20;
  private static final int PAGE_BYTES = 1 << PAGE_SHIFT;
  private static final int LEAST_BYTES = 256;
  /** A value is read as eight bytes, whatever its width. */
  private static final int BEHIND = Long.BYTES;

  /** Of each full chunk: its least value, and the width of a difference below the place of the first one. */
  private final LongList bases = new LongList();
  private final LongList places = new LongList();
  private final List<byte[]> pages = new ArrayList<>();
  /** Bytes of the last page that are in use. */
  private int used;
  private long[] tail = new long[4];
  private int inTail;
  /** What holds the differences in place of the pages; null if the pages do. */
  private ByteBuffer kept;

  /** Appends a value to a list that was not read; amortized constant time. */
  public void add(long value) {
    if (inTail == tail.length) {
      tail = Arrays.copyOf(tail, 2 * inTail);
    }
    tail[inTail++] = value;
    if (inTail == CHUNK) {
      pack();
      inTail = 0;
    }
  }

  private void pack() {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (long value : tail) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    // The difference is right as an unsigned number.
    int width = (Long.SIZE - Long.numberOfLeadingZeros(most - least) + 7) / 8;
    byte[] page = startChunk(least, width);
    int at = (int) (places.get(places.size() - 1) >>> 4) & PAGE_BYTES - 1;
    for (int i = 0; width > 0 && i < CHUNK; i++) {
      LONG.set(page, at, tail[i] - least);
      at += width;
    }
  }

  /** Makes room for a chunk and returns its page. */
  private byte[] startChunk(long base, int width) {
    int needed = width * CHUNK;
    if (pages.isEmpty() || used + needed > PAGE_BYTES) {
      pages.add(new byte[pages.isEmpty() ? LEAST_BYTES + BEHIND : PAGE_BYTES + BEHIND]);
      used = 0;
    }
    int last = pages.size() - 1;
    byte[] page = pages.get(last);
    if (used + needed + BEHIND > page.length) {
      int larger = Math.max(used + needed, Math.min(PAGE_BYTES, 2 * (page.length - BEHIND)));
      page = Arrays.copyOf(page, larger + BEHIND);
      pages.set(last, page);
    }
    bases.add(base);
    // A full page ends where the next one begins; a chunk of no bytes may stand there.
    places.add(((long) last << PAGE_SHIFT) + Math.min(used, PAGE_BYTES - 1) << 4 | width);
    used += needed;
    return page;
  }

  @Override
  public long get(long index) {
    long chunk = index >>> SHIFT;
    int at = (int) index & MASK;
    if (chunk == bases.size()) {
      return tail[at];
    }
    long place = places.get(chunk);
    int width = (int) place & 15;
    if (width == 0) {
      return bases.get(chunk);
    }
    long first = place >>> 4;
    long eight = kept != null ? keptEight((int) first + at * width) : (long) LONG.get(pages.get((int) (first >>> PAGE_SHIFT)), ((int) first & PAGE_BYTES - 1) + at * width);
    return bases.get(chunk) + (eight & -1L >>> Long.SIZE - 8 * width);
  }

  private long keptEight(int at) {
    if (at + Long.BYTES <= kept.limit()) {
      return kept.getLong(at);
    }
    long eight = 0;
    for (int i = at; i < kept.limit(); i++) {
      eight |= (kept.get(i) & 0xffL) << 8 * (i - at);
    }
    return eight;
  }

  @Override
  public long size() {
    return (bases.size() << SHIFT) + inTail;
  }

  /** @return the memory that is held, roughly; without the buffer that a list was read from */
  public long sizeBytes() {
    return 2 * Long.BYTES * bases.size() + (pages.isEmpty() ? 0 : ((long) pages.size() - 1 << PAGE_SHIFT) + used)
        + (long) Long.BYTES * inTail;
  }

  /**
   * Writes the list so that {@link #read} gets it back.
   *
   * <pre>
   * number of values | least value, width, differences (little endian) of each full chunk | other values</pre>
   */
  public void write(DataOutputStream out) throws IOException {
    out.writeLong(size());
    byte[] copy = new byte[CHUNK * Long.BYTES];
    for (long chunk = 0; chunk < bases.size(); chunk++) {
      long place = places.get(chunk);
      int width = (int) place & 15;
      out.writeLong(bases.get(chunk));
      out.writeByte(width);
      if (kept != null) {
        kept.get((int) (place >>> 4), copy, 0, width * CHUNK);
        out.write(copy, 0, width * CHUNK);
      } else {
        out.write(pages.get((int) (place >>> PAGE_SHIFT + 4)), (int) (place >>> 4) & PAGE_BYTES - 1, width * CHUNK);
      }
    }
    for (int i = 0; i < inTail; i++) {
      out.writeLong(tail[i]);
    }
  }

  /**
   * Finds a list where a buffer stands, and leaves it there: the buffer must stay as it is.
   *
   * @throws BufferUnderflowException if it ends before the list
   * @throws IllegalArgumentException if there is no list
   */
  public static PackedLongs read(ByteBuffer in) {
    PackedLongs list = new PackedLongs();
    long size = in.getLong();
    if (size < 0 || size >>> SHIFT > in.remaining() / (Long.BYTES + 1)) {
      throw new IllegalArgumentException("a list of " + size + " values");
    }
    list.kept = in.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (long chunk = 0; chunk < size >>> SHIFT; chunk++) {
      list.bases.add(in.getLong());
      int width = in.get();
      if (width < 0 || width > Long.BYTES) {
        throw new IllegalArgumentException("values of " + width + " bytes");
      }
      if (in.remaining() < width * CHUNK) {
        throw new BufferUnderflowException();
      }
      list.places.add((long) in.position() << 4 | width);
      in.position(in.position() + width * CHUNK);
    }
    list.inTail = (int) (size & MASK);
    list.tail = new long[Math.max(1, list.inTail)];
    for (int i = 0; i < list.inTail; i++) {
      list.tail[i] = in.getLong();
    }
    return list;
  }
}
