package org.parallax.analysis.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.ProcedureName;

/** Which procedures count as slower or faster. */
class ProcedureDifferencesTest {
  /** A procedure with its milliseconds in each run, and samples; none for one whose calls are measured. */
  private record Timed(String name, int samples, long... ms) {}

  private static Table profile(String run, int index, Timed... procedures) {
    List<Row> rows = new ArrayList<>();
    for (Timed each : procedures) {
      rows.add(Row.of(each.name, null, each.ms[index] * 1_000_000, (long) each.samples));
    }
    return new Table("profile", "Profile", run, Map.of(), "name", Unit.NANOSECONDS, 0, 0,
        List.of(new Column("time", "time", Unit.NANOSECONDS),
            new Column("samples", "samples", Unit.COUNT)), rows, List.of());
  }

  private static ProcedureDifferences differences(int base, int count, Timed... procedures) {
    List<Table> before = new ArrayList<>();
    List<Table> after = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      (i < base ? before : after).add(profile("run" + i, i, procedures));
    }
    ProcedureMatching matching = new ProcedureMatching(List.of(), List.of());
    return ProcedureDifferences.of(ComparisonReport.of(
        new ComparisonReport.RunTables("base", before),
        new ComparisonReport.RunTables("new", after),
        matching, new ComparisonReport.Options("time", 0.95, true, 0)), matching);
  }

  private static Set<String> names(ProcedureDifferences found) {
    return found.byName().keySet().stream().map(ProcedureName::name).collect(Collectors.toSet());
  }

  @Test
  void ofSingleRunsWhatIsBeyondTheErrorOfSamplingCounts() {
    ProcedureDifferences found = differences(1, 2,
        new Timed("slower", 400, 1000, 1200), new Timed("faster", 400, 1000, 700),
        // 5 % of 400 samples is one standard deviation of each.
        new Timed("noise", 400, 1000, 1120), new Timed("seldom", 4, 1000, 1500),
        new Timed("MPI_Recv", 0, 1000, 1100), new Timed("MPI_Send", 0, 1000, 1040),
        new Timed("tiny", 0, 10, 20));
    assertEquals(Set.of("slower", "faster", "MPI_Recv"), names(found));
    Change slower = found.byName().get(new ProcedureName("slower", ""));
    assertTrue(slower.isSlower());
    assertTrue(slower.isOneRun());
    assertEquals(0.2, slower.share(), 1e-9);
    assertFalse(found.byName().get(new ProcedureName("faster", "")).isSlower());
    assertEquals(-0.3, found.byName().get(new ProcedureName("faster", "")).share(), 1e-9);
  }

  @Test
  void ofRepeatedRunsTheNoiseBetweenThemCounts() {
    ProcedureDifferences found = differences(3, 6,
        new Timed("steady", 4, 1000, 1001, 999, 1030, 1029, 1031),
        new Timed("unsteady", 4000, 1000, 600, 1400, 1300, 900, 1700));
    assertEquals(Set.of("steady"), names(found));
    assertFalse(found.byName().get(new ProcedureName("steady", "")).isOneRun());
    assertEquals(1030e6, found.byName().get(new ProcedureName("steady", "")).newNs(), 1);
  }
}
