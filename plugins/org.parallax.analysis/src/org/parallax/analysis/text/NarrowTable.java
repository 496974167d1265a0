package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/** Tables as a terminal has room for them. */
public final class NarrowTable {
  private NarrowTable() {
  }

  /** A table whose rows' names are moved to the right, each by so many places. */
  static Table movedIn(Table table, ToIntFunction<String> depth) {
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), table.total(), table.totalColumn(), table.columns(),
        table.rows().stream().map(row -> new Row("  ".repeat(depth.applyAsInt(row.name()))
            + row.name(), row.subject(), row.unit(), row.values())).toList(), table.warnings());
  }

  /** A table without these columns, and without columns of text that are empty in all rows. */
  public static Table of(Table table, Set<String> without) {
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      int column = i;
      boolean empty = table.columns().get(i).unit() == Unit.TEXT
          && table.rows().stream().allMatch(row -> row.values().get(column).equals(""));
      if (!empty && !without.contains(table.columns().get(i).key())) {
        kept.add(i);
      }
    }
    List<Column> columns = kept.stream().map(table.columns()::get).toList();
    List<Row> rows = table.rows().stream().map(row -> new Row(row.name(), row.subject(), row.unit(),
        kept.stream().map(row.values()::get).toList())).toList();
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), table.total(), kept.indexOf(table.totalColumn()), columns,
        rows, table.warnings());
  }
}
