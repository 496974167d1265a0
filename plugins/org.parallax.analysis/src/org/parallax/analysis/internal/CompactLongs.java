package org.parallax.analysis.internal;

import java.util.HashMap;
import java.util.Map;

/** An append-only list of values most of which fit into 31 bits: 4 bytes for each of those. */
public final class CompactLongs {
  private static final int ELSEWHERE = -1;

  private final IntList values = new IntList();
  private final Map<Long, Long> others = new HashMap<>();

  /** Appends a value; amortized constant time. */
  public void add(long value) {
    if (value >= 0 && value <= Integer.MAX_VALUE) {
      values.add((int) value);
    } else {
      others.put(values.size(), value);
      values.add(ELSEWHERE);
    }
  }

  /** @return the value at an index from 0 to {@code size() - 1} */
  public long get(long index) {
    int value = values.get(index);
    return value == ELSEWHERE ? others.get(index) : value;
  }

  public long size() {
    return values.size();
  }
}
