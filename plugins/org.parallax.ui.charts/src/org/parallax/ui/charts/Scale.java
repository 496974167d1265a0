package org.parallax.ui.charts;

import java.math.BigDecimal;
import java.math.MathContext;
import org.parallax.analysis.table.Unit;

/**
 * In which unit values are written, so that all of a chart have the same.
 *
 * @param unit how much of the values one of it is
 * @param symbol empty for plain numbers
 */
record Scale(double unit, String symbol) {
  private static final int DIGITS = 4;

  /** A scale for values up to a largest one. */
  static Scale of(Unit unit, double largest) {
    if (unit != Unit.NANOSECONDS) {
      return new Scale(1, "");
    }
    return largest >= 1e9 ? new Scale(1e9, "s") : largest >= 1e6 ? new Scale(1e6, "ms")
        : largest >= 1e3 ? new Scale(1e3, "µs") : new Scale(1, "ns");
  }

  double of(double value) {
    return value / unit;
  }

  /** A text with the unit behind it. */
  String label(String text) {
    return symbol.isEmpty() ? text : text + " (" + symbol + ")";
  }

  /** A value with its unit. */
  String text(double value) {
    if (!Double.isFinite(value)) {
      return "?";
    }
    BigDecimal rounded = new BigDecimal(of(value)).round(new MathContext(DIGITS));
    String number = (rounded.scale() < 0 ? rounded.setScale(0) : rounded).toPlainString();
    return symbol.isEmpty() ? number : number + " " + symbol;
  }
}
