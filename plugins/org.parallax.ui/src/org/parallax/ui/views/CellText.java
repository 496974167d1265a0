package org.parallax.ui.views;

import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import org.parallax.analysis.Column;
import org.parallax.analysis.Row;
import org.parallax.analysis.Table;
import org.parallax.analysis.Unit;

/**
 * Writes the values of a table. All times of a column have one unit, which stands in its heading, so
 * that they can be compared at a glance; where the unit changes from row to row, all times of a row
 * have one unit, which stands beside them.
 */
final class CellText {
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

  private final Table table;
  private final TimeUnit[] timeUnits;
  private final NumberFormat counts = NumberFormat.getIntegerInstance(Locale.ROOT);

  CellText(Table table) {
    this.table = table;
    List<Column> columns = table.columns();
    timeUnits = new TimeUnit[columns.size()];
    for (int column = 0; column < timeUnits.length; column++) {
      if (columns.get(column).unit() == Unit.NANOSECONDS) {
        long largestNs = 0;
        for (Row row : table.rows()) {
          largestNs = Math.max(largestNs, (Long) row.values().get(column));
        }
        timeUnits[column] = TimeUnit.of(largestNs);
      }
    }
  }

  /** The heading of a column, with its unit where that is not plain. */
  String heading(int column) {
    String label = table.columns().get(column).label();
    TimeUnit time = timeUnits[column];
    if (time != null) {
      return label + " [" + time.symbol + "]";
    }
    return table.columns().get(column).unit() == Unit.BYTES ? label + " [bytes]" : label;
  }

  boolean isNumeric(int column) {
    return table.columns().get(column).unit() != Unit.TEXT;
  }

  /** The text of a cell. */
  String cell(Row row, int column) {
    Object value = row.values().get(column);
    Unit unit = table.columns().get(column).unit();
    if (value instanceof String text) {
      return text; // also what is not known, whatever the unit
    }
    if (unit == Unit.OF_ROW) {
      return row.unit() == Unit.NANOSECONDS ? withUnit((Long) value, timeUnit(row))
          : withUnit(value, row.unit());
    }
    return switch (unit) {
      case NANOSECONDS -> timeUnits[column].write((Long) value);
      case PERCENT, NUMBER -> String.format(Locale.ROOT, "%.2f", value);
      case COUNT, BYTES -> counts.format(value);
      case FLAG -> Boolean.TRUE.equals(value) ? "yes" : "";
      default -> String.valueOf(value);
    };
  }

  /** What the rows add up to, with its unit; empty when they do not add up to anything. */
  String total() {
    return table.totalColumn() < 0 ? "" : withUnit(table.total(), table.unit());
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
      default -> String.valueOf(value);
    };
  }
}
