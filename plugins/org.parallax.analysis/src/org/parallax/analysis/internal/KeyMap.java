package org.parallax.analysis.internal;

import java.util.Arrays;

/**
 * A hash map from pairs of {@code long} to small non-negative numbers; open addressing with linear
 * probing. Every call takes constant expected time and no memory but for growth.
 */
public final class KeyMap {
  private long[] keys1;
  private long[] keys2;
  private int[] values;
  private int size;
  private int mask;

  public KeyMap() {
    allocate(64);
  }

  private void allocate(int capacity) {
    keys1 = new long[capacity];
    keys2 = new long[capacity];
    values = new int[capacity];
    Arrays.fill(values, -1);
    mask = capacity - 1;
  }

  private static int hash(long key1, long key2) {
    long mixed = (key1 * 0x9E3779B97F4A7C15L ^ Long.rotateLeft(key2, 32)) * 0xD6E8FEB86659FD93L;
    return (int) (mixed ^ mixed >>> 32);
  }

  /** @return the value of a key, or -1 */
  public int get(long key1, long key2) {
    int i = hash(key1, key2) & mask;
    while (values[i] >= 0) {
      if (keys1[i] == key1 && keys2[i] == key2) {
        return values[i];
      }
      i = i + 1 & mask;
    }
    return -1;
  }

  /** Adds a key that is not in the map. */
  public void add(long key1, long key2, int value) {
    if (2 * (size + 1) > values.length) {
      long[] old1 = keys1;
      long[] old2 = keys2;
      int[] oldValues = values;
      allocate(oldValues.length * 2);
      for (int i = 0; i < oldValues.length; i++) {
        if (oldValues[i] >= 0) {
          insert(old1[i], old2[i], oldValues[i]);
        }
      }
    }
    insert(key1, key2, value);
    size++;
  }

  private void insert(long key1, long key2, int value) {
    int i = hash(key1, key2) & mask;
    while (values[i] >= 0) {
      i = i + 1 & mask;
    }
    keys1[i] = key1;
    keys2[i] = key2;
    values[i] = value;
  }

  /** @return the value that the key had, or -1 */
  public int remove(long key1, long key2) {
    int i = hash(key1, key2) & mask;
    while (values[i] >= 0 && (keys1[i] != key1 || keys2[i] != key2)) {
      i = i + 1 & mask;
    }
    int removed = values[i];
    if (removed >= 0) {
      size--;
      closeGap(i);
    }
    return removed;
  }

  /** Moves back the keys that linear probing had put behind a removed one. */
  private void closeGap(int gap) {
    int i = gap;
    for (;;) {
      i = i + 1 & mask;
      if (values[i] < 0) {
        break;
      }
      int home = hash(keys1[i], keys2[i]) & mask;
      if ((i - home & mask) >= (i - gap & mask)) {
        keys1[gap] = keys1[i];
        keys2[gap] = keys2[i];
        values[gap] = values[i];
        gap = i;
      }
    }
    values[gap] = -1;
  }

  public int size() {
    return size;
  }
}
