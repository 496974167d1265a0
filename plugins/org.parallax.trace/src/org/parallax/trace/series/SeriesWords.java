package org.parallax.trace.series;

import java.nio.charset.StandardCharsets;

/** The words of a line, one after the other, and what numbers they are. */
final class SeriesWords {
  /** What is no time. */
  static final long NO_TIME = Long.MIN_VALUE;

  private static final long NS_PER_SECOND = 1_000_000_000L;
  /** A third, up to the year 2067: times can be moved and subtracted from each other. */
  private static final long MAX_SECONDS = Long.MAX_VALUE / NS_PER_SECOND / 3;
  /** Integers up to here and powers of ten up to 22 are doubles: one division of them is exact. */
  private static final long MAX_EXACT = 1L << 53;
  private static final double[] POWERS = new double[23];

  static {
    double power = 1;
    for (int i = 0; i < POWERS.length; i++, power *= 10) {
      POWERS[i] = power;
    }
  }

  private final byte[] bytes;
  private final int end;
  private int from;
  private int to;

  SeriesWords(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.from = from;
    this.to = from;
    this.end = end;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  /** Goes to the next word; false at the end of the line. */
  boolean next() {
    from = to;
    while (from < end && isBlank(bytes[from])) {
      from++;
    }
    to = from;
    while (to < end && !isBlank(bytes[to])) {
      to++;
    }
    return from < to;
  }

  /** The word, empty at the end of the line. */
  String text() {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** All that comes after the word; nothing comes after that. */
  String rest() {
    from = to;
    to = end;
    return text().strip();
  }

  boolean beginsWith(char c) {
    return bytes[from] == c;
  }

  boolean isDash() {
    return to == from + 1 && bytes[from] == '-';
  }

  /** The word as seconds, in nanoseconds; digits after the ninth behind the point do not count. */
  long time() {
    boolean negative = bytes[from] == '-';
    int at = negative ? from + 1 : from;
    int digits = 0;
    long seconds = 0;
    for (; at < to && isDigit(bytes[at]); at++, digits++) {
      seconds = 10 * seconds + bytes[at] - '0';
      if (seconds > MAX_SECONDS) {
        return NO_TIME;
      }
    }
    long fraction = 0;
    long unit = NS_PER_SECOND;
    if (at < to && bytes[at] == '.') {
      for (at++; at < to && isDigit(bytes[at]); at++, digits++) {
        unit /= 10;
        fraction += unit * (bytes[at] - '0');
      }
    }
    if (at < to || digits == 0) {
      return NO_TIME;
    }
    long ns = seconds * NS_PER_SECOND + fraction;
    return negative ? -ns : ns;
  }

  /** The word as a decimal number, the double that is nearest; NaN when it is none. */
  double number() {
    int at = from;
    boolean negative = bytes[at] == '-';
    if (negative || bytes[at] == '+') {
      at++;
    }
    long mantissa = 0;
    int digits = 0;
    int exponent = 0;
    boolean exact = true;
    boolean point = false;
    for (; at < to; at++) {
      if (bytes[at] == '.' && !point) {
        point = true;
        continue;
      }
      if (!isDigit(bytes[at])) {
        break;
      }
      exact = exact && mantissa < MAX_EXACT / 10;
      mantissa = exact ? 10 * mantissa + bytes[at] - '0' : mantissa;
      exponent -= point ? 1 : 0;
      digits++;
    }
    if (digits == 0) {
      return Double.NaN;
    }
    if (at < to) {
      if (bytes[at] != 'e' && bytes[at] != 'E') {
        return Double.NaN;
      }
      int sign = at + 1 < to && bytes[at + 1] == '-' ? -1 : 1;
      at += at + 1 < to && (bytes[at + 1] == '-' || bytes[at + 1] == '+') ? 2 : 1;
      int power = 0;
      int first = at;
      for (; at < to && isDigit(bytes[at]); at++) {
        power = Math.min(100_000, 10 * power + bytes[at] - '0');
      }
      if (at < to || at == first) {
        return Double.NaN;
      }
      exponent += sign * power;
    }
    if (!exact || Math.abs(exponent) >= POWERS.length) {
      return Double.parseDouble(text());
    }
    double value = exponent < 0 ? mantissa / POWERS[-exponent] : mantissa * POWERS[exponent];
    return negative ? -value : value;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
