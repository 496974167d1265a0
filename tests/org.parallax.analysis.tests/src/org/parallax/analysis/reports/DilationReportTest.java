package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.compare.Difference;
import org.parallax.analysis.reports.DilationReport.Pair;
import org.parallax.analysis.reports.DilationReport.Times;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;

/** Times of pairs of runs, and whether an estimate agrees with them. */
class DilationReportTest {
  private static final long MS = 1_000_000;
  /** Of each pair; their mean is 10, their standard deviation 2. */
  private static final int[] ADDED = {8, 10, 12, 8, 10, 12, 8, 10, 12};

  private static Table table(long estimate) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < ADDED.length; i++) {
      // What both runs of a pair have more is no noise of the difference.
      long plain = (100 + 50 * i) * MS;
      pairs.add(new Pair(new Times(plain, plain), new Times(plain + ADDED[i] * MS, plain),
          new Times(estimate, 0)));
    }
    return DilationReport.of("solver", "run", pairs, 0.95, List.of());
  }

  private static Object value(Table table, int row, String column) {
    Row of = table.rows().get(row);
    return of.values().get(table.column(column));
  }

  @Test
  void theIntervalIsStudentsOfThePairs() {
    Table table = table(10 * MS);
    assertEquals(300 * MS, value(table, 0, "plain"));
    assertEquals(310 * MS, value(table, 0, "recorded"));
    assertEquals(10 * MS, value(table, 0, "dilation"));
    assertEquals(100 * 10 / 300.0, (Double) value(table, 0, "percent"), 1e-9);
    // The deviation is the square root of 24 / 8 ms; t(8; 97.5 %) is 2.306.
    double half = 2.306004 * Math.sqrt(3) / 3 * MS;
    assertEquals(10 * MS - half, (Long) value(table, 0, "low"), 100);
    assertEquals(10 * MS + half, (Long) value(table, 0, "high"), 100);
    assertEquals("in the interval", value(table, 0, "within"));
    assertEquals(0L, value(table, 1, "dilation"), "CPU time is the same");
    assertEquals("in the interval", value(table, 1, "within"));
  }

  @Test
  void estimatesOutsideOfTheIntervalAreTold() {
    assertEquals("below the interval", value(table(8 * MS), 0, "within"));
    assertEquals("above the interval", value(table(12 * MS), 0, "within"));
  }

  @Test
  void pairsAreNeeded() {
    assertThrows(IllegalArgumentException.class, () -> Difference.paired(new double[2], new double[3], 0.95));
    assertEquals(Double.NaN, Difference.paired(new double[1], new double[1], 0.95).low());
  }
}
