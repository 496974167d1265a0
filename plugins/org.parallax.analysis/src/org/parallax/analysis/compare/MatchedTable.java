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
  /** Whether rows are the nodes of a tree, callees below their callers. */
  private final boolean isTree;
  private final Map<String, Found> rows = new LinkedHashMap<>();

  /** @param procedures of both runs */
  MatchedTable(Table table, ProcedureMatching procedures, boolean isBase) {
    this.table = table;
    this.procedures = procedures;
    this.isBase = isBase;
    hasPaths = table.column("path") >= 0;
    isTree = isTree(table);
    if (isTree) {
      addTree();
    } else {
      table.rows().forEach(row -> rows.merge(key(row), new Found(row), this::sum));
    }
  }

  static boolean isTree(Table table) {
    return table.column("depth") >= 0 && table.column("path") >= 0;
  }

  /** Nodes are found by what the procedures on their paths are called. */
  private void addTree() {
    int depths = table.column("depth");
    List<String> path = new ArrayList<>();
    for (Row row : table.rows()) {
      int depth = ((Number) row.values().get(depths)).intValue();
      path.subList(Math.min(depth, path.size()), path.size()).clear();
      path.add(nodeName(row));
      rows.merge(treeKey(path), new Found(row), this::sum);
    }
  }

  private static String treeKey(List<String> path) {
    return String.join(SEPARATOR, path);
  }

  /** The key of the caller of a node of a tree; empty for one without. */
  static String callerKey(String key) {
    int end = key.lastIndexOf(SEPARATOR);
    return end < 0 ? "" : key.substring(0, end);
  }

  private String nodeName(Row row) {
    ProcedureName name = distinct(row);
    String before = !isBase && row.subject() instanceof Procedure ? procedures.before(row.name()) : row.name();
    return name == null ? before : new ProcedureName(before, name.file()).toString();
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

  /** The name of a procedure that only its file tells from others of this name; else null. Texts of call paths have no files. */
  private ProcedureName distinct(Row row) {
    if (hasPaths && !isTree || !(row.subject() instanceof Procedure procedure) || !row.name().equals(procedure.getName())) {
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
