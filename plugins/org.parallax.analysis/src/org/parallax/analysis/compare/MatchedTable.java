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
import org.parallax.model.program.ProcedureName;

/** The rows of a table of one run, found by what they are called in all runs. */
final class MatchedTable {
  private static final String SEPARATOR = "\n";

  private final Table table;
  private final ProcedureMatching procedures;
  private final boolean isBase;
  private final boolean hasPaths;
  private final Map<String, Found> rows = new LinkedHashMap<>();

  /** @param procedures of both runs */
  MatchedTable(Table table, ProcedureMatching procedures, boolean isBase) {
    this.table = table;
    this.procedures = procedures;
    this.isBase = isBase;
    hasPaths = table.column("path") >= 0;
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

    /** How the row is called beside the others. */
    String label() {
      ProcedureName name = distinct(row);
      return name == null ? row.name() : name.toString();
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
    StringBuilder key = new StringBuilder(!isBase && row.subject() instanceof Procedure
        ? procedures.before(row.name()) : row.name());
    ProcedureName name = distinct(row);
    if (name != null) {
      key.append(SEPARATOR).append(name.file());
    }
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.columns().get(i).role() == Role.KEY) {
        Object value = row.values().get(i);
        key.append(SEPARATOR).append(!isBase && value instanceof String text
            ? procedures.beforePath(text) : value);
      }
    }
    return key.toString();
  }

  /** The name of a procedure that only its file tells from others of this name; else null. Call paths have no files. */
  private ProcedureName distinct(Row row) {
    if (hasPaths || !(row.subject() instanceof Procedure procedure) || !row.name().equals(procedure.getName())) {
      return null;
    }
    ProcedureName name = procedures.distinct(procedure, isBase);
    return name.file().isEmpty() ? null : name;
  }

  /** Procedures of one name in files that are not known, or the parts of a path that was merged. */
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
