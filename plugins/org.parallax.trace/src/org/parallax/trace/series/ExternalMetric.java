package org.parallax.trace.series;

import java.util.Arrays;

/**
 * A metric over time that a monitor measured. A gauge has its value from a reading on until the next
 * one; a counter grows evenly from each known value to the next. Before the first reading and after
 * the last one, and where a gauge was said not to be known, there is nothing. Immutable.
 */
public final class ExternalMetric {
  /** Takes one piece of a metric. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * @param level between the two times: of a gauge its value, of a counter how much it grows in a
     *     second
     */
    void piece(long fromNs, long toNs, double level);
  }

  private static final double NS_PER_SECOND = 1e9;

  private final String name;
  private final boolean counter;
  private final String unit;
  private final long[] timesNs;
  private final double[] values;
  private final long offsetNs;

  private ExternalMetric(String name, boolean counter, String unit, long[] timesNs,
      double[] values, long offsetNs) {
    this.name = name;
    this.counter = counter;
    this.unit = unit;
    this.timesNs = timesNs;
    this.values = values;
    this.offsetNs = offsetNs;
  }

  /**
   * @param timesNs of the readings, increasing; kept, not copied
   * @param values NaN where not known; those of a counter do not fall
   */
  static ExternalMetric of(String name, boolean counter, String unit, long[] timesNs,
      double[] values) {
    if (!counter || Arrays.stream(values).noneMatch(Double::isNaN)) {
      return new ExternalMetric(name, counter, unit, timesNs, values, 0);
    }
    long[] times = new long[values.length];
    double[] known = new double[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        times[count] = timesNs[i];
        known[count++] = values[i];
      }
    }
    return new ExternalMetric(name, true, unit, Arrays.copyOf(times, count),
        Arrays.copyOf(known, count), 0);
  }

  /** The same metric, {@code ns} later. */
  ExternalMetric movedBy(long ns) {
    return new ExternalMetric(name, counter, unit, timesNs, values, offsetNs + ns);
  }

  public String name() {
    return name;
  }

  /** Whether it is a total that only grows, rather than a value at a time. */
  public boolean isCounter() {
    return counter;
  }

  /** As the monitor says it; may be empty. */
  public String unit() {
    return unit;
  }

  /**
   * Visits the pieces of constant level in a part of the time, in its order, cut at its ends.
   *
   * <p>Cost: logarithmic in the readings, and linear in those within the part.
   */
  public void visit(long fromNs, long toNs, Visitor visitor) {
    int first = Arrays.binarySearch(timesNs,
        fromNs < Long.MIN_VALUE / 2 ? Long.MIN_VALUE : fromNs - offsetNs);
    for (int i = Math.max(0, first < 0 ? -first - 2 : first); i + 1 < timesNs.length; i++) {
      long begin = timesNs[i] + offsetNs;
      long end = timesNs[i + 1] + offsetNs;
      if (begin >= toNs) {
        return;
      }
      double level = counter ? (values[i + 1] - values[i]) / ((end - begin) / NS_PER_SECOND)
          : values[i];
      if (end > fromNs && !Double.isNaN(level)) {
        visitor.piece(Math.max(begin, fromNs), Math.min(end, toNs), level);
      }
    }
  }

  @Override
  public String toString() {
    return name + (unit.isEmpty() ? "" : " [" + unit + "]");
  }
}
