package org.parallax.trace;

/**
 * A metric that the program itself measures.
 *
 * @param isCounter whether values are totals that grow; else each is the value at its time
 * @param isDouble whether values are the bits of a double; else they are unsigned integers
 * @param unit may be empty
 */
public record Metric(int id, boolean isCounter, boolean isDouble, String name, String unit) {
  /** A value as {@link EventCursor} gives it in two payload slots. */
  public double value(long low, long high) {
    long bits = bits(low, high);
    if (isDouble) {
      return Double.longBitsToDouble(bits);
    }
    double value = bits >>> 1;
    return bits >= 0 ? bits : value * 2 + (bits & 1);
  }

  /** The 64 bits of a value, of which a payload slot holds half. */
  public static long bits(long low, long high) {
    return high << 32 | low & 0xffffffffL;
  }
}
