package org.parallax.analysis.timeline;

/**
 * What some threads do in each of the columns into which a part of the time is divided.
 *
 * @param states of each thread and column the state that has most of the column's time; {@link #NONE}
 *     where the thread has no time there. Columns of less than a nanosecond have the state of that
 *     in which they are.
 * @param quality how far it can be trusted
 */
public record StateColumns(long fromNs, long toNs, int columns, int[][] states, Quality quality) {
  /** No state. */
  public static final int NONE = StateTimes.NONE;

  /** How states were found. */
  public enum Quality {
    /** At a moment of each column, for threads whose events have not been read yet. */
    SAMPLED,
    /** From sums of some hundred events each, of which shares are taken at the borders of columns. */
    SHARES,
    /** From every event. */
    EXACT
  }

  /** @return where a column begins, which is where that before ends */
  public static long beginNs(long fromNs, long toNs, int columns, int column) {
    long lengthNs = toNs - fromNs;
    return fromNs + lengthNs / columns * column + lengthNs % columns * column / columns;
  }

  /** @return the last column that ends at a time or before it, but not one before {@code column} */
  static int lastBefore(long fromNs, long toNs, int columns, int column, long timeNs) {
    if (timeNs >= toNs) {
      return columns - 1;
    }
    int last = Math.max(column, (int) ((double) (timeNs - fromNs) / (toNs - fromNs) * columns));
    while (last > column && beginNs(fromNs, toNs, columns, last + 1) > timeNs) {
      last--;
    }
    return last;
  }
}
