package org.parallax.analysis.replay;

/**
 * The values under way on one channel: a ring by ordinal, from the first that was not taken yet.
 */
final class Channel {
  // The fields of a cell: the value; when, with which path length and where its taker was ready.
  private static final int LENGTH = 1;
  private static final int REFERENCE = 2;
  private static final int READY_NS = 3;
  private static final int READY_LENGTH = 4;
  private static final int READY_REFERENCE = 5;
  private static final int KEPT = 6;
  private static final int FIELDS = 7;

  // What the reference of a cell says besides a place (which is never negative).
  private static final long EMPTY = -1;
  private static final long SKIPPED = -2;
  private static final long TAKEN = -3;
  private static final long FIRST_WAITER = -4;  // minus the thread that waits for it

  private static final int FIRST_CAPACITY = 4;
  /** A value that is missing for good must not hold all that follow. */
  private static final int LARGEST = 1 << 20;

  /** The capacity from which on no values are kept for their providers. */
  private static final int MOST_KEPT = 256;

  long key1;
  long key2;
  /** Ordinals given to takers. */
  long takers;
  private boolean open;
  private boolean numbered;
  private long providers;
  private long base;
  /** Values before this one are not told of. */
  private long leftOut;
  private int capacity = FIRST_CAPACITY;
  private long[] cells = empty(FIRST_CAPACITY);

  private static long[] empty(int capacity) {
    long[] cells = new long[FIELDS * capacity];
    for (int i = 0; i < capacity; i++) {
      clear(cells, FIELDS * i);
    }
    return cells;
  }

  private static void clear(long[] cells, int cell) {
    cells[cell + REFERENCE] = EMPTY;
    cells[cell + READY_REFERENCE] = Reference.NONE;
    cells[cell + KEPT] = 0;
  }

  void open(long key1, long key2) {
    this.key1 = key1;
    this.key2 = key2;
    open = true;
    numbered = false;
    takers = 0;
    providers = 0;
    base = 0;
    leftOut = 0;
  }

  void close() {
    open = false;
    capacity = FIRST_CAPACITY;
    cells = empty(capacity);
  }

  boolean isOpen() {
    return open;
  }

  /** @return true if as many were provided as were asked for, all delivered; and no probe waits */
  boolean idle() {
    return open && !numbered && providers == takers && base == providers
        && cells[index(base) + REFERENCE] == EMPTY;
  }

  /** @return where the ordinal's cell begins, or -1 if it is gone already or damaged */
  private int cell(long ordinal) {
    if (ordinal < base || ordinal - base >= 2L * LARGEST) {
      return -1;
    }
    while (ordinal - base >= capacity) {
      if (capacity >= MOST_KEPT && forgetKept()) {
        continue;
      }
      if (capacity >= LARGEST) {
        advanceTo(ordinal - LARGEST / 2);
      } else {
        grow();
      }
    }
    return index(ordinal);
  }

  /**
   * Drops the values that were taken and are only kept for their providers: some may never ask.
   *
   * @return whether there were any at the base
   */
  private boolean forgetKept() {
    long before = base;
    for (int i = 0; i < capacity; i++) {
      cells[FIELDS * i + KEPT] = 0;
    }
    dropFinished();
    return base > before;
  }

  private int index(long ordinal) {
    return FIELDS * (int) (ordinal & capacity - 1);
  }

  private void grow() {
    long[] old = cells;
    int oldCapacity = capacity;
    capacity *= 4;
    cells = empty(capacity);
    for (long i = base; i < base + oldCapacity; i++) {
      System.arraycopy(old, FIELDS * (int) (i & oldCapacity - 1), cells, index(i), FIELDS);
    }
  }

  private void advanceTo(long ordinal) {
    while (base < ordinal) {
      clear(cells, index(base++));
    }
  }

  /** Values were provided and taken that nobody tells of. */
  void leaveOut(long provided, long taken) {
    providers += provided;
    takers += taken;
    base = Math.max(providers, takers);
    leftOut = base;
  }

  boolean isLeftOut(long ordinal) {
    return ordinal < leftOut;
  }

  /** @return the ordinal of the next value to be provided */
  long nextProvided() {
    return providers++;
  }

  /** Says that ordinals are numbers that mean something: they must not begin anew. */
  void setNumbered() {
    numbered = true;
  }

  /**
   * @param kept true if the provider will ask {@link #ready}
   * @return the thread that waited for it, or -1
   */
  int provide(long ordinal, boolean kept, long timeNs, long length, long reference) {
    int cell = cell(ordinal);
    if (cell < 0) {
      return -1;
    }
    long state = cells[cell + REFERENCE];
    cells[cell + KEPT] = kept ? 1 : 0;
    if (state == SKIPPED) {
      take(cell);
      return -1;
    }
    cells[cell] = timeNs;
    cells[cell + LENGTH] = length;
    cells[cell + REFERENCE] = reference;
    return state <= FIRST_WAITER ? (int) (FIRST_WAITER - state) : -1;
  }

  boolean take(long ordinal, boolean consume, int thread, Exchange.Values into) {
    int cell = cell(ordinal);
    if (cell < 0 || cells[cell + REFERENCE] == TAKEN) {
      into.reference = Reference.NONE;
      return true;
    }
    long state = cells[cell + REFERENCE];
    if (state < 0) {
      cells[cell + REFERENCE] = FIRST_WAITER - thread;
      return false;
    }
    into.timeNs = cells[cell];
    into.length = cells[cell + LENGTH];
    into.reference = state;
    if (consume) {
      take(cell);
    }
    return true;
  }

  void skip(long ordinal) {
    int cell = cell(ordinal);
    if (cell >= 0) {
      long state = cells[cell + REFERENCE];
      if (state >= 0 || state == TAKEN) {
        take(cell);
      } else {
        cells[cell + REFERENCE] = SKIPPED;
      }
    }
  }

  /** The taker of a value is ready for it. */
  void setReady(long ordinal, long timeNs, long length, long reference) {
    int cell = cell(ordinal);
    if (cell >= 0) {
      cells[cell + READY_NS] = timeNs;
      cells[cell + READY_LENGTH] = length;
      cells[cell + READY_REFERENCE] = reference;
    }
  }

  /** Tells a provider when the taker was ready, as far as it is known, and keeps it no longer. */
  void ready(long ordinal, Exchange.Values into) {
    int cell = cell(ordinal);
    into.reference = Reference.NONE;
    if (cell >= 0) {
      into.timeNs = cells[cell + READY_NS];
      into.length = cells[cell + READY_LENGTH];
      into.reference = cells[cell + READY_REFERENCE];
      cells[cell + KEPT] = 0;
      dropFinished();
    }
  }

  private void take(int cell) {
    cells[cell + REFERENCE] = TAKEN;
    dropFinished();
  }

  private void dropFinished() {
    int first = index(base);
    while (cells[first + REFERENCE] == TAKEN && cells[first + KEPT] == 0) {
      clear(cells, first);
      base++;
      first = index(base);
    }
  }
}
