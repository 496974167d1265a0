package org.parallax.analysis.table;

import java.util.List;

/**
 * A row of a table.
 *
 * @param name what the row is about, for people
 * @param subject the model's object that the row is about (a procedure, thread, process, machine or
 *     application), or null
 * @param unit of the values in columns of {@link Unit#OF_ROW}, else null
 * @param values one for each column, of the type that the column's unit tells
 */
public record Row(String name, Object subject, Unit unit, List<Object> values) {
  /** A row whose columns have units of their own. */
  public static Row of(String name, Object subject, Object... values) {
    return new Row(name, subject, null, List.of(values));
  }
}
