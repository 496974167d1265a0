package org.parallax.experiment.run;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.parallax.model.Treatment;

/**
 * How much of a treatment there is at a level, as people write it: {@code 1.5us}, {@code 64k},
 * {@code 50%}, {@code 0} for nothing.
 */
public final class Amount {
  private static final Pattern NUMBER = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z%µ]*)");
  private static final Map<String, Double> TIMES =
      Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", 1e6, "s", 1e9);
  private static final Map<String, Double> SIZES = Map.of("", 1.0, "b", 1.0, "k", 1024.0, "kib",
      1024.0, "m", 1048576.0, "mib", 1048576.0);
  private static final Map<String, Double> SHARES = Map.of("%", 10.0);
  private static final Map<String, Double> TIMES_ONCE = Map.of("", 1.0);

  private Amount() {}

  /**
   * Reads a setting of a factor.
   *
   * @return nanoseconds of a delay, bytes of a message or buffer, thousandths of a speed-up, 0 or 1
   *     for a lock
   * @throws ExperimentException when it is none
   */
  public static long parse(Treatment treatment, String text) throws ExperimentException {
    Map<String, Double> units = switch (treatment) {
      case MESSAGE, BUFFER -> SIZES;
      case SPEEDUP -> SHARES;
      case LOCK -> TIMES_ONCE;
      default -> TIMES;
    };
    Matcher matcher = NUMBER.matcher(text.strip());
    if (matcher.matches()) {
      double number = Double.parseDouble(matcher.group(1));
      Double unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
      if (unit == null && number == 0) {
        return 0;
      }
      if (unit != null && isAllowed(treatment, number * unit)) {
        return Math.round(number * unit);
      }
    }
    throw new ExperimentException("\"" + text + "\" is not a setting of the treatment "
        + treatment.getName().toLowerCase(Locale.ROOT) + "; examples: " + examples(treatment));
  }

  /** Whether amounts of it are times by which a thread is later. */
  static boolean isTime(Treatment treatment) {
    return switch (treatment) {
      case DELAY, SPIN, SLEEP, WORK -> true;
      case MESSAGE, BUFFER, LOCK, SPEEDUP -> false;
    };
  }

  private static boolean isAllowed(Treatment treatment, double value) {
    return switch (treatment) {
      case SPEEDUP -> value <= 1000;
      case LOCK -> value <= 1;
      case MESSAGE, BUFFER -> value <= 1L << 30;
      default -> value <= 60e9;
    };
  }

  private static String examples(Treatment treatment) {
    return switch (treatment) {
      case MESSAGE, BUFFER -> "0, 4k, 1m (bytes)";
      case SPEEDUP -> "0, 25%, 100%";
      case LOCK -> "0, 1";
      default -> "0, 200ns, 1.5us, 2ms (at most 60s)";
    };
  }

  /**
   * The amount at a coded level of a factor.
   *
   * @param settings of all levels, separated by blanks
   * @param levels 2: the code is -1, 0 for the middle, or 1; else it counts from 0
   */
  static long at(Treatment treatment, String settings, int levels, int code)
      throws ExperimentException {
    String[] texts = settings.split(" ");
    if (levels > 2) {
      return parse(treatment, texts[code]);
    }
    long low = parse(treatment, texts[0]);
    long high = parse(treatment, texts[1]);
    return code < 0 ? low : code > 0 ? high : (low + high) / 2;
  }
}
