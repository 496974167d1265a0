package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/** Tables for programs: field names are the columns' keys, numbers are in the columns' units. */
final class MachineTable {
  private static final String NAME = "name";
  private static final String UNIT = "unit";

  private MachineTable() {
  }

  static String json(Table table, int top, List<String> warnings) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("report", table.report());
    object.put("trace", table.trace());
    object.put("parameters", table.parameters());
    object.put(UNIT, table.totalColumn() < 0 ? null : table.unit().symbol());
    object.put("total", table.totalColumn() < 0 ? null : table.total());
    List<Object> rows = new ArrayList<>();
    for (Row row : table.rows().subList(0, Math.min(top, table.rows().size()))) {
      rows.add(fields(table, row));
    }
    object.put("rows", rows);
    object.put("warnings", warnings);
    return JsonWriter.write(object);
  }

  private static Map<String, Object> fields(Table table, Row row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(NAME, row.name());
    if (hasRowUnits(table)) {
      fields.put(UNIT, symbol(row));
    }
    for (int i = 0; i < table.columns().size(); i++) {
      Object value = row.values().get(i);
      boolean unknown = value.equals("") && table.columns().get(i).unit() != Unit.TEXT;
      fields.put(table.columns().get(i).key(), unknown ? null : value);
    }
    return fields;
  }

  static String csv(Table table, int top) {
    StringBuilder text = new StringBuilder(NAME);
    if (hasRowUnits(table)) {
      text.append(',').append(UNIT);
    }
    for (Column column : table.columns()) {
      text.append(',').append(quoted(column.key()));
    }
    text.append("\r\n");
    for (Row row : table.rows().subList(0, Math.min(top, table.rows().size()))) {
      text.append(quoted(row.name()));
      if (hasRowUnits(table)) {
        text.append(',').append(symbol(row));
      }
      for (Object value : row.values()) {
        text.append(',').append(quoted(String.valueOf(value)));
      }
      text.append("\r\n");
    }
    return text.toString();
  }

  private static boolean hasRowUnits(Table table) {
    return table.columns().stream().anyMatch(column -> column.unit() == Unit.OF_ROW);
  }

  private static String symbol(Row row) {
    return row.unit() == null ? "" : row.unit().symbol();
  }

  private static String quoted(String value) {
    boolean plain = value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }
}
