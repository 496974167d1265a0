package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.program.Application;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.ComparedRuns.RunSet;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;

/** Real programs of which one part was changed, or that ran on more places. */
class ComparedRecordingsTest {
  private static final String PROGRAM = "imbalance.openmpi";

  @TempDir Path directory;

  /** Runs the program with so many times the work in {@code compute_heavy}. */
  private void record(Session document, RunMode mode, String group, int ranks, int factor)
      throws Exception {
    String name = group + document.getRuns().size();
    Recording.Result result = Recording.record(directory.resolve(name), List.of("mpirun.openmpi",
        "-n", String.valueOf(ranks), Recording.program(PROGRAM), String.valueOf(factor), "20", "20"));
    assertEquals(0, result.status(), result.output());
    Run run = ModelFactory.eINSTANCE.createRun();
    run.setName(name);
    run.setMode(mode);
    run.setGroup(group);
    run.setTrace(name);
    document.getRuns().add(run);
  }

  private static List<Application> applications(RunSet set) {
    return set.repetitions().stream()
        .map(each -> each.session().getApplications().get(0)).toList();
  }

  private Table difference(Session document, Function<ApplicationAnalysis, Table> report)
      throws Exception {
    try (ComparedRuns comparison =
        ComparedRuns.open(document, directory.resolve("x.parallax"), Progress.NONE)) {
      List<ComparisonReport.RunTables> sets = comparison.sets().stream()
          .map(set -> new ComparisonReport.RunTables(set.name(), applications(set).stream()
              .map(application -> report.apply(new ApplicationAnalysis(application)))
              .collect(Collectors.toList()))).toList();
      return ComparisonReport.of(sets.get(0), sets.get(1),
          new ProcedureMatching(applications(comparison.base()),
              applications(comparison.others().get(0))),
          new ComparisonReport.Options(null, 0.95, true, 0));
    }
  }

  private static Object value(Table table, Row row, String key) {
    return row.values().get(table.column(key));
  }

  @Test
  void theProcedureThatWasChangedIsNamed() throws Exception {
    Session document = ModelFactory.eINSTANCE.createSession();
    for (int i = 0; i < 4; i++) {
      record(document, RunMode.COMPARISON, "slow", 2, 4);
      record(document, RunMode.REPLAY, "fast", 2, 2);
    }
    Table table = difference(document, analysis -> CriticalPathReport.of(
        analysis, Level.PROCEDURE, Weight.CPU, null, Progress.NONE));
    // How long libraries take to start is noise, and can be much of it.
    Row first = table.rows().stream()
        .filter(row -> !value(table, row, "time.verdict").equals("noise")).findFirst().orElseThrow();
    assertEquals("compute_heavy", first.name(), table.toString());
    assertEquals("less", value(table, first, "time.verdict"), table.toString());
    // Twice the light work instead of four times.
    assertEquals(0.5, (Double) value(table, first, "time.ratio"), 0.2, table.toString());
    Row light = table.rows().stream().filter(row -> row.name().equals("compute_light"))
        .findFirst().orElseThrow();
    assertEquals(1, (Double) value(table, light, "time.ratio"), 0.25, table.toString());
  }

  @Test
  void fourRanksBesideTwo() throws Exception {
    Session document = ModelFactory.eINSTANCE.createSession();
    record(document, RunMode.COMPARISON, "two", 2, 2);
    record(document, RunMode.REPLAY, "four", 4, 2);
    Table processes = difference(document,
        analysis -> MetricsReport.of(analysis, Level.PROCESS, null, Progress.NONE));
    int part = processes.column("part");
    int match = processes.column("match");
    for (int rank = 0; rank < 4; rank++) {
      String end = "[" + rank + "]";
      Row elapsed = processes.rows().stream().filter(row -> row.name().equals("Elapsed time")
          && row.values().get(part).toString().endsWith(end)).findFirst().orElseThrow();
      assertEquals(rank < 2 ? "both" : "added", elapsed.values().get(match), processes.toString());
    }
    Table path = difference(document, analysis -> CriticalPathReport.of(
        analysis, Level.PROCEDURE, Weight.CPU, null, Progress.NONE));
    assertTrue(path.rows().stream().anyMatch(row -> row.name().equals("compute_heavy")
        && value(path, row, "match").equals("both")), path.toString());
    assertTrue(path.warnings().stream().anyMatch(text -> text.startsWith("no verdict")),
        path.warnings().toString());
  }
}
