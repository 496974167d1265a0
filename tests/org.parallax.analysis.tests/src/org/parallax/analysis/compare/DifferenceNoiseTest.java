package org.parallax.analysis.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/** Differences of repeated runs whose noise is known. */
class DifferenceNoiseTest {
  private static final int ROWS = 4_000;
  private static final long SEED = 20_080_117;

  /** Runs whose rows vary by a percent around a time, of the last one around another. */
  private static ComparisonReport.RunTables runs(
      String name, Random random, int count, double last, double sigmas) {
    List<Table> tables = new ArrayList<>();
    for (int run = 0; run < count; run++) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        double mean = 1e9 * (i == ROWS - 1 ? last : 1);
        rows.add(Row.of("row " + i, null,
            Math.round(mean * (1 + 0.01 * sigmas * random.nextGaussian()))));
      }
      tables.add(new Table("profile", "Profile", name, Map.of(), "name", Unit.NANOSECONDS, 0, 0,
          List.of(new Column("time", "time", Unit.NANOSECONDS)), rows, List.of()));
    }
    return new ComparisonReport.RunTables(name, tables);
  }

  private static Table difference(ComparisonReport.RunTables base, ComparisonReport.RunTables other,
      double confidence) {
    return ComparisonReport.of(base, other, new ProcedureMatching(List.of(), List.of()),
        new ComparisonReport.Options(null, confidence, true, 0));
  }

  /** Welch's method is a little careful where there are few runs: never more, and hardly less. */
  @ParameterizedTest
  @CsvSource({"3, 3, 1, 0.95", "5, 5, 1, 0.95", "5, 10, 3, 0.95", "5, 5, 1, 0.8"})
  void asMuchAsIsSaidIsMistakenForADifference(int base, int other, double sigmas,
      double confidence) {
    Random random = new Random(SEED);
    Table table = difference(runs("base", random, base, 1, 1),
        runs("new", random, other, 1, sigmas), confidence);
    int verdict = table.column("time.verdict");
    long mistaken = table.rows().stream()
        .filter(row -> !row.values().get(verdict).equals("noise")).count();
    double expected = 1 - confidence;
    double error = 4 * Math.sqrt(expected * confidence / ROWS);
    double share = (double) mistaken / ROWS;
    assertTrue(share < expected + error && share > 0.6 * expected - error,
        "seed " + SEED + ": " + share);
    assertTrue(table.warnings().get(0).startsWith("of 4000 rows, " + mistaken + " differ in time"),
        table.warnings().toString());
  }

  @Test
  void whatDiffersStandsFirst() {
    Random random = new Random(SEED);
    Table table = difference(runs("base", random, 5, 1, 1), runs("new", random, 5, 1.2, 1), 0.95);
    Row first = table.rows().get(0);
    assertEquals("row " + (ROWS - 1), first.name());
    assertEquals("more", first.values().get(table.column("time.verdict")));
    long low = (Long) first.values().get(table.column("time.low"));
    long high = (Long) first.values().get(table.column("time.high"));
    assertTrue(low < 200_000_000 && high > 200_000_000, first.toString());
  }

  @Test
  void aSingleRunHasNoVerdict() {
    Random random = new Random(SEED);
    Table table = difference(runs("base", random, 5, 1, 1), runs("new", random, 1, 9, 1), 0.95);
    assertTrue(table.rows().stream().allMatch(
        row -> row.values().get(table.column("time.verdict")).equals("one run")));
    assertEquals(1, table.warnings().stream()
        .filter(text -> text.startsWith("no verdict from a single run")).count());
  }
}
