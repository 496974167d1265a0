package org.parallax.launch;

import java.text.NumberFormat;
import java.util.Locale;

/** Numbers for people. */
final class Quantities {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Quantities() {
  }

  static String count(long value) {
    return NumberFormat.getIntegerInstance(Locale.ENGLISH).format(value);
  }

  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit + 1 < UNITS.length) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ENGLISH, "%.1f %s", value, UNITS[unit]);
  }

  static String seconds(long ns) {
    return String.format(Locale.ENGLISH, "%.1f s", ns / 1e9);
  }
}
