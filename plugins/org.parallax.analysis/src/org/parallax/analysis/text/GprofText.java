package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.parallax.analysis.calls.GprofReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;

/**
 * Gprof tables for people: each entry with the callers above and what it calls below, as in Figure
 * 12 of Irvin and Miller 1993.
 */
final class GprofText {
  private static final int MAX_NAME = 52;
  private static final String GAP = "  ";
  private static final int CALLED = 5;
  private static final int NAME = 1;

  private final Table table;
  private final String unit;

  private GprofText(Table table) {
    this.table = table;
    unit = Quantity.timeUnit(Long.parseLong(table.parameters().get("totalNs")));
  }

  /** @param top only so many entries, the first ones */
  static String print(Table table, int top) {
    return new GprofText(table).print(top);
  }

  private String print(int top) {
    List<String[]> lines = new ArrayList<>();
    lines.add(new String[] {"", "    parents", "", "", "", "called/total"});
    lines.add(new String[] {"index", "name", "%time", "self [" + unit + "]",
        "descendants [" + unit + "]", "called+self"});
    lines.add(new String[] {"", "    children", "", "", "", "called/total"});
    int entries = 0;
    long last = 0;
    boolean least = false;
    boolean cut = false;
    for (Row row : table.rows()) {
      if (number(row, "entry") != last) {
        last = number(row, "entry");
        entries++;
        cut |= entries > top;
        if (entries <= top) {
          lines.add(null);
        }
      }
      if (entries <= top) {
        String[] cells = cells(row);
        least |= cells[CALLED].contains(">=");
        lines.add(cells);
      }
    }
    StringBuilder text = new StringBuilder(table.title()).append(", ")
        .append(table.parameters().get("weight").equals("cpu") ? "CPU" : "wall").append(" time\n\n");
    append(text, lines);
    if (lines.size() == 3) {
      text.append("(no rows)\n");
    }
    if (cut) {
      text.append("... ").append(Quantity.of(entries - top, "more entry", "more entries"))
          .append('\n');
    }
    return text.append(foot(least)).toString();
  }

  private String foot(boolean least) {
    StringBuilder text = new StringBuilder("\ntotal ")
        .append(Quantity.time(Long.parseLong(table.parameters().get("totalNs")))).append('\n');
    long leftOut = Long.parseLong(table.parameters().get("leftOut"));
    if (leftOut > 0) {
      text.append(Quantity.of(leftOut, "entry", "entries"))
          .append(" with less time left out; see --min-percent\n");
    }
    if (least) {
      text.append(">= lower bound: calls of procedures that are only sampled are not all counted\n");
    }
    return text.toString();
  }

  private String[] cells(Row row) {
    String role = text(row, "role");
    boolean main = role.equals(GprofReport.SELF) || role.equals(GprofReport.CYCLE);
    boolean within = (role.equals(GprofReport.PARENT) || role.equals(GprofReport.CHILD))
        && number(row, "total") == 0 && number(row, "self") + number(row, "descendants") == 0;
    return new String[] {
        main ? "[" + number(row, "entry") + "]" : "",
        (main ? "" : "    ") + name(row, role),
        main ? String.format(Locale.ROOT, "%.1f", (Double) value(row, "percent")) : "",
        within ? "" : Quantity.timeIn(unit, number(row, "self")),
        within ? "" : Quantity.timeIn(unit, number(row, "descendants")),
        called(row)};
  }

  private String name(Row row, String role) {
    StringBuilder name = new StringBuilder(ShortName.of(row.name(), MAX_NAME));
    if (role.equals(GprofReport.CYCLE)) {
      name.append(" as a whole");
    } else if (number(row, "cycle") > 0) {
      name.append(" <cycle ").append(number(row, "cycle")).append('>');
    }
    if (number(row, "index") > 0) {
      name.append(" [").append(number(row, "index")).append(']');
    }
    if (Boolean.TRUE.equals(value(row, "throttled"))) {
      name.append(" (throttled)");
    }
    String function = text(row, "function");
    if (!function.isEmpty() && !function.equals(row.name())) {
      name.append(" in ").append(ShortName.of(function, MAX_NAME));
    }
    return name.toString();
  }

  private String called(Row row) {
    String called = count(row, "called");
    if (number(row, "selfCalls") > 0) {
      return called + "+" + Quantity.count(number(row, "selfCalls"));
    }
    return number(row, "total") > 0 ? called + "/" + count(row, "total") : called;
  }

  private String count(Row row, String key) {
    return (Boolean.TRUE.equals(value(row, key + "Exact")) ? "" : ">=")
        + Quantity.count(number(row, key));
  }

  private static void append(StringBuilder text, List<String[]> lines) {
    int[] widths = new int[CALLED + 1];
    for (String[] line : lines) {
      for (int i = 0; line != null && i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    for (String[] line : lines) {
      StringBuilder padded = new StringBuilder();
      for (int i = 0; line != null && i < widths.length; i++) {
        String space = " ".repeat(widths[i] - line[i].length());
        padded.append(i == 0 ? "" : GAP).append(i <= NAME ? line[i] + space : space + line[i]);
      }
      text.append(padded.toString().stripTrailing()).append('\n');
    }
  }

  private Object value(Row row, String key) {
    return row.values().get(table.column(key));
  }

  private long number(Row row, String key) {
    return (Long) value(row, key);
  }

  private String text(Row row, String key) {
    return (String) value(row, key);
  }
}
