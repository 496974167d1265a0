package org.parallax.analysis.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An append-only list of {@code int} values in chunks; see {@link LongList}. */
public final class IntList {
  private static final int SHIFT = 14;
  private static final int SIZE = 1 << SHIFT;
  private static final int MASK = SIZE - 1;

  private final List<int[]> full = new ArrayList<>();
  private int[] last = new int[16];
  private int used;

  /** Appends a value; amortized constant time. */
  public void add(int value) {
    if (used == last.length) {
      if (last.length < SIZE) {
        last = Arrays.copyOf(last, Math.min(SIZE, last.length * 4));
      } else {
        full.add(last);
        last = new int[SIZE];
        used = 0;
      }
    }
    last[used++] = value;
  }

  /** @return the value at an index from 0 to {@code size() - 1} */
  public int get(long index) {
    int chunk = (int) (index >>> SHIFT);
    return (chunk < full.size() ? full.get(chunk) : last)[(int) index & MASK];
  }

  public long size() {
    return ((long) full.size() << SHIFT) + used;
  }
}
