package org.parallax.analysis.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Column.Role;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.Procedure;

/** The rows of a table of one run, found by what they are called in all runs. */
final class MatchedTable {
  private static final String SEPARATOR = "\n";

  private final Table table;
  private final ProcedureMatching procedures;
  private final Map<String, Found> rows = new LinkedHashMap<>();

  /** @param procedures of the run with those of the base; null for the base */
  MatchedTable(Table table, ProcedureMatching procedures) {
    this.table = table;
    this.procedures = procedures;
    for (Row row : table.rows()) {
      rows.merge(key(row), new Found(row), this::sum);
    }
  }

  /** A row, or several of one name. */
  final class Found {
    private final Row row;

    Found(Row row) {
      this.row = row;
    }

    Row row() {
      return row;
    }

    /** What the row is about, with the procedures by their own names. */
    String name() {
      int path = table.column("path");
      return path >= 0 && table.columns().get(path).role() == Role.KEY
          && !text("path").isEmpty() ? text("path") : row.name();
    }

    /** @return null when the table has no such column */
    Object value(String column) {
      int index = table.column(column);
      return index < 0 ? null : row.values().get(index);
    }

    /** @return null when the table has no such column */
    String text(String column) {
      Object value = value(column);
      return value == null ? null : value.toString();
    }
  }

  Table table() {
    return table;
  }

  /** @return the keys of all rows, in their order */
  List<String> keys() {
    return new ArrayList<>(rows.keySet());
  }

  /** @return the row, null when the run has none */
  Found found(String key) {
    return rows.get(key);
  }

  private String key(Row row) {
    StringBuilder key = new StringBuilder(
        procedures != null && row.subject() instanceof Procedure ? procedures.before(row.name())
            : row.name());
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.columns().get(i).role() == Role.KEY) {
        Object value = row.values().get(i);
        key.append(SEPARATOR).append(procedures != null && value instanceof String text
            ? procedures.beforePath(text) : value);
      }
    }
    return key.toString();
  }

  /** Procedures of one name in several files, or the parts of a path that was merged. */
  private Found sum(Found a, Found b) {
    List<Object> values = new ArrayList<>(a.row.values());
    for (int i = 0; i < values.size(); i++) {
      Column column = table.columns().get(i);
      if (column.role() == Role.VALUE && values.get(i) instanceof Long first
          && b.row.values().get(i) instanceof Long second) {
        values.set(i, first + second);
      } else if (column.role() == Role.VALUE && column.unit() == Unit.PERCENT
          && values.get(i) instanceof Double first
          && b.row.values().get(i) instanceof Double second) {
        values.set(i, first + second);
      }
    }
    return new Found(new Row(a.row.name(), a.row.subject(), a.row.unit(), values));
  }
}
