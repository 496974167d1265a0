package org.parallax.studies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A report of the command line in CSV (RFC 4180): the first record names the columns. */
final class Csv {
  /** One record, whose fields are found by the name of the column. */
  final class Row {
    private final List<String> fields;

    private Row(List<String> fields) {
      this.fields = fields;
    }

    /**
     * @return the field in this column, empty if the record is shorter
     * @throws Failure if the table has no such column
     */
    String text(String column) {
      int index = columns.indexOf(column);
      if (index < 0) {
        throw new Failure("no column " + column + " in " + file);
      }
      return index < fields.size() ? fields.get(index) : "";
    }

    /**
     * @return the number in this column, 0 if the field is empty
     * @throws Failure if the field is no number
     */
    double number(String column) {
      String text = text(column);
      if (text.isEmpty()) {
        return 0;
      }
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        throw new Failure("\"" + text + "\" is no number, in column " + column + " of " + file);
      }
    }

    /** @return nanoseconds in this column, exact up to 2^53; see {@link #number} */
    long ns(String column) {
      return Math.round(number(column));
    }
  }

  private final Path file;
  private final List<String> columns;
  private final List<Row> rows = new ArrayList<>();

  private Csv(Path file, List<List<String>> records) {
    this.file = file;
    columns = records.get(0);
    for (List<String> record : records.subList(1, records.size())) {
      rows.add(new Row(record));
    }
  }

  /**
   * Reads a whole table.
   *
   * @throws Failure if the file is empty
   * @throws IOException if the file cannot be read
   */
  static Csv read(Path file) throws IOException {
    List<List<String>> records = records(Files.readString(file));
    if (records.isEmpty()) {
      throw new Failure(file + " is empty");
    }
    return new Csv(file, records);
  }

  List<Row> rows() {
    return rows;
  }

  /**
   * @return the number of the first row with this name in the column {@code name}
   * @throws Failure if there is none
   */
  double number(String name, String column) {
    for (Row row : rows) {
      if (row.text("name").equals(name)) {
        return row.number(column);
      }
    }
    throw new Failure("no row " + name + " in " + file);
  }

  private static List<List<String>> records(String text) {
    List<List<String>> records = new ArrayList<>();
    List<String> record = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        if (quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
          field.append(c);
          i++;
        } else {
          quoted = !quoted;
        }
      } else if (!quoted && (c == ',' || c == '\n')) {
        record.add(field.toString());
        field.setLength(0);
        if (c == '\n') {
          records.add(record);
          record = new ArrayList<>();
        }
      } else if (quoted || c != '\r') {
        field.append(c);
      }
    }
    if (field.length() > 0 || !record.isEmpty()) {
      record.add(field.toString());
      records.add(record);
    }
    return records;
  }
}
