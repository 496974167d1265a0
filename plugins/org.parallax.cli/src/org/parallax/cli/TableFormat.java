package org.parallax.cli;

import java.util.List;
import java.util.Locale;
import org.parallax.analysis.Table;

/** How tables are printed. */
enum TableFormat {
  /** Aligned columns for people. */
  TEXT {
    @Override
    String print(Table table, int top, List<String> warnings) {
      return TextTable.print(table, top);
    }
  },
  /** RFC 4180: a heading of field names, then a line for each row, numbers without units. */
  CSV {
    @Override
    String print(Table table, int top, List<String> warnings) {
      return MachineTable.csv(table, top);
    }
  },
  /** One object, as {@code docs} describe it. */
  JSON {
    @Override
    String print(Table table, int top, List<String> warnings) {
      return MachineTable.json(table, top, warnings);
    }
  };

  static final List<String> NAMES = List.of("text", "csv", "json");

  static TableFormat of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * The table as text that ends with a line feed.
   *
   * @param top only so many rows, the first ones
   * @param warnings of the trace and of the table, for formats that hold them
   */
  abstract String print(Table table, int top, List<String> warnings);

  /** Whether warnings are part of what is printed. */
  boolean holdsWarnings() {
    return this == JSON;
  }
}
