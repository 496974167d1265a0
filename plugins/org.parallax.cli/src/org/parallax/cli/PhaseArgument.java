package org.parallax.cli;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.graph.Window;
import org.parallax.trace.ProcessTrace;

/**
 * The part of a run that {@code --phase FROM..TO} names: times since the start of the run with their
 * unit, or percents of its length; either can be left out.
 */
final class PhaseArgument {
  private static final Pattern FORM = Pattern.compile("(.*)\\.\\.(.*)");
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|min|%)");
  private static final Map<String, BigDecimal> UNITS = Map.of("ns", BigDecimal.ONE,
      "us", BigDecimal.valueOf(1_000), "ms", BigDecimal.valueOf(1_000_000),
      "s", BigDecimal.valueOf(1_000_000_000L), "min", BigDecimal.valueOf(60_000_000_000L));

  private PhaseArgument() {}

  /**
   * The phase of the applications of an analysis.
   *
   * @throws UsageException for what is no phase
   * @throws CommandFailure for one that has nothing of the run in it
   */
  static Phase of(String text, ApplicationAnalysis analysis) throws UsageException, CommandFailure {
    long endNs = analysis.workload().processes().stream()
        .mapToLong(ProcessTrace::endNs).max().orElse(0);
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw wrong(text);
    }
    long from = form.group(1).isEmpty() ? Long.MIN_VALUE : time(form.group(1), endNs, text);
    long to = form.group(2).isEmpty() ? Long.MAX_VALUE : time(form.group(2), endNs, text);
    if (from >= to) {
      throw new UsageException("the phase \"" + text + "\" ends before it begins");
    }
    if (from >= endNs) {
      throw new CommandFailure("the phase \"" + text + "\" is outside of the run, which lasts "
          + Quantity.time(endNs));
    }
    return new Phase(text, new Window(from, to));
  }

  private static long time(String text, long endNs, String phase) throws UsageException {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw wrong(phase);
    }
    BigDecimal number = new BigDecimal(time.group(1));
    BigDecimal unit = UNITS.get(time.group(2));
    BigDecimal ns = unit == null ? number.multiply(BigDecimal.valueOf(endNs)).movePointLeft(2)
        : number.multiply(unit);
    return ns.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
  }

  private static UsageException wrong(String text) {
    return new UsageException("\"" + text + "\" is no phase; it is FROM..TO, such as 1.5s..2s, "
        + "200ms.. or 10%..90%");
  }
}
