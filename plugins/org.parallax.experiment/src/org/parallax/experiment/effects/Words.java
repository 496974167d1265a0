package org.parallax.experiment.effects;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.parallax.analysis.table.Unit;

/** Numbers in sentences. */
public final class Words {
  private static final String[] TIMES = {"ns", "us", "ms", "s"};

  private Words() {}

  /** @return a response, times with their unit */
  public static String value(double value, Unit unit) {
    if (unit != Unit.NANOSECONDS) {
      return number(value);
    }
    double scaled = value;
    int power = 0;
    while (Math.abs(scaled) >= 1000 && power + 1 < TIMES.length) {
      scaled /= 1000;
      power++;
    }
    return number(scaled) + " " + TIMES[power];
  }

  /** @return with three digits that count, or all before the point */
  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return String.valueOf(value);
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
    return (rounded.scale() < 0 ? rounded.setScale(0) : rounded).toPlainString();
  }

  static String probability(double p) {
    return p < 0.0001 ? "p < 0.0001" : "p = " + number(p);
  }

  /** @return names with commas, and before the last one */
  static String list(List<String> names) {
    return names.size() < 2 ? String.join("", names)
        : String.join(", ", names.subList(0, names.size() - 1)) + " and "
            + names.get(names.size() - 1);
  }
}
