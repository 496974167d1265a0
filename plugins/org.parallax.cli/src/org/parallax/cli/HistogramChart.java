package org.parallax.cli;

import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.parallax.analysis.Column;
import org.parallax.analysis.Table;
import org.parallax.analysis.Unit;

/**
 * Time histograms for people: a curve below the other, all of one unit on one scale. The more there
 * are, the lower they are; from many on each is one line of marks, the darker the more.
 */
final class HistogramChart {
  private static final int FIRST_SERIES = 2;
  private static final int LABEL = 12;
  private static final int HIGHEST = 8;
  private static final int LINES = 32;
  private static final String MARKS = " .:-=+*#%@";

  private final Table table;
  private final int bins;
  private final StringBuilder text = new StringBuilder();

  private HistogramChart(Table table) {
    this.table = table;
    bins = table.rows().size();
  }

  /** @param top only so many curves, the first ones */
  static String print(Table table, int top) {
    return new HistogramChart(table).print(top);
  }

  /** How many bins fit beside the labels on a line of so many characters. */
  static int fitting(int width) {
    return Math.max(10, width - LABEL - 3);
  }

  private String print(int top) {
    text.append(table.title()).append("\n\n");
    int series = table.columns().size() - FIRST_SERIES;
    int shown = Math.min(series, top);
    if (series == 0) {
      return text.append("(no threads)\n").toString();
    }
    int height = Math.min(HIGHEST, LINES / shown);
    for (int column = FIRST_SERIES; column < FIRST_SERIES + shown; column++) {
      if (height > 1) {
        curve(column, height);
      } else {
        line(column);
      }
    }
    axis();
    if (shown < series) {
      text.append("... ").append(Quantity.of(series - shown, "more curve", "more curves"))
          .append('\n');
    }
    text.append('\n').append(Quantity.of(bins, "bin", "bins")).append(" of ")
        .append(Quantity.time((edge(bins - 1, 1) - edge(0, 0)) / bins)).append('\n');
    return text.toString();
  }

  private long edge(int bin, int column) {
    return (Long) table.rows().get(bin).values().get(column);
  }

  private double value(int bin, int column) {
    return ((Number) table.rows().get(bin).values().get(column)).doubleValue();
  }

  private double most(int column) {
    double most = 0;
    for (int bin = 0; bin < bins; bin++) {
      most = Math.max(most, value(bin, column));
    }
    return most;
  }

  /** The most of all curves of the same unit: 100 for percents. */
  private double scale(int column) {
    Unit unit = table.columns().get(column).unit();
    double most = unit == Unit.PERCENT ? 100 : 0;
    for (int other = FIRST_SERIES; other < table.columns().size(); other++) {
      most = table.columns().get(other).unit() == unit ? Math.max(most, most(other)) : most;
    }
    return most;
  }

  private void curve(int column, int height) {
    double scale = scale(column);
    text.append(table.columns().get(column).label()).append(summary(column)).append('\n');
    for (int row = height; row > 0; row--) {
      double level = row;
      String label = row == height ? number(column, scale) : "";
      plot(label, bin -> scale == 0 ? 0 : value(bin, column) / scale * height - level + 1);
    }
  }

  /** A row of a curve: a mark where at least half of it is reached, a point for anything at all. */
  private void plot(String label, IntToDoubleFunction reached) {
    StringBuilder marks = new StringBuilder();
    for (int bin = 0; bin < bins; bin++) {
      double part = reached.applyAsDouble(bin);
      marks.append(part >= 0.5 ? '#' : part > 0 ? '.' : ' ');
    }
    text.append(String.format("%" + LABEL + "s |%s", label, marks).stripTrailing()).append('\n');
  }

  private void line(int column) {
    double scale = scale(column);
    StringBuilder marks = new StringBuilder();
    for (int bin = 0; bin < bins; bin++) {
      double share = scale == 0 ? 0 : value(bin, column) / scale;
      marks.append(MARKS.charAt((int) Math.ceil(share * (MARKS.length() - 1))));
    }
    text.append(String.format("%" + LABEL + "s |%s| %s%n", "", marks,
        ShortName.of(table.columns().get(column).label(), 2 * LABEL)));
  }

  private void axis() {
    String from = Quantity.time(edge(0, 0));
    String to = Quantity.time(edge(bins - 1, 1));
    text.append(" ".repeat(LABEL)).append(" +").append("-".repeat(bins)).append('\n');
    text.append(" ".repeat(LABEL + 2)).append(from)
        .append(" ".repeat(Math.max(1, bins - from.length() - to.length()))).append(to)
        .append('\n');
  }

  /** What the bins add up to, or, of what is no sum, the most in a bin. */
  private String summary(int column) {
    if (!(table.rows().get(0).values().get(column) instanceof Long)) {
      return ", at most " + number(column, most(column));
    }
    double sum = 0;
    for (int bin = 0; bin < bins; bin++) {
      sum += value(bin, column);
    }
    return ", in all " + number(column, sum);
  }

  private String number(int column, double value) {
    Column of = table.columns().get(column);
    return switch (of.unit()) {
      case NANOSECONDS -> Quantity.time((long) value);
      case BYTES -> Quantity.size((long) value);
      case COUNT -> Quantity.count((long) value);
      case PERCENT -> String.format(Locale.ROOT, "%.1f %%", value);
      default -> String.format(Locale.ROOT, "%.3f", value);
    };
  }
}
