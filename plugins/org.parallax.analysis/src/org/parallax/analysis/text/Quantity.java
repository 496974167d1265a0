package org.parallax.analysis.text;

import java.util.Locale;

/** Numbers as people read them. */
public final class Quantity {
  private static final String[] TIME_UNITS = {"ns", "us", "ms", "s"};
  private static final String[] SIZE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Quantity() {
  }

  /** The unit in which times up to {@code largestNs} have at most four digits before the point. */
  public static String timeUnit(long largestNs) {
    int unit = 0;
    for (double rest = Math.abs((double) largestNs); unit < TIME_UNITS.length - 1 && rest >= 1000;
        rest /= 1000) {
      unit++;
    }
    return TIME_UNITS[unit];
  }

  /** A time in a unit of {@link #timeUnit}, without the unit. */
  public static String timeIn(String unit, long ns) {
    double value = ns;
    for (String smaller : TIME_UNITS) {
      if (smaller.equals(unit)) {
        break;
      }
      value /= 1000;
    }
    return unit.equals("ns") ? Long.toString(ns) : String.format(Locale.ROOT, "%.3f", value);
  }

  /** A time with its unit. */
  public static String time(long ns) {
    String unit = timeUnit(ns);
    return timeIn(unit, ns) + " " + unit;
  }

  /** A number with a comma before every three digits. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A size with a binary unit. */
  public static String size(long bytes) {
    int unit = 0;
    double value = bytes;
    while (unit < SIZE_UNITS.length - 1 && Math.abs(value) >= 1024) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value,
        SIZE_UNITS[unit]);
  }

  /** "1 thread", "2 threads". */
  public static String of(long number, String singular, String plural) {
    return count(number) + " " + (number == 1 ? singular : plural);
  }
}
