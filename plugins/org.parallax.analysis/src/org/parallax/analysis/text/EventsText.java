package org.parallax.analysis.text;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;

/** Events for people: a line for each, times to the nanosecond, a mark where the moment is. */
final class EventsText {
  private static final int MOST_OF_A_NAME = 48;
  private static final int BYTES = 5;

  private EventsText() {
  }

  static String print(Table table, int top) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of(" ", "time [s]", "thread", "kind", "what", "partner", "details"));
    for (Row row : table.rows().subList(0, Math.min(top, table.rows().size()))) {
      List<String> line = new ArrayList<>();
      line.add(row.name().equals("0") ? ">" : " ");
      line.add(BigDecimal.valueOf((Long) row.values().get(0), 9).toPlainString());
      for (int i = 1; i < BYTES; i++) {
        line.add(ShortName.of((String) row.values().get(i), MOST_OF_A_NAME));
      }
      long bytes = row.values().get(BYTES) instanceof Long moved ? moved : 0;
      String details = (String) row.values().get(BYTES + 1);
      line.add((bytes == 0 ? "" : Quantity.of(bytes, "byte", "bytes")
          + (details.isEmpty() ? "" : ", ")) + details);
      lines.add(line);
    }
    int[] widths = new int[lines.get(0).size()];
    lines.forEach(line -> {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    });
    StringBuilder text = new StringBuilder(table.title()).append("\n\n");
    for (List<String> line : lines) {
      StringBuilder padded = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String space = " ".repeat(widths[i] - line.get(i).length());
        padded.append(i < 2 ? "" : " ").append(i == 1 ? space + line.get(i) : line.get(i) + space)
            .append(' ');
      }
      text.append(padded.toString().stripTrailing()).append('\n');
    }
    if (table.rows().isEmpty()) {
      text.append("(no events)\n");
    }
    return text.toString();
  }
}
