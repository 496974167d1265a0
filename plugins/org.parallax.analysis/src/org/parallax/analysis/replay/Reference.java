package org.parallax.analysis.replay;

/**
 * Where an event is, in one {@code long}: the thread's index in the replay (22 bits) and the
 * position in its event file (41 bits). Never negative.
 */
public final class Reference {
  private static final int POSITION_BITS = 41;
  private static final long POSITION_MASK = (1L << POSITION_BITS) - 1;
  static final int MAX_THREADS = 1 << 22;

  /** No event. */
  public static final long NONE = -1;

  private Reference() {}

  /** @return the event of a thread, by its index in the replay, at a position of its file */
  public static long of(int thread, long position) {
    return (long) thread << POSITION_BITS | position;
  }

  /** @return the index of the thread; undefined for {@link #NONE} */
  public static int thread(long reference) {
    return (int) (reference >>> POSITION_BITS);
  }

  /** @return the position in the thread's event file; undefined for {@link #NONE} */
  public static long position(long reference) {
    return reference & POSITION_MASK;
  }
}
