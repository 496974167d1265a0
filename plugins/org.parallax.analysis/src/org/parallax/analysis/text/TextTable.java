package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/** A table for people: names to the left, numbers to the right, one unit for a column of times. */
public final class TextTable {
  private static final double LEAST_PROBABILITY = 0.0001;
  private static final int MAX_NAME = 64;
  private static final int MAX_INDENT = 40;
  private static final String GAP = "  ";

  private final Table table;
  private final List<Row> rows;
  private final List<String> timeUnits = new ArrayList<>();

  private TextTable(Table table, int top) {
    this.table = withoutFlags(indented(table));
    this.rows = this.table.rows().subList(0, Math.min(top, table.rows().size()));
    long largestOfInterval = 0;
    for (int i = 0; i < this.table.columns().size(); i++) {
      largestOfInterval = Math.max(largestOfInterval, isOfInterval(i) ? largest(i) : 0);
    }
    for (int i = 0; i < this.table.columns().size(); i++) {
      timeUnits.add(Quantity.timeUnit(isOfInterval(i) ? largestOfInterval : largest(i)));
    }
  }

  /** Values that stand beside each other to be compared have one unit. */
  private boolean isOfInterval(int column) {
    return List.of("base", "new", "difference", "low", "high")
        .contains(table.columns().get(column).key());
  }

  /** A tree: the depth is shown by the place of the name, and the path by the names above it. */
  private static Table indented(Table table) {
    int depth = table.column("depth");
    int path = table.column("path");
    if (depth < 0 || path < 0) {
      return table;
    }
    List<Row> rows = new ArrayList<>();
    for (Row row : table.rows()) {
      List<Object> values = new ArrayList<>(row.values());
      values.remove(path);
      values.remove(depth);
      rows.add(new Row(" ".repeat((int) Math.min(MAX_INDENT, (Long) row.values().get(depth)))
          + row.name(), row.subject(), row.unit(), values));
    }
    List<Column> columns = new ArrayList<>(table.columns());
    columns.remove(path);
    columns.remove(depth);
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), table.total(), table.totalColumn() - 1, columns, rows,
        table.warnings());
  }

  /**
   * Flags are shown where they belong: {@code >=} before a number that is not exact, and the label of
   * others after the name.
   */
  private static Table withoutFlags(Table table) {
    List<Column> columns = table.columns();
    if (columns.stream().noneMatch(column -> column.unit() == Unit.FLAG)) {
      return table;
    }
    List<Row> rows = new ArrayList<>();
    for (Row row : table.rows()) {
      StringBuilder name = new StringBuilder(row.name());
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        Object value = row.values().get(i);
        if (columns.get(i).unit() != Unit.FLAG) {
          values.add(value);
        } else if (columns.get(i).key().endsWith("Exact")) {
          int last = values.size() - 1;
          long number = (Long) values.get(last);
          values.set(last, Boolean.TRUE.equals(value) ? (Object) number
              : number == 0 ? "" : ">= " + Quantity.count(number));
        } else if (Boolean.TRUE.equals(value)) {
          name.append(" (").append(columns.get(i).label()).append(')');
        }
      }
      rows.add(new Row(name.toString(), row.subject(), row.unit(), values));
    }
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), table.total(), table.totalColumn(),
        columns.stream().filter(column -> column.unit() != Unit.FLAG).toList(), rows,
        table.warnings());
  }

  public static String print(Table table, int top) {
    return new TextTable(table, top).print();
  }

  private long largest(int column) {
    long largest = column == table.totalColumn() ? Math.abs(table.total()) : 0;
    for (Row row : table.rows()) {
      if (row.values().get(column) instanceof Long value) {
        largest = Math.max(largest, Math.abs(value));
      }
    }
    return largest;
  }

  private String print() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(heading());
    for (Row row : rows) {
      lines.add(cells(row));
    }
    int more = table.rows().size() - rows.size();
    if (table.totalColumn() >= 0) {
      lines.add(total());
    }
    StringBuilder text = new StringBuilder(table.title()).append("\n\n");
    int[] widths = widths(lines);
    for (int i = 0; i < lines.size(); i++) {
      boolean isTotal = table.totalColumn() >= 0 && i == lines.size() - 1;
      if (isTotal && more > 0) {
        text.append("... ").append(Quantity.of(more, "more row", "more rows")).append('\n');
      }
      append(text, lines.get(i), widths);
    }
    if (table.totalColumn() < 0 && more > 0) {
      text.append("... ").append(Quantity.of(more, "more row", "more rows")).append('\n');
    }
    if (rows.isEmpty()) {
      text.append("(no rows)\n");
    }
    return text.toString();
  }

  private List<String> heading() {
    List<String> line = new ArrayList<>(List.of(table.nameLabel()));
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      line.add(column.unit() == Unit.NANOSECONDS ? column.label() + " [" + timeUnits.get(i) + "]"
          : column.label());
    }
    return line;
  }

  private List<String> cells(Row row) {
    List<String> line = new ArrayList<>(List.of(ShortName.of(row.name(), MAX_NAME)));
    String rowTimeUnit = row.unit() == Unit.NANOSECONDS ? rowTimeUnit(row) : "";
    for (int i = 0; i < table.columns().size(); i++) {
      Unit unit = table.columns().get(i).unit();
      Object value = row.values().get(i);
      line.add(unit == Unit.OF_ROW ? cell(row.unit(), rowTimeUnit, value, true)
          : cell(unit, timeUnits.get(i), value, false));
    }
    return line;
  }

  private static String rowTimeUnit(Row row) {
    long largest = 0;
    for (Object value : row.values()) {
      largest = Math.max(largest, value instanceof Long number ? Math.abs(number) : 0);
    }
    return Quantity.timeUnit(largest);
  }

  /** What is not known is an empty text, whatever the unit. */
  private static String cell(Unit unit, String timeUnit, Object value, boolean withUnit) {
    if (value instanceof String text) {
      return text;
    }
    if (unit == Unit.NANOSECONDS) {
      String time = Quantity.timeIn(timeUnit, (Long) value);
      return withUnit ? time + " " + timeUnit : time;
    }
    if (unit == Unit.PERCENT) {
      return String.format(Locale.ROOT, "%.1f", (Double) value);
    }
    if (unit == Unit.NUMBER) {
      return String.format(Locale.ROOT, "%.2f", (Double) value);
    }
    if (unit == Unit.PROBABILITY) {
      double probability = (Double) value;
      return probability < LEAST_PROBABILITY ? "<0.0001"
          : String.format(Locale.ROOT, "%.4f", probability);
    }
    if (unit == Unit.BYTES) {
      return Quantity.size((Long) value);
    }
    return value instanceof Long number ? Quantity.count(number) : String.valueOf(value);
  }

  private List<String> total() {
    List<String> line = new ArrayList<>(List.of("total"));
    for (int i = 0; i < table.columns().size(); i++) {
      line.add(i == table.totalColumn()
          ? cell(table.columns().get(i).unit(), timeUnits.get(i), table.total(), false) : "");
    }
    return line;
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    return widths;
  }

  private void append(StringBuilder text, List<String> line, int[] widths) {
    StringBuilder padded = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      boolean left = i == 0 || table.columns().get(i - 1).unit() == Unit.TEXT;
      String space = " ".repeat(widths[i] - line.get(i).length());
      padded.append(i == 0 ? "" : GAP).append(left ? line.get(i) + space : space + line.get(i));
    }
    text.append(padded.toString().stripTrailing()).append('\n');
  }
}
