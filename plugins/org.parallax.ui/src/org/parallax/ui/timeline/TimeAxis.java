package org.parallax.ui.timeline;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The ticks of a time axis, in a unit that fits their distance. Far from time 0 they are told from a
 * moment before them.
 *
 * @param base the moment from which the ticks are told; empty for time 0
 */
record TimeAxis(String base, List<Tick> ticks) {
  /** A moment with a text. */
  record Tick(long timeNs, String text) {}

  private static final String[] UNITS = {"ns", "\u00b5s", "ms", "s"};
  private static final int GROUP = 1000;
  private static final int DETAIL = 1000;
  /** With more digits than this before a tick's last one it is told from a moment before it. */
  private static final long FAR = 100_000;

  /** @param most ticks that there is room for */
  static TimeAxis of(TimeWindow window, int most) {
    long step = step(Math.max(1, window.lengthNs() / Math.max(1, most)));
    long first = Math.floorDiv(window.beginNs() + step - 1, step) * step;
    long base = Math.abs(window.endNs()) / step < FAR ? 0 : baseOf(window, step);
    long largest = Math.max(Math.abs(window.beginNs() - base), Math.abs(window.endNs() - base));
    List<Tick> ticks = new ArrayList<>();
    for (long at = first; at <= window.endNs(); at += step) {
      ticks.add(new Tick(at, (base != 0 ? "+" : "") + text(at - base, step, largest)));
    }
    return new TimeAxis(base == 0 ? "" : exact(base), ticks);
  }

  /** 1, 2 or 5 times a power of ten, at least so much. */
  private static long step(long leastNs) {
    long power = 1;
    while (5 * power < leastNs) {
      power *= 10;
    }
    return power >= leastNs ? power : 2 * power >= leastNs ? 2 * power : 5 * power;
  }

  private static long coarse(long step) {
    long coarse = 1;
    while (coarse < GROUP * step) {
      coarse *= GROUP;
    }
    return coarse;
  }

  private static long baseOf(TimeWindow window, long step) {
    return Math.floorDiv(window.beginNs(), coarse(step)) * coarse(step);
  }

  /** A time with all its digits. */
  static String exact(long ns) {
    return text(ns, Long.MAX_VALUE / GROUP, Math.abs(ns));
  }

  /**
   * A time that is a multiple of a step, in a unit in which neither it nor a largest time has many
   * digits.
   */
  private static String text(long ns, long step, long largest) {
    int unit = 0;
    long size = 1;
    while (unit + 1 < UNITS.length && size * GROUP <= Math.min(step * GROUP, largest)) {
      size *= GROUP;
      unit++;
    }
    BigDecimal value = BigDecimal.valueOf(ns).divide(BigDecimal.valueOf(size));
    BigDecimal plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    return plain.setScale(Math.max(0, plain.scale()), RoundingMode.UNNECESSARY).toPlainString()
        + " " + UNITS[unit];
  }

  /** A time near enough to tell it from others in sight. */
  static String text(long ns, TimeWindow window) {
    long step = 1;
    while (DETAIL * step < window.lengthNs()) {
      step *= 10;
    }
    return text(Math.floorDiv(ns + step / 2, step) * step, step,
        Math.max(Math.abs(window.beginNs()), Math.abs(window.endNs())));
  }

  /** A length of time with four digits. */
  static String length(long ns) {
    int unit = 0;
    long size = 1;
    while (unit + 1 < UNITS.length && Math.abs(ns) >= size * GROUP) {
      size *= GROUP;
      unit++;
    }
    BigDecimal value = BigDecimal.valueOf(ns).divide(BigDecimal.valueOf(size))
        .round(new java.math.MathContext(4));
    return value.setScale(Math.max(0, value.stripTrailingZeros().scale())).toPlainString() + " "
        + UNITS[unit];
  }
}
