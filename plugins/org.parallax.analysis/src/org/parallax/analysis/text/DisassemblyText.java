package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;

/**
 * Disassembly for people: a heading for each function and line of the source, and below it the
 * instructions with their samples.
 */
final class DisassemblyText {
  private static final int MOST_INSTRUCTION = 56;
  private static final String LEFT_OUT = "...";
  private static final String SKID = "A sample stands where the interruption was noticed: often behind "
      + "a slow instruction.\n";

  private final Table table;
  private final String unit;
  private final int instructionWidth;
  private final int addressWidth;
  private final int labelWidth;

  private DisassemblyText(Table table) {
    this.table = table;
    unit = Quantity.timeUnit(table.rows().stream().mapToLong(row -> number(row, "time")).max()
        .orElse(0));
    instructionWidth = Math.min(MOST_INSTRUCTION, width("instruction"));
    addressWidth = width("address");
    labelWidth = width("label");
  }

  /** @param top only so many instructions, those with the most samples */
  static String print(Table table, int top) {
    return new DisassemblyText(table).print(shown(table, top));
  }

  private static Set<Row> shown(Table table, int top) {
    DisassemblyText text = new DisassemblyText(table);
    List<Row> rows = new ArrayList<>(table.rows());
    if (top < rows.size()) {
      rows.sort(Comparator.<Row>comparingLong(row -> -text.number(row, "samples"))
          .thenComparingLong(row -> -text.number(row, "time")));
    }
    return new HashSet<>(rows.subList(0, Math.min(top, rows.size())));
  }

  private String print(Set<Row> shown) {
    StringBuilder text = new StringBuilder(table.title()).append(", ")
        .append(table.parameters().get("syntax").equals("att") ? "AT&T" : "Intel")
        .append(" syntax\n");
    String function = "";
    String source = "";
    boolean leftOut = false;
    for (Row row : table.rows()) {
      if (!shown.contains(row)) {
        leftOut = true;
        continue;
      }
      String holder = string(row, "function") + ", " + string(row, "module");
      if (!holder.equals(function)) {
        function = holder;
        source = "";
        text.append('\n').append(function).append("\n\n").append(heading()).append('\n');
      } else if (leftOut) {
        text.append(LEFT_OUT).append('\n');
      }
      leftOut = false;
      String here = source(row);
      if (!here.equals(source)) {
        source = here;
        text.append("  ").append(here).append('\n');
      }
      text.append(line(row)).append('\n');
    }
    return text.append("\ntotal ").append(Quantity.time(table.total())).append("; samples ")
        .append(Quantity.count(
            table.rows().stream().mapToLong(row -> number(row, "samples")).sum()))
        .append('\n').append(SKID).toString();
  }

  private String heading() {
    return String.format(Locale.ROOT, "%7s  %11s  %6s  %-" + (addressWidth + labelWidth + 3)
        + "s  %s", "samples", "time [" + unit + "]", "%time", "address", "instruction");
  }

  private String line(Row row) {
    long samples = number(row, "samples");
    boolean idle = samples == 0 && number(row, "time") == 0;
    String label = string(row, "label");
    String target = string(row, "target");
    String text = string(row, "instruction");
    return String.format(Locale.ROOT, "%7s  %11s  %6s  %-" + addressWidth + "s %-"
        + (labelWidth + 1) + "s   %s", idle ? "" : Quantity.count(samples),
        idle ? "" : Quantity.timeIn(unit, number(row, "time")),
        idle ? "" : String.format(Locale.ROOT, "%.1f", (Double) value(row, "percent")),
        string(row, "address"), label.isEmpty() ? "" : label + ":",
        target.isEmpty() ? text : pad(text) + "  -> " + target).stripTrailing();
  }

  private String pad(String text) {
    return text + " ".repeat(Math.max(0, instructionWidth - text.length()));
  }

  private String source(Row row) {
    String file = string(row, "file");
    String inlined = string(row, "inlined");
    String place = file.isEmpty() ? "(no source)"
        : file.substring(file.lastIndexOf('/') + 1) + ":" + number(row, "line");
    return (inlined.isEmpty() ? place : place + ", " + inlined + " inlined")
        + (number(row, "part") == 0 ? "" : ", part " + (number(row, "part") + 1));
  }

  private int width(String column) {
    return table.rows().stream().mapToInt(row -> string(row, column).length()).max().orElse(0);
  }

  private Object value(Row row, String column) {
    return row.values().get(table.column(column));
  }

  private String string(Row row, String column) {
    return (String) value(row, column);
  }

  private long number(Row row, String column) {
    return (Long) value(row, column);
  }
}
