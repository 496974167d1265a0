package org.parallax.ui.charts;

import java.util.Locale;
import org.eclipse.osgi.util.NLS;

/** Writes times with the unit that fits them. */
public final class TimeLabel {
  private TimeLabel() {
  }

  /** With four digits, such as {@code 1.234 s}. */
  public static String of(long ns) {
    double size = Math.abs((double) ns);
    return ns == 0 ? "0" : size >= 1e9 ? digits(ns / 1e9) + " s"
        : size >= 1e6 ? digits(ns / 1e6) + " ms"
        : size >= 1e3 ? digits(ns / 1e3) + " \u00b5s" : ns + " ns";
  }

  /** Where a range begins and ends, and how long it is. */
  public static String range(long beginNs, long endNs) {
    return NLS.bind(Messages.range, new Object[] {of(beginNs), of(endNs), of(endNs - beginNs)});
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    return String.format(Locale.ROOT,
        size >= 1000 ? "%,.0f" : size >= 100 ? "%.1f" : size >= 10 ? "%.2f" : "%.3f", value);
  }
}
