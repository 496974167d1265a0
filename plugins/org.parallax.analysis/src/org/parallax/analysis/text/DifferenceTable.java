package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Column.Role;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/** Differences as a terminal has room for them: of one column. */
public final class DifferenceTable {
  private static final List<String> OF_REPETITIONS = List.of("low", "high", "verdict");

  private static final String MATCH = "match";
  private static final String IN_BOTH = "both";

  private DifferenceTable() {
  }

  /**
   * The table of one column that was compared, its parts called {@code base}, {@code new} and so on.
   *
   * @param column of {@link ComparisonReport#comparedColumns}
   * @param without keys of what there is no room for
   */
  public static Table of(Table table, String column, Set<String> without) {
    boolean single = "1".equals(table.parameters().get("baseRuns"))
        || "1".equals(table.parameters().get("newRuns"));
    List<Column> columns = new ArrayList<>();
    List<Integer> from = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      Column each = table.columns().get(i);
      int dot = each.key().lastIndexOf('.');
      String part = each.key().substring(dot + 1);
      if (dot > 0 && ComparisonReport.PARTS.contains(part)) {
        if (each.key().substring(0, dot).equals(column)
            && !(single && OF_REPETITIONS.contains(part))) {
          columns.add(new Column(part, each.label(), each.unit()));
          from.add(i);
        }
      } else if (isShown(table, i, without)) {
        columns.add(each);
        from.add(i);
      }
    }
    int match = table.column(MATCH);
    List<Row> rows = table.rows().stream().map(row -> new Row(row.name(), row.subject(), row.unit(),
        from.stream().map(i -> i == match && row.values().get(i).equals(IN_BOTH) ? ""
            : row.values().get(i)).toList())).toList();
    return new Table(table.report(), table.title() + heading(column), table.trace(),
        table.parameters(), table.nameLabel(), table.unit(), table.total(),
        from.indexOf(table.totalColumn()), columns, rows, table.warnings());
  }

  private static String heading(String column) {
    return column.equals("value") || column.equals("time") ? "" : ": " + column;
  }

  /** What says nothing of any row is not shown. */
  private static boolean isShown(Table table, int index, Set<String> without) {
    Column column = table.columns().get(index);
    if (without.contains(column.key())) {
      return false;
    }
    if (column.key().equals(MATCH)) {
      return table.rows().stream().anyMatch(row -> !row.values().get(index).equals(IN_BOTH));
    }
    if (column.key().equals("chance")) {
      return table.rows().stream().anyMatch(row -> !row.values().get(index).equals(""));
    }
    if (column.unit() == Unit.FLAG) {
      return !column.key().endsWith("Exact");
    }
    return column.unit() != Unit.TEXT || column.role() == Role.KEY && !column.key().equals("origin")
        || table.rows().stream().anyMatch(row -> !row.values().get(index).equals(""));
  }
}
