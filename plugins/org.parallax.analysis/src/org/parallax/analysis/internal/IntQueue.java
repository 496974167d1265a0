package org.parallax.analysis.internal;

/** A first-in first-out queue of {@code int} values in a ring that grows. */
public final class IntQueue {
  private int[] ring = new int[64];
  private int head;
  private int size;

  public void add(int value) {
    if (size == ring.length) {
      int[] larger = new int[2 * size];
      for (int i = 0; i < size; i++) {
        larger[i] = ring[head + i & size - 1];
      }
      ring = larger;
      head = 0;
    }
    ring[head + size++ & ring.length - 1] = value;
  }

  /** @return the oldest value, or -1 when empty */
  public int poll() {
    if (size == 0) {
      return -1;
    }
    int value = ring[head];
    head = head + 1 & ring.length - 1;
    size--;
    return value;
  }
}
