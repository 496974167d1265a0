package org.parallax.analysis.table;

import java.util.List;
import java.util.Map;

/**
 * The result of an analysis: what the command line prints and the views show.
 *
 * @param report kind of the report, as on the command line
 * @param title for people
 * @param trace directory of the trace
 * @param parameters what the table was made for: application, level, weight, scope, ...
 * @param nameLabel heading of the rows' names
 * @param unit of {@code total}
 * @param total what the rows' values in {@code totalColumn} add up to, exactly
 * @param totalColumn index of that column, or -1 when the rows do not add up to anything
 * @param rows the most important first
 * @param warnings what a person must know to read the table right
 */
public record Table(
    String report,
    String title,
    String trace,
    Map<String, String> parameters,
    String nameLabel,
    Unit unit,
    long total,
    int totalColumn,
    List<Column> columns,
    List<Row> rows,
    List<String> warnings) {

  /** @return the index of a column, or -1 */
  public int column(String key) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).key().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  /** @return the table with other warnings */
  public Table with(List<String> newWarnings) {
    return new Table(report, title, trace, parameters, nameLabel, unit, total, totalColumn, columns,
        rows, newWarnings);
  }
}
