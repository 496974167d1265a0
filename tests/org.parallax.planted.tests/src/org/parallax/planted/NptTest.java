package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.NptReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/** Normalized times of a program that looks at the clock itself. */
class NptTest {
  /** For its own looks at clocks, the hooks, and the ends of waits, of some rounds. */
  private static final double TOLERANCE = 0.03;
  private static final int ATTEMPTS = 12;

  @TempDir Path directory;

  private static Row row(Table table, String name) {
    return table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + table));
  }

  private static double number(Table table, String name, String column) {
    return ((Number) row(table, name).values().get(table.column(column))).doubleValue();
  }

  private static void assertTime(Recording run, String printed, Table table, String name,
      String column) {
    assertEquals(1, number(table, name, column) / run.printed().get(printed), TOLERANCE,
        name + ", " + column + ": " + run.output() + table);
  }

  private Recording run(int attempt, int rounds) throws Exception {
    Path program = directory.resolve("alone_together");
    if (!Files.exists(program)) {
      Compilers.compile(program, "alone_together.c", "bin/parallax-cc", "-O1", "-g", "-pthread");
    }
    return Recording.of(Files.createDirectory(directory.resolve("run" + attempt)),
        program.toString(), String.valueOf(rounds), "10000000");
  }

  /** However busy the machine is. */
  @Test
  void byCpuTimeWhoWaitsDoesNotCount() throws Exception {
    try (Recording run = run(0, 20)) {
      Table table = table(run, Weight.CPU);
      assertTime(run, "together_cpu", table, "together", "executing");
      assertTime(run, "alone_cpu", table, "alone", "executing");
      assertEquals(1, number(table, "alone", "parallelism"), TOLERANCE, table.toString());
    }
  }

  /** What it executes, and is not executed for a time, is told in a row of its own: (preempted). */
  private static void assertHadProcessors(Recording run, String printed) {
    double lostNs = run.printed().get(printed + "_delay");
    if (lostNs > TOLERANCE / 2 * run.printed().get(printed)) {
      throw new QuietMachine.LostProcessors(printed + "() had no processor for " + lostNs + " ns: " + run.output());
    }
  }

  /**
   * Only where the machine leaves the program both processors: what it takes from one between a look
   * at the clock and a hook, nobody can tell.
   */
  @Test
  void byWallTimeWhatRunsTogetherIsHalved() throws Exception {
    QuietMachine.measure(ATTEMPTS, attempt -> {
      try (Recording run = run(attempt, 6)) {
        Table table = table(run, Weight.WALL);
        assertHadProcessors(run, "together");
        assertHadProcessors(run, "alone");
        QuietMachine.times(() -> {
          assertTime(run, "together", table, "together", "executing");
          assertTime(run, "together_npt", table, "together", "time");
          assertTime(run, "alone", table, "alone", "time");
        });
      }
    });
  }

  private static Table table(Recording run, Weight weight) {
    Table table = NptReport.of(run.analysis(), Level.PROCEDURE, weight, null, Progress.NONE);
    assertEquals(table.total(), Recording.sum(table, "time", row -> true));
    assertEquals(Long.toString(table.total()), table.parameters().get("executingNs"));
    return table;
  }
}
