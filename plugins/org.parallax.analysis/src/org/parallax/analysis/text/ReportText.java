package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Distribution;
import org.parallax.analysis.table.Factors;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.WithoutProcessor;

/** Tables for people, each kind of report as it is read best. */
public final class ReportText {
  private static final String FUNCTION = "function";
  private static final String ORIGIN_FUNCTION = "originFunction";
  private static final String PATH = "path";
  private static final String ORIGIN_PATH = "originPath";
  private static final int MAX_PATH = 64;
  private static final int MAX_FUNCTION = 48;

  private ReportText() {}

  /** @param top only so many rows, of gprof entries, the first ones */
  public static String print(Table table, int top) {
    List<String> compared = ComparisonReport.comparedColumns(table);
    if (!compared.isEmpty()) {
      return difference(table, ComparisonReport.mainComparedColumn(table), top);
    }
    return switch (table.report()) {
      case "gprof" -> GprofText.print(table, top);
      case "disassembly" -> DisassemblyText.print(table, top);
      case "events" -> EventsText.print(table, top);
      case "efficiency" -> TextTable.print(
          NarrowTable.movedIn(table, Factors::depth), top);
      default -> {
        Set<String> unseen = new HashSet<>(unseen(table));
        if (table.report().equals("profile")) {
          // The report balance has it with the numbers.
          unseen.add(Distribution.KEY);
        }
        boolean isShortened = table.column(FUNCTION) >= 0 || table.report().equals("delays");
        Table shown = isShortened ? withShortTexts(table, unseen, top) : table;
        yield TextTable.print(unseen.isEmpty() ? shown : NarrowTable.of(shown, unseen), top);
      }
    };
  }

  /** The differences of one column of {@link ComparisonReport#comparedColumns}. */
  public static String difference(Table table, String column, int top) {
    Table shown = DifferenceTable.of(table, column, unseen(table));
    return TextTable.print(table.report().equals("efficiency")
        ? NarrowTable.movedIn(shown, Factors::depth) : shown, top);
  }

  /** @return keys of columns that repeat what others of the table say shorter */
  public static Set<String> unseen(Table table) {
    return switch (table.report()) {
      case "critical-path" -> isKey(table, PATH) ? Set.of(FUNCTION, ORIGIN_FUNCTION)
          : Set.of(PATH, ORIGIN_PATH);
      case "waits" -> isKey(table, PATH)
          ? Set.of("procedure", "caller", FUNCTION, "originProcedure", ORIGIN_FUNCTION)
          : Set.of("caller", PATH, ORIGIN_PATH);
      case "delays" -> Set.of(isKey(table, PATH) ? "caller" : PATH);
      // Of two runs, a column can tell of one only.
      case "profile" -> table.column("match") < 0 ? Set.of(PATH, WithoutProcessor.KEY)
          : Set.of(PATH, WithoutProcessor.KEY, Distribution.KEY);
      case "calltree" -> Set.of(WithoutProcessor.KEY);
      case "npt", "what-if" -> Set.of(PATH);
      case "source" -> Set.of("file", "line");
      case "comm" -> Set.of("from", "to");
      default -> Set.of();
    };
  }

  private static boolean isKey(Table table, String key) {
    int column = table.column(key);
    return column >= 0 && table.columns().get(column).role() == Column.Role.KEY;
  }

  /**
   * Rows as far as they are shown, with call paths that fit into a line; the function of a row is not
   * told again where it is what the row is about.
   */
  private static Table withShortTexts(Table table, Set<String> unseen, int top) {
    List<Row> rows = new ArrayList<>(table.rows());
    for (int i = 0; i < Math.min(top, rows.size()); i++) {
      Row row = rows.get(i);
      List<Object> values = new ArrayList<>(row.values());
      shorten(table, values, row.name(), FUNCTION, "procedure", unseen.contains(PATH) ? "" : PATH);
      shorten(table, values, "", ORIGIN_FUNCTION, "originProcedure",
          unseen.contains(ORIGIN_PATH) ? "" : ORIGIN_PATH);
      rows.set(i, new Row(row.name(), row.subject(), row.unit(), values));
    }
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), table.total(), table.totalColumn(), table.columns(), rows,
        table.warnings());
  }

  private static void shorten(Table table, List<Object> values, String name, String functionKey,
      String procedureKey, String pathKey) {
    int function = table.column(functionKey);
    int procedure = table.column(procedureKey);
    int path = table.column(pathKey);
    String own = function < 0 ? "" : (String) values.get(function);
    if (path >= 0) {
      values.set(path, ShortPath.of((String) values.get(path), own, MAX_PATH));
    }
    if (function >= 0) {
      boolean isTold = own.equals(name) || procedure >= 0 && own.equals(values.get(procedure));
      values.set(function, isTold ? "" : ShortName.of(own, MAX_FUNCTION));
    }
    if (procedure >= 0) {
      values.set(procedure, ShortName.of((String) values.get(procedure), MAX_FUNCTION));
    }
  }
}
