package org.parallax.ui.table;

import java.math.BigDecimal;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/**
 * Writes the values of a table. All times of a column have one unit, which stands in its heading, so
 * that they can be compared at a glance; where the unit changes from row to row, all times of a row
 * have one unit, which stands beside them.
 */
public final class CellText {
  /** How nanoseconds are written. */
  private enum TimeUnit {
    SECONDS("s", 1e9), MILLISECONDS("ms", 1e6), MICROSECONDS("µs", 1e3);

    final String symbol;
    final double ns;

    TimeUnit(String symbol, double ns) {
      this.symbol = symbol;
      this.ns = ns;
    }

    static TimeUnit of(long largestNs) {
      return largestNs >= 1_000_000_000L ? SECONDS
          : largestNs >= 1_000_000L ? MILLISECONDS : MICROSECONDS;
    }

    String write(long timeNs) {
      return String.format(Locale.ROOT, "%,.3f", timeNs / ns);
    }
  }

  /** Keys of columns of one unit, where the first one is there. */
  private static final List<List<String>> TOGETHER =
      List.of(List.of("base", "new", "difference", "low", "high"),
          List.of("descendants", "self"), List.of("begin", "end", "time"));

  private static final int NANO_DIGITS = 9;

  private final Table table;
  private final TimeUnit[] timeUnits;
  private final NumberFormat counts = NumberFormat.getIntegerInstance(Locale.ROOT);

  public CellText(Table table) {
    this.table = table;
    List<Column> columns = table.columns();
    timeUnits = new TimeUnit[columns.size()];
    for (int column = 0; column < timeUnits.length; column++) {
      if (columns.get(column).unit() == Unit.NANOSECONDS) {
        timeUnits[column] =
            isOfEvents() ? TimeUnit.SECONDS : TimeUnit.of(largestNs(together(column)));
      }
    }
  }

  /** Events follow each other within nanoseconds: their times are written to these. */
  private boolean isOfEvents() {
    return table.report().equals("events");
  }

  /** The columns that stand beside a column to be compared with it: they have its unit. */
  private List<Integer> together(int column) {
    String key = table.columns().get(column).key();
    String start = key.substring(0, key.lastIndexOf('.') + 1);
    for (List<String> group : TOGETHER) {
      if (group.contains(key.substring(start.length())) && table.column(start + group.get(0)) >= 0) {
        return group.stream().map(each -> table.column(start + each)).filter(each -> each >= 0)
            .toList();
      }
    }
    return List.of(column);
  }

  private long largestNs(List<Integer> columns) {
    long largestNs = 0;
    for (Row row : table.rows()) {
      for (int column : columns) {
        if (row.values().get(column) instanceof Long ns) {
          largestNs = Math.max(largestNs, Math.abs(ns));
        }
      }
    }
    return largestNs;
  }

  /** The heading of a column, with its unit where that is not plain. */
  public String heading(int column) {
    String label = table.columns().get(column).label();
    TimeUnit time = timeUnits[column];
    if (time != null) {
      return label + " [" + time.symbol + "]";
    }
    return table.columns().get(column).unit() != Unit.BYTES || label.equals("bytes") ? label
        : label + " [bytes]";
  }

  public boolean isNumeric(int column) {
    return table.columns().get(column).unit() != Unit.TEXT;
  }

  /** The name of a row, with the flags that are set behind it, as the command line has it. */
  public String name(Row row) {
    StringBuilder name = new StringBuilder(row.name());
    for (int i = 0; i < table.columns().size(); i++) {
      if (isMark(table.columns().get(i)) && Boolean.TRUE.equals(row.values().get(i))) {
        name.append(" (").append(table.columns().get(i).label()).append(')');
      }
    }
    return name.toString();
  }

  /** Whether a flag is told with the rows' names. */
  static boolean isMark(Column column) {
    return column.unit() == Unit.FLAG && !column.key().endsWith("Exact");
  }

  /** The text of a cell. */
  public String cell(Row row, int column) {
    Object value = row.values().get(column);
    Unit unit = table.columns().get(column).unit();
    if (value instanceof String text) {
      return text; // also what is not known, whatever the unit
    }
    if (isAtLeast(row, column)) {
      // As the command line says it: of what is only sampled, 0 says nothing.
      return value.equals(0L) ? "" : "\u2265 " + counts.format(value);
    }
    if (unit == Unit.OF_ROW) {
      return row.unit() == Unit.NANOSECONDS ? withUnit((Long) value, timeUnit(row))
          : withUnit(value, row.unit());
    }
    return switch (unit) {
      case NANOSECONDS -> isOfEvents() ? BigDecimal.valueOf((Long) value, NANO_DIGITS).toPlainString()
          : timeUnits[column].write((Long) value);
      case PERCENT, NUMBER -> String.format(Locale.ROOT, "%.2f", value);
      case PROBABILITY -> probability((Double) value);
      case COUNT, BYTES -> counts.format(value);
      case FLAG -> Boolean.TRUE.equals(value) ? "yes" : "";
      default -> String.valueOf(value);
    };
  }

  /** Whether a flag after a number of calls says that it is a lower bound. */
  private boolean isAtLeast(Row row, int column) {
    int exact = column + 1;
    return exact < table.columns().size()
        && table.columns().get(exact).key().equals(table.columns().get(column).key() + "Exact")
        && Boolean.FALSE.equals(row.values().get(exact));
  }

  /** The text of a cell that stands by itself. */
  public String cellWithUnit(Row row, int column) {
    Object value = row.values().get(column);
    Unit unit = table.columns().get(column).unit();
    return value instanceof String || unit == Unit.OF_ROW || isAtLeast(row, column)
        ? cell(row, column) : withUnit(value, unit);
  }

  /** What the rows add up to, with its unit; empty when they do not add up to anything. */
  public String total() {
    return table.totalColumn() < 0 ? "" : withUnit(table.total(), table.unit());
  }

  private static String probability(double p) {
    return p < 0.0001 ? "<0.0001" : String.format(Locale.ROOT, "%.4f", p);
  }

  private TimeUnit timeUnit(Row row) {
    long largestNs = 0;
    for (int column = 0; column < row.values().size(); column++) {
      if (table.columns().get(column).unit() == Unit.OF_ROW
          && row.values().get(column) instanceof Long ns) {
        largestNs = Math.max(largestNs, ns);
      }
    }
    return TimeUnit.of(largestNs);
  }

  private static String withUnit(long timeNs, TimeUnit time) {
    return timeNs == 0 ? "0" : time.write(timeNs) + " " + time.symbol;
  }

  private String withUnit(Object value, Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> withUnit((Long) value, TimeUnit.of((Long) value));
      case COUNT -> counts.format(value);
      case BYTES -> counts.format(value) + " bytes";
      case PERCENT -> String.format(Locale.ROOT, "%.2f %%", value);
      case NUMBER -> String.format(Locale.ROOT, "%.2f", value);
      case PROBABILITY -> probability((Double) value);
      default -> String.valueOf(value);
    };
  }
}
