package org.parallax.analysis.graph;

import java.util.Arrays;

/**
 * The values under way on one channel: a ring by ordinal, from the first that was not taken yet.
 */
final class Channel {
  // What the reference of a cell says besides a place (which is never negative).
  private static final long EMPTY = -1;
  private static final long SKIPPED = -2;
  private static final long TAKEN = -3;
  private static final long FIRST_WAITER = -4;  // minus the thread that waits for it

  /** A value that is missing for good must not hold all that follow. */
  private static final int LARGEST = 1 << 20;

  long key1;
  long key2;
  /** Ordinals given to takers. */
  long takers;
  private boolean open;
  private boolean numbered;
  private long providers;
  private long base;
  private long[] cells = empty(4);

  private static long[] empty(int capacity) {
    long[] cells = new long[3 * capacity];
    Arrays.fill(cells, EMPTY);
    return cells;
  }

  void open(long key1, long key2) {
    this.key1 = key1;
    this.key2 = key2;
    open = true;
    numbered = false;
    takers = 0;
    providers = 0;
    base = 0;
  }

  void close() {
    open = false;
    if (cells.length > 12) {
      cells = empty(4);
    }
  }

  boolean isOpen() {
    return open;
  }

  /** @return true if as many were provided as were asked for, and all were delivered */
  boolean idle() {
    return open && !numbered && providers == takers && base == providers;
  }

  /** @return the index of the ordinal's time in {@code cells}, or -1 if it is gone already */
  private int cell(long ordinal) {
    if (ordinal < base) {
      return -1;
    }
    while (ordinal - base >= cells.length / 3) {
      if (cells.length / 3 >= LARGEST) {
        advanceTo(ordinal - LARGEST / 2);
      } else {
        grow();
      }
    }
    return index(ordinal);
  }

  private int index(long ordinal) {
    return 3 * (int) (ordinal & cells.length / 3 - 1);
  }

  private void grow() {
    long[] old = cells;
    int oldCapacity = old.length / 3;
    cells = empty(4 * oldCapacity);
    for (long i = base; i < base + oldCapacity; i++) {
      System.arraycopy(old, 3 * (int) (i & oldCapacity - 1), cells, index(i), 3);
    }
  }

  private void advanceTo(long ordinal) {
    while (base < ordinal) {
      cells[index(base++) + 2] = EMPTY;
    }
  }

  /** As {@link #provide}, for a channel whose providers know their ordinals. */
  int provideNumbered(long ordinal, long timeNs, long length, long reference) {
    numbered = true;
    return put(ordinal, timeNs, length, reference);
  }

  /** @return the thread that waited for it, or -1 */
  int provide(long timeNs, long length, long reference) {
    return put(providers++, timeNs, length, reference);
  }

  private int put(long ordinal, long timeNs, long length, long reference) {
    int cell = cell(ordinal);
    if (cell < 0) {
      return -1;
    }
    long state = cells[cell + 2];
    if (state == SKIPPED) {
      finish(cell);
      return -1;
    }
    cells[cell] = timeNs;
    cells[cell + 1] = length;
    cells[cell + 2] = reference;
    return state <= FIRST_WAITER ? (int) (FIRST_WAITER - state) : -1;
  }

  boolean take(long ordinal, boolean consume, int thread, Exchange.Values into) {
    int cell = cell(ordinal);
    if (cell < 0 || cells[cell + 2] == TAKEN) {
      into.reference = Reference.NONE;
      return true;
    }
    long state = cells[cell + 2];
    if (state < 0) {
      cells[cell + 2] = FIRST_WAITER - thread;
      return false;
    }
    into.timeNs = cells[cell];
    into.length = cells[cell + 1];
    into.reference = state;
    if (consume) {
      finish(cell);
    }
    return true;
  }

  void skip(long ordinal) {
    int cell = cell(ordinal);
    if (cell < 0) {
      return;
    }
    if (cells[cell + 2] >= 0 || cells[cell + 2] == TAKEN) {
      finish(cell);
    } else {
      cells[cell + 2] = SKIPPED;
    }
  }

  private void finish(int cell) {
    cells[cell + 2] = TAKEN;
    int first = index(base);
    while (cells[first + 2] == TAKEN) {
      cells[first + 2] = EMPTY;
      base++;
      first = index(base);
    }
  }
}
