package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/**
 * Time histograms for people: a curve below the other, all of one unit on one scale. The more there
 * are, the lower they are; from many on each is one line of marks, the darker the more. Those of two
 * runs lie over each other.
 */
public final class HistogramChart {
  private static final int FIRST_SERIES = 2;
  private static final int NONE = -1;
  private static final int LABEL = 12;
  private static final int HIGHEST = 8;
  private static final int LINES = 32;
  private static final double MOST_PLAIN = 1e6;
  private static final String MARKS = " .:-=+*#%@";

  private final Table table;
  private final int bins;
  /** The columns of curves. */
  private final List<Integer> curves = new ArrayList<>();
  /** Of each the column of the curve that it lies over, if that is so of any. */
  private final List<Integer> bases = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  private HistogramChart(Table table) {
    this.table = table;
    bins = table.rows().size();
  }

  /** @param top only so many curves, the first ones */
  public static String print(Table table, int top) {
    HistogramChart chart = new HistogramChart(table);
    for (int i = FIRST_SERIES; i < table.columns().size(); i++) {
      chart.curves.add(i);
    }
    return chart.print(top);
  }

  /** The curves of new runs over those of the base. */
  public static String printDifference(Table table, int top) {
    HistogramChart chart = new HistogramChart(table);
    for (String key : ComparisonReport.comparedColumns(table)) {
      chart.curves.add(table.column(key + ".new"));
      chart.bases.add(table.column(key + ".base"));
    }
    return chart.print(top);
  }

  /** How many bins fit beside the labels on a line of so many characters. */
  public static int fitting(int width) {
    return Math.max(10, width - LABEL - 3);
  }

  private String print(int top) {
    text.append(table.title()).append("\n\n");
    int series = curves.size();
    int shown = Math.min(series, top);
    if (series == 0) {
      return text.append("(no threads)\n").toString();
    }
    int height = Math.min(HIGHEST, LINES / shown);
    for (int i = 0; i < shown; i++) {
      int base = bases.isEmpty() ? NONE : bases.get(i);
      if (height > 1) {
        curve(curves.get(i), base, height);
      } else {
        if (base != NONE) {
          line(base);
        }
        line(curves.get(i));
      }
    }
    axis();
    if (shown < series) {
      text.append("... ").append(Quantity.of(series - shown, "more curve", "more curves"))
          .append('\n');
    }
    text.append('\n').append(Quantity.of(bins, "bin", "bins")).append(" of ")
        .append(Quantity.time((edge(bins - 1, 1) - edge(0, 0)) / bins)).append('\n');
    if (!bases.isEmpty() && height > 1) {
      text.append("# both, + only ").append(table.parameters().get("new")).append(", - only ")
          .append(table.parameters().get("base")).append('\n');
    }
    return text.toString();
  }

  private long edge(int bin, int column) {
    return (Long) table.rows().get(bin).values().get(column);
  }

  /** NaN where it is not known. */
  private double value(int bin, int column) {
    return table.rows().get(bin).values().get(column) instanceof Number number
        ? number.doubleValue() : Double.NaN;
  }

  private double most(int column) {
    double most = 0;
    for (int bin = 0; bin < bins; bin++) {
      most = value(bin, column) > most ? value(bin, column) : most;
    }
    return most;
  }

  /**
   * The most of all curves of the same unit: 100 for percents. Numbers are of one kind only where they are
   * of one metric, the first word of the key.
   */
  private double scale(int column) {
    Unit unit = table.columns().get(column).unit();
    double most = unit == Unit.PERCENT ? 100 : 0;
    for (List<Integer> shown : List.of(curves, bases)) {
      for (int other : shown) {
        boolean alike = table.columns().get(other).unit() == unit
            && (unit != Unit.NUMBER || metric(other).equals(metric(column)));
        most = alike ? Math.max(most, most(other)) : most;
      }
    }
    return most;
  }

  private String metric(int column) {
    return table.columns().get(column).key().split(" ", 2)[0];
  }

  private void curve(int column, int base, int height) {
    double scale = scale(column);
    text.append(base == NONE ? table.columns().get(column).label() + summary(column)
        : name(column) + " of " + table.parameters().get("new") + summary(column) + "; of "
            + table.parameters().get("base") + summary(base)).append('\n');
    for (int row = height; row > 0; row--) {
      StringBuilder marks = new StringBuilder();
      for (int bin = 0; bin < bins; bin++) {
        double part = scale == 0 ? 0 : value(bin, column) / scale * height - row + 1;
        double below = base == NONE || scale == 0 ? part
            : value(bin, base) / scale * height - row + 1;
        marks.append(mark(part, below));
      }
      String label = row == height ? number(column, scale) : "";
      text.append(String.format("%" + LABEL + "s |%s", label, marks).stripTrailing()).append('\n');
    }
  }

  /** A mark where at least half of a row is reached, a point for anything at all. */
  private static char mark(double part, double base) {
    if (part >= 0.5 || base >= 0.5) {
      return part < 0.5 ? '-' : base < 0.5 ? '+' : '#';
    }
    return part > 0 || base > 0 ? '.' : ' ';
  }

  /** Without the end that tells the part of a difference. */
  private String name(int column) {
    String key = table.columns().get(column).key();
    return key.substring(0, Math.max(0, key.lastIndexOf('.')));
  }

  private void line(int column) {
    double scale = scale(column);
    StringBuilder marks = new StringBuilder();
    for (int bin = 0; bin < bins; bin++) {
      double share = scale == 0 ? 0 : value(bin, column) / scale;
      marks.append(MARKS.charAt((int) Math.ceil(share * (MARKS.length() - 1))));
    }
    text.append(String.format("%" + LABEL + "s |%s| %s%n", "", marks,
        ShortName.of(bases.isEmpty() ? table.columns().get(column).label()
            : name(column) + " " + table.columns().get(column).label(), 2 * LABEL)));
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
      default -> String.format(Locale.ROOT, value < MOST_PLAIN ? "%.3f" : "%.4g", value);
    };
  }
}
