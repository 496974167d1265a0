package org.parallax.analysis.text;

import java.util.Locale;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;

/** The histogram of sample intervals for people, with bars of logarithmic length. */
public final class IntervalChart {
  private static final int BAR = 24;

  private IntervalChart() {
  }

  public static String print(Table table, int top) {
    int from = table.column("from");
    int before = table.column("before");
    long most = 1;
    long last = 0;
    for (Row row : table.rows()) {
      most = Math.max(most, Math.max((Long) row.values().get(before),
          (Long) row.values().get(before + 1)));
      last = Math.max(last, (Long) row.values().get(from));
    }
    String unit = Quantity.timeUnit(last);
    StringBuilder text = new StringBuilder(table.title()).append(", ")
        .append(table.parameters().get("weight").equals("cpu") ? "CPU" : "wall")
        .append(" time; bars are logarithmic\n\n");
    text.append(String.format("%12s  %10s  %-" + BAR + "s  %10s  %s%n", "from [" + unit + "]",
        "before", "", "after", ""));
    int shown = 0;
    for (Row row : table.rows()) {
      if (shown++ == top) {
        text.append("... ").append(Quantity.of(table.rows().size() - top, "more row", "more rows"))
            .append('\n');
        break;
      }
      long count = (Long) row.values().get(before);
      long after = (Long) row.values().get(before + 1);
      text.append(String.format("%12s  %10s  %-" + BAR + "s  %10s  %s",
          Quantity.timeIn(unit, (Long) row.values().get(from)), Quantity.count(count),
          bar(count, most), Quantity.count(after), bar(after, most)).stripTrailing()).append('\n');
    }
    text.append('\n').append(Quantity.of(table.total(), "interval", "intervals")).append(" of ")
        .append(Quantity.of(number(table, "threads"), "thread", "threads")).append(", bins of ")
        .append(Quantity.time(number(table, "binNs"))).append('\n');
    append(text, "sampled (effective intervals)", table, "sampledNs");
    append(text, "measured in calls", table, "insideNs");
    append(text, "after the last samples", table, "restNs");
    append(text, "time of the threads", table, "totalNs");
    return text.toString();
  }

  private static void append(StringBuilder text, String label, Table table, String key) {
    long total = number(table, "totalNs");
    double percent = total == 0 ? 0 : 100.0 * number(table, key) / total;
    text.append(String.format(Locale.ROOT, "%-30s  %14s  %5.1f %%%n", label,
        Quantity.time(number(table, key)), percent));
  }

  private static long number(Table table, String key) {
    return Long.parseLong(table.parameters().get(key));
  }

  /** One mark for one interval, all for the most in a bin. */
  private static String bar(long count, long most) {
    if (count == 0) {
      return "";
    }
    double share = most == 1 ? 1 : Math.log(count) / Math.log(most);
    return "#".repeat(1 + (int) Math.round(share * (BAR - 1)));
  }
}
