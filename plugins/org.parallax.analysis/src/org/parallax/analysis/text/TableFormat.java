package org.parallax.analysis.text;

import java.util.List;
import java.util.Locale;
import org.parallax.analysis.table.Table;

/** How tables are printed. */
public enum TableFormat {
  /** For people: see {@link ReportText}. */
  TEXT {
    @Override
    public String print(Table table, int top, List<String> warnings) {
      return ReportText.print(table, top);
    }
  },
  /** RFC 4180: a heading of field names, then a line for each row, numbers without units. */
  CSV {
    @Override
    public String print(Table table, int top, List<String> warnings) {
      return MachineTable.csv(table, top);
    }
  },
  /** One object, as {@code docs} describe it. */
  JSON {
    @Override
    public String print(Table table, int top, List<String> warnings) {
      return MachineTable.json(table, top, warnings);
    }
  };

  public static final List<String> NAMES = List.of("text", "csv", "json");

  public static TableFormat of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * The table as text that ends with a line feed.
   *
   * @param top only so many rows, the first ones
   * @param warnings of the trace and of the table, for formats that hold them
   */
  public abstract String print(Table table, int top, List<String> warnings);

  /** Whether warnings are part of what is printed. */
  public boolean holdsWarnings() {
    return this == JSON;
  }
}
