package org.parallax.analysis.text;

import java.util.List;
import java.util.Set;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.reports.EfficiencyReport;
import org.parallax.analysis.table.Table;

/** Tables for people, each kind of report as it is read best. */
public final class ReportText {
  private ReportText() {}

  /** @param top only so many rows, of gprof entries, the first ones */
  public static String print(Table table, int top) {
    List<String> compared = ComparisonReport.comparedColumns(table);
    if (!compared.isEmpty()) {
      return difference(table, ComparisonReport.mainComparedColumn(table), top);
    }
    return switch (table.report()) {
      case "gprof" -> GprofText.print(table, top);
      case "events" -> EventsText.print(table, top);
      case "efficiency" -> TextTable.print(
          NarrowTable.movedIn(table, EfficiencyReport::depth), top);
      default -> {
        Set<String> unseen = unseen(table.report());
        yield TextTable.print(unseen.isEmpty() ? table : NarrowTable.of(table, unseen), top);
      }
    };
  }

  /** The differences of one column of {@link ComparisonReport#comparedColumns}. */
  public static String difference(Table table, String column, int top) {
    Table shown = DifferenceTable.of(table, column, unseen(table.report()));
    return TextTable.print(table.report().equals("efficiency")
        ? NarrowTable.movedIn(shown, EfficiencyReport::depth) : shown, top);
  }

  /** @return keys of columns that repeat what others of the report say shorter */
  public static Set<String> unseen(String report) {
    return switch (report) {
      case "waits" -> Set.of("path", "originPath");
      case "delays" -> Set.of("path");
      case "source" -> Set.of("file", "line");
      case "comm" -> Set.of("from", "to");
      default -> Set.of();
    };
  }
}
