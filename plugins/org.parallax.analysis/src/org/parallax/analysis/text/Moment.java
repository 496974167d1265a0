package org.parallax.analysis.text;

import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.trace.ProcessTrace;

/** Moments of a run as people write them: a time since its start with its unit, or a percentage. */
public final class Moment {
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|min|%)");
  private static final Map<String, BigDecimal> UNITS = Map.of("ns", BigDecimal.ONE,
      "us", BigDecimal.valueOf(1_000), "ms", BigDecimal.valueOf(1_000_000),
      "s", BigDecimal.valueOf(1_000_000_000L), "min", BigDecimal.valueOf(60_000_000_000L));

  private Moment() {}

  /** @return when the last process ends */
  public static long endNs(ApplicationAnalysis analysis) {
    return analysis.workload().processes().stream()
        .mapToLong(ProcessTrace::endNs).max().orElse(0);
  }

  /**
   * @param endNs of what percentages are
   * @return empty for what is no time
   */
  public static OptionalLong ns(String text, long endNs) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      return OptionalLong.empty();
    }
    BigDecimal number = new BigDecimal(time.group(1));
    BigDecimal unit = UNITS.get(time.group(2));
    BigDecimal ns = unit == null ? number.multiply(BigDecimal.valueOf(endNs)).movePointLeft(2)
        : number.multiply(unit);
    return OptionalLong.of(ns.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
  }

  /** What a person has written is no moment of a run; the message says why. */
  public static final class NoMoment extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NoMoment(String message) {
      super(message);
    }
  }

  /** @return what is to be said of what is no time */
  public static NoMoment wrong(String text) {
    return new NoMoment("\"" + text + "\" is not a time; write a number with its unit, such as "
        + "1.5s, 200ms or 10%");
  }

  /** @return what is to be said of a time after the end of the run */
  public static NoMoment outside(String text, ApplicationAnalysis analysis) {
    return new NoMoment("the time \"" + text + "\" is outside of the run, which took "
        + Quantity.time(endNs(analysis)));
  }

  /**
   * A length of time with its unit, which can be negative; no percentage.
   *
   * @throws NoMoment for what is none
   */
  public static long signed(String text) {
    boolean isNegative = text.startsWith("-");
    OptionalLong ns = text.endsWith("%") ? OptionalLong.empty()
        : ns(isNegative ? text.substring(1) : text, 0);
    if (ns.isEmpty()) {
      throw wrong(text);
    }
    return isNegative ? -ns.getAsLong() : ns.getAsLong();
  }

  /**
   * A moment of the run.
   *
   * @throws NoMoment for what is none
   */
  public static long of(String text, ApplicationAnalysis analysis) {
    OptionalLong ns = ns(text, endNs(analysis));
    if (ns.isEmpty()) {
      throw wrong(text);
    }
    if (ns.getAsLong() > endNs(analysis)) {
      throw outside(text, analysis);
    }
    return ns.getAsLong();
  }
}
