package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.export.CollapsedStacks;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.CriticalPathReport.Grouping;
import org.parallax.analysis.reports.DelaysReport;
import org.parallax.analysis.source.SourceReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/** All tables name the program's own functions where the time is in leaves of libraries. */
class PlantedLeavesTest {
  private static final List<String> FUNCTIONS = List.of("first", "second");
  /** Parts of short pieces of work get no sample. */
  private static final double SHARE = 0.15;
  private static final double UNSAMPLED_NS = 8e6;

  @TempDir Path directory;

  /**
   * @param own matches the innermost function of the program on the path to the leaf; empty for `first` and `second`
   *     themselves. While qsort has no processor, it is that of its caller
   */
  @ParameterizedTest
  @CsvSource({"memcpy, ''", "memcpy_pointer, ''", "sin, ''", "sin_pointer, ''", "sin_sort, (compareBySine|first|second)",
      "clock, ''", "clock_pointer, ''", "usleep, ''", "clock_nanosleep, ''"})
  void tablesNameTheFunctionsOfTheProgram(String leaf, String own) throws Exception {
    List<String> options = leaf.contains("sleep") ? List.of("--sample-clock", "wall") : List.of();
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt), options,
          List.of(Recording.program("library_leaves"), leaf))) {
        for (String function : FUNCTIONS) {
          check(run, function, own.isEmpty() ? function : own);
        }
        // A row of the profile can be of both; then the function with more time is named.
        ownFunctions("profile", run.profile(Level.PROCEDURE), "function",
            row -> !row.name().startsWith("pthread_"), own.isEmpty() ? "(first|second)" : own,
            1e9 * (run.printed().get("first") + run.printed().get("second")));
      }
    });
  }

  private static void check(Recording run, String function, String own) throws Exception {
    ApplicationAnalysis analysis = run.analysis();
    double spent = 1e9 * run.printed().get(function);
    BiPredicate<Object, String> in = (path, name) -> (";" + path + ";").contains(";" + name + ";");

    near("call tree", spent, CallTree.of(analysis, null, Progress.NONE).nodes().stream()
        .filter(node -> node.name().equals(function) && node.path().endsWith("main;" + function))
        .mapToLong(node -> node.inclusiveNs(Weight.WALL)).sum());

    Table profile = run.profile(Level.PROCEDURE);
    near("profile", spent, Recording.sum(profile, "inclusive", row -> row.name().equals(function)));

    Table path = CriticalPathReport.of(
        analysis, Level.PROCEDURE, Grouping.PATH, Weight.WALL, null, Progress.NONE);
    near("critical path", spent, Recording.sum(path, "time", row -> in.test(cell(path, row, "path"), function)));
    near("flame graph of the path", spent, stacks(analysis, FlameSubject.CRITICAL_PATH, function));

    Table waits = run.waits(Level.PROCEDURE, true);
    near("waits", spent, Recording.sum(waits, "time", row -> row.name().equals("thread barrier")
        && cell(waits, row, "function").equals("partner") && in.test(cell(waits, row, "originPath"), function)));
    ownFunctions("waits", waits, "originFunction",
        row -> in.test(cell(waits, row, "originPath"), function), own, spent);
    near("flame graph of waits", spent, stacks(analysis, FlameSubject.WAITS, function));

    Table delays = DelaysReport.of(analysis, Level.PROCEDURE, null, Progress.NONE);
    near("delays", spent, Recording.sum(delays, "time", row -> in.test(cell(delays, row, "path"), function)));

    if (Recording.sum(profile, "samples", row -> row.name().equals(function)) > 0) {
      Table source = SourceReport.of(analysis, Weight.WALL, null, Progress.NONE);
      long line = source.rows().stream().filter(row -> cell(source, row, "procedure").equals(function))
          .mapToLong(row -> (Long) row.values().get(source.column("inclusive"))).max().orElse(0);
      near("source", spent, line);
    }
  }

  /** Rows of leaves are of the program's function. */
  private static void ownFunctions(String what, Table table, String column, Predicate<Row> rows, String own,
      double spent) throws Exception {
    long told = Recording.sum(table, "time", row -> rows.test(row)
        && (row.name().matches(own) || cell(table, row, column).toString().matches(own + "( and \\d+ more)?")));
    QuietMachine.times(() -> assertTrue(told > (1 - SHARE) * spent - UNSAMPLED_NS,
        what + ": " + told + " of " + spent + " ns are of " + own + ": " + table));
  }

  private static Object cell(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  private static long stacks(ApplicationAnalysis analysis, FlameSubject subject, String function) {
    long ns = 0;
    for (Map.Entry<List<String>, Long> entry : CollapsedStacks.of(
        analysis, subject, null, Weight.WALL, null, Progress.NONE).entrySet()) {
      ns += entry.getKey().contains(function) ? entry.getValue() : 0;
    }
    return ns;
  }

  private static void near(String what, double spent, long told) throws Exception {
    QuietMachine.times(() -> assertEquals(spent, told, SHARE * spent + UNSAMPLED_NS, what));
  }
}
