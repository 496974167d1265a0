package org.parallax.analysis.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A list of {@code long} values that grows at its end, in chunks, so that growing never copies what is
 * there: at a hundred million entries a doubling array would need three times the memory.
 */
public final class LongList implements LongSequence {
  private static final int SHIFT = 14;
  private static final int SIZE = 1 << SHIFT;
  private static final int MASK = SIZE - 1;

  private final List<long[]> full = new ArrayList<>();
  private long[] last = new long[16];
  private int used;

  /** Appends a value; amortized constant time. */
  public void add(long value) {
    if (used == last.length) {
      grow();
    }
    last[used++] = value;
  }

  private void grow() {
    if (last.length < SIZE) {
      last = Arrays.copyOf(last, Math.min(SIZE, last.length * 4));
    } else {
      full.add(last);
      last = new long[SIZE];
      used = 0;
    }
  }

  @Override
  public long get(long index) {
    int chunk = (int) (index >>> SHIFT);
    return (chunk < full.size() ? full.get(chunk) : last)[(int) index & MASK];
  }

  /** Removes the last value of a list that is not empty, and returns it. */
  public long removeLast() {
    if (used == 0) {
      last = full.remove(full.size() - 1);
      used = SIZE;
    }
    return last[--used];
  }

  @Override
  public long size() {
    return ((long) full.size() << SHIFT) + used;
  }
}
