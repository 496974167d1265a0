package org.parallax.analysis.graph;

/**
 * Where an event is, in one {@code long}: the thread's index in the replay (22 bits) and the
 * position in its event file (41 bits). Never negative.
 */
final class Reference {
  private static final int POSITION_BITS = 41;
  private static final long POSITION_MASK = (1L << POSITION_BITS) - 1;
  static final int MAX_THREADS = 1 << 22;

  /** No event. */
  static final long NONE = -1;

  private Reference() {}

  static long of(int thread, long position) {
    return (long) thread << POSITION_BITS | position;
  }

  static int thread(long reference) {
    return (int) (reference >>> POSITION_BITS);
  }

  static long position(long reference) {
    return reference & POSITION_MASK;
  }
}
