package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.RunComparison;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.report.CompareCommand;
import org.parallax.cli.report.ReportOptions;
import org.parallax.model.program.ComparedRuns;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;
import org.parallax.trace.testing.TracedProcess;

/** Differences between runs in each report that has them. */
class ComparisonTest extends ComparisonFixture {
  @Test
  void aRunDoesNotDifferFromItselfInAnyReport() throws Exception {
    Path run = run("a", 8_000_000, 0);
    for (List<Object> report : reports()) {
      List<Object> line = line("compare");
      line.addAll(report);
      line.addAll(List.of(run, run));
      Map<String, Object> table = json(line, kind(report));
      assertEquals(List.of("report", "trace", "parameters", "unit", "total", "rows", "warnings"),
          List.copyOf(table.keySet()));
      assertEquals(report.get(0), table.get("report"));
      assertTrue(table.get("total") == null || table.get("total").equals(0L), line + ": " + table);
      boolean any = false;
      for (Map<?, ?> row : rows(table)) {
        assertEquals("both", row.get("match"), () -> line + ": " + row);
        for (Map.Entry<?, ?> field : row.entrySet()) {
          String key = field.getKey().toString();
          boolean unknown =
              field.getValue() == null && row.get(key.replace(".difference", ".base")) == null;
          if (key.endsWith(".difference") && !unknown) {
            any = true;
            assertTrue(field.getValue() instanceof Number number && number.doubleValue() == 0,
                line + ": " + field + " in " + row);
          }
        }
      }
      assertTrue(any, line + ": " + table);
    }
  }

  /** Of metrics and efficiency a row for each cell. */
  private static List<Map<String, Object>> cells(Map<String, Object> table, StandardReport report,
      int column) {
    List<Map<String, Object>> cells = new ArrayList<>();
    for (Map<?, ?> row : rows(table)) {
      Map<String, Object> cell = new LinkedHashMap<>();
      row.forEach((key, value) -> cell.put(key.toString(), value));
      if (report == StandardReport.METRICS || report == StandardReport.EFFICIENCY) {
        List<String> parts =
            cell.keySet().stream().filter(key -> !List.of("name", "unit").contains(key)).toList();
        for (String part : column < 0 ? parts : parts.subList(column, column + 1)) {
          Map<String, Object> one = new LinkedHashMap<>(
              Map.of("name", cell.get("name"), "unit", cell.get("unit"), "value", cell.get(part)));
          if (parts.size() > 1 && column < 0) {
            one.put("part", part);
          }
          cells.add(one);
        }
      } else {
        cells.add(cell);
      }
    }
    return cells;
  }

  @Test
  void everyColumnIsThatOfTheReportsOfTheRuns() throws Exception {
    List<Path> runs = List.of(run("a", 8_000_000, 0), run("b", 10_500_000, 1));
    for (List<Object> words : reports()) {
      StandardReport report = kind(words);
      List<Object> line = line("compare");
      line.addAll(words);
      line.addAll(runs);
      Map<String, Object> difference = json(line, report);
      Long[] totals = new Long[2];
      for (int i = 0; i < 2; i++) {
        List<Object> single = line("report");
        single.addAll(words);
        single.addAll(report == StandardReport.EFFICIENCY ? runs : runs.subList(i, i + 1));
        Map<String, Object> table = json(single, report);
        totals[i] = (Long) table.get("total");
        List<Map<String, Object>> cells =
            cells(table, report, report == StandardReport.EFFICIENCY ? i : -1);
        assertFalse(cells.isEmpty(), single.toString());
        String part = i == 0 ? ".base" : ".new";
        List<String> without = i == 0 ? List.of("added", "no samples in base", "no calls in base")
            : List.of("removed", "no samples in new", "no calls in new");
        for (Map<String, Object> cell : cells) {
          assertEquals(1, rows(difference).stream().filter(row -> !without.contains(row.get("match"))
              && isSame(words, row, cell, part)).count(), line + ": " + cell + " in " + difference);
        }
        assertEquals(cells.size(), rows(difference).stream()
            .filter(row -> !without.contains(row.get("match"))).count(), line.toString());
      }
      if (totals[0] != null) {
        assertEquals(totals[1] - totals[0], difference.get("total"), line.toString());
      }
    }
  }

  /** Whether the values of a run are those of its own report. */
  private static boolean isSame(
      List<Object> words, Map<?, ?> row, Map<String, Object> cell, String part) {
    boolean any = false;
    for (Map.Entry<String, Object> field : cell.entrySet()) {
      if (row.containsKey(field.getKey() + part)) {
        any = true;
        if (!Objects.equals(row.get(field.getKey() + part), field.getValue())) {
          return false;
        }
      }
    }
    List<String> keys = new ArrayList<>(List.of("of", "role", "part", "from", "to"));
    if (words.contains("calltree") || words.contains("waits") && words.contains("procedure")) {
      keys.add("path");
    } else if (words.contains("waits")) {
      keys.add("where");
    }
    return any && cell.get("name").equals(row.get("name"))
        && keys.stream().allMatch(key -> !row.containsKey(key) || !cell.containsKey(key)
            || Objects.equals(row.get(key), cell.get(key)));
  }

  /** The same file has the same functions in each run: one without samples is not gone. */
  @Test
  void functionsWithoutSamplesAreNotRemoved() {
    Path[] runs = new Path[3];
    for (int run = 0; run < 3; run++) {
      TraceBuilder builder = new TraceBuilder(directory.resolve("samples" + run));
      builder.build(run == 2 ? 1 : 0);
      TracedThread thread = builder.process("node1", "/opt/solver").thread(0).threadBegin(0, -1);
      for (int i = 1; i <= 100; i++) {
        thread.sample(i * 1_000_000L, run == 0 && i <= 2 ? "main/rare" : run == 0 && i <= 12
            ? "main/often" : "main/compute");
      }
      if (run == 0) {
        thread.enter(101_000_000, "main/MPI_Barrier").leave(102_000_000);
      }
      thread.threadEnd(103_000_000);
      runs[run] = builder.write();
    }
    Map<String, Object> same = Json.object(Run.of("compare", "profile", "--format", "json", runs[0],
        runs[1]).out());
    assertEquals("no samples in new", row(same, "name", "rare").get("match"));
    assertEquals(100 * Math.exp(-2), (Double) row(same, "name", "rare").get("chance"), 0.01);
    assertEquals(100 * Math.exp(-10), (Double) row(same, "name", "often").get("chance"), 0.001);
    assertEquals("", Objects.toString(row(same, "name", "compute").get("chance"), ""));
    assertEquals("no calls in new", row(same, "name", "MPI_Barrier").get("match"));
    assertTrue(same.get("warnings").toString().contains(
        "2 procedures of the same program have samples in one run only; this is unlikely to be chance for: often"));
    Map<String, Object> reversed = Json.object(Run.of("compare", "profile", "--format", "json", runs[1],
        runs[0]).out());
    assertEquals("no samples in base", row(reversed, "name", "rare").get("match"));
    Map<String, Object> rebuilt = Json.object(Run.of("compare", "profile", "--format", "json",
        runs[0], runs[2]).out());
    assertEquals("removed", row(rebuilt, "name", "rare").get("match"));
    assertEquals("removed", row(rebuilt, "name", "MPI_Barrier").get("match"));
  }

  @Test
  void processesThatCameOrWentAreRows() {
    Path two = run("two", 8_000_000, 0);
    TraceBuilder builder = new TraceBuilder(directory.resolve("three"));
    builder.mpiJob("node9", "/opt/ring", 3);
    for (int rank = 0; rank < 3; rank++) {
      builder.process(rank).thread(0).threadBegin(0, -1).sample((1 + rank) * 1_000_000L, "main/compute");
    }
    Run run = Run.of("compare", "profile", "--level", "process", "--format", "json", two,
        builder.write());
    Map<String, Object> table = Json.object(run.out());
    Map<?, ?> added = row(table, "name", "node1:ring[2]");
    assertEquals(List.of(0L, 3_000_000L, "added"),
        List.of(added.get("time.base"), added.get("time.new"), added.get("match")));
    assertEquals("both", row(table, "name", "node1:ring[1]").get("match"));
    assertTrue(table.get("warnings").toString().contains("machine node9 is matched with node1"));
    assertTrue(table.get("warnings").toString().contains("3 processes here and 2 in the base"));
    // What nothing was measured of is not known to be nothing.
    Map<String, Object> metrics = Json.object(Run.of("compare", "metrics", "--level", "process",
        "--format", "json", two, directory.resolve("three")).out());
    Map<?, ?> elapsed = row(metrics, "part", "node1:ring[2]");
    assertEquals("Elapsed time", elapsed.get("name"));
    assertEquals(null, elapsed.get("value.base"));
    assertEquals(3_000_000L, elapsed.get("value.new"));
  }

  /** No message has no bytes, but no mean time either. */
  @Test
  void whatIsNotThereIsNothingOrNotKnown() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("silent"));
    builder.mpiJob("node1", "/opt/ring", 2);
    builder.process(0).thread(0).threadBegin(0, -1).sample(1_000_000, "main/compute");
    Map<String, Object> table = Json.object(Run.of("compare", "comm", "--format", "json",
        builder.write(), run("a", 8_000_000, 0)).out());
    Map<?, ?> added = row(table, "name", "Msg: node1:ring[0]->node1:ring[1]");
    assertEquals(List.of(0L, 4096L), List.of(added.get("bytes.base"), added.get("bytes.difference")));
    assertEquals(null, added.get("meanTime.base"));
    assertEquals(null, added.get("meanTime.difference"));
    Map<?, ?> npt = row(Json.object(Run.of("compare", "npt", "--format", "json",
        directory.resolve("silent"), directory.resolve("a")).out()), "name", "finish");
    assertEquals(0L, npt.get("time.base"));
    assertEquals(null, npt.get("parallelism.base"));
  }

  @Test
  void threadsAndProcessesWithoutRanksAreFoundByTheirNumbers() {
    List<Path> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      TraceBuilder builder = new TraceBuilder(directory.resolve("t" + threads));
      for (int i = 0; i < threads - 1; i++) {
        builder.process("node1", "/opt/other").thread(0).sample(10, "main");
      }
      for (int i = 0; i < 2; i++) {
        TracedProcess server = builder.process("node1", "/opt/server");
        server.thread(0).threadBegin(0, -1).sample(1_000, "main").threadEnd(1_000L * threads);
        for (int thread = 1; thread < threads; thread++) {
          server.thread(thread).threadBegin(0, 0).sample(500, "work").threadEnd(500);
        }
      }
      runs.add(builder.write());
    }
    Map<String, Object> table = Json.object(Run.of("compare", "profile", "--level", "thread",
        "--app", "server", "--format", "json", runs.get(0), runs.get(1)).out());
    assertEquals(List.of("node1:server #1:main both 1000", "node1:server #1:thread 1 added 500",
        "node1:server #2:main both 1000", "node1:server #2:thread 1 added 500"),
        rows(table).stream().map(row -> row.get("name") + " " + row.get("match") + " "
            + row.get("time.difference")).sorted().toList());
  }

  @Test
  void renamedProceduresAreMatchedOnCallPaths() {
    List<Path> runs = new ArrayList<>();
    for (String name : List.of("assemble_matrix", "assemble_matrices")) {
      TraceBuilder builder = new TraceBuilder(directory.resolve(name)).build(runs.size());
      builder.mpiJob("node1", "/opt/heat", 1);
      builder.process(0).thread(0).threadBegin(0, -1).sample(1_000, "main/" + name + "/fill")
          .sample(1_500, "main/" + name);
      runs.add(builder.write());
    }
    Map<String, Object> tree = Json.object(
        Run.of("compare", "calltree", "--format", "json", runs.get(0), runs.get(1)).out());
    assertEquals(List.of("main both ", "main;assemble_matrices renamed main;assemble_matrix",
        "main;assemble_matrices;fill renamed main;assemble_matrix;fill"), rows(tree).stream()
            .map(row -> row.get("path") + " " + row.get("match") + " " + row.get("was")).toList());
    Map<String, Object> gprof = Json.object(
        Run.of("compare", "gprof", "--format", "json", runs.get(0), runs.get(1)).out());
    assertTrue(rows(gprof).stream().allMatch(row -> row.get("self.difference").equals(0L)
        && !row.get("match").equals("added") && !row.get("match").equals("removed")), gprof + "");
    assertEquals("main;assemble_matrices 500 500\nmain;assemble_matrices;fill 1000 1000\n",
        Run.of("export", "collapsed", "--base", runs.get(0), runs.get(1)).out());
  }

  @Test
  void exportsOfSharesTakeTheBaseToLastAsLong() {
    List<Path> runs = new ArrayList<>();
    for (int run = 1; run <= 2; run++) {
      TraceBuilder builder = new TraceBuilder(directory.resolve("run" + run));
      builder.mpiJob("node1", "/opt/heat", 1);
      builder.process(0).thread(0).threadBegin(0, -1).sample(1_000, "main/a")
          .sample(2_000L * run, "main/b");
      runs.add(builder.write());
    }
    assertEquals("main;a 1000 1000\nmain;b 1000 3000\n",
        Run.of("export", "collapsed", "--base", runs.get(0), runs.get(1)).out());
    assertEquals("main;a 2000 1000\nmain;b 2000 3000\n", Run.of("export", "collapsed", "--base",
        runs.get(0), "--normalize", runs.get(1)).out());
    assertEquals(2, Run.of("export", "collapsed", "--normalize", runs.get(0)).status());
    assertEquals(2, Run.of("export", "chrome", "--base", runs.get(0), "--normalize",
        runs.get(1)).status());
  }

  @Test
  void phasesAreThoseOfEachRun() {
    Path a = run("a", 8_000_000, 0);
    Path b = run("b", 10_000_000, 0);
    Map<String, Object> table = Json.object(Run.of("compare", "metrics", "--phase", "step",
        "--format", "json", a, b).out());
    assertEquals(List.of(7_900_010L, 9_900_010L), List.of(row(table, "name", "Elapsed time")
        .get("value.base"), row(table, "name", "Elapsed time").get("value.new")));
    assertTrue(Run.of("compare", "--phase", "stepp", a, b).err()
        .contains("in the run a: there is no phase \"stepp\""));
    Map<String, Object> phases = Json.object(
        Run.of("compare", "phases", "--format", "json", a, b).out());
    assertEquals(2_000_000L, row(phases, "name", "step").get("time.difference"));
  }

  @Test
  void histogramsLieOverEachOtherFromOneStart() {
    List<Path> runs = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      TraceBuilder builder = new TraceBuilder(directory.resolve("h" + i));
      builder.mpiJob("node1", "/opt/heat", 1);
      builder.process(0).start(500).thread(0).threadBegin(500, -1).sample(2_000_500L * i, "main")
          .threadEnd(2_000_500L * i);
      runs.add(builder.write());
    }
    Run text = Run.of("compare", "histogram", "--bins", "10", "--metric", "running", runs.get(0),
        runs.get(1));
    assertTrue(text.out().startsWith("""
        Difference: h2 less h1, Number running over time (heat)

        running heat of h2, at most 1.000; of h1, at most 1.000
               1.000 |#####+++++
        """), text.out());
    assertTrue(text.out().endsWith("# both, + only h2, - only h1\n"), text.out());
    Map<String, Object> table = Json.object(Run.of("compare", "histogram", "--bins", "10",
        "--metric", "cpu", "--format", "json", runs.get(0), runs.get(1)).out());
    assertEquals(10, rows(table).size());
    assertEquals(List.of(0L, 400_050L), List.of(rows(table).get(0).get("from"),
        rows(table).get(0).get("to")));
    assertEquals(0L, rows(table).get(9).get("cpu heat.base"));
    assertEquals(2_000_500L, table.get("total"));
    assertTrue(Run.of("compare", "histogram", "--align", "clock", runs.get(0), runs.get(1)).err()
        .contains("compared runs are aligned at their start"));
  }

  @Test
  void programsThatShareNothingAreRefusedByEveryReport() {
    Path a = run("a", 8_000_000, 0);
    TraceBuilder builder = new TraceBuilder(directory.resolve("other"));
    builder.mpiJob("node1", "/opt/ocean", 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(5, "waves/crash/foam/froth/swell");
    Path other = builder.write();
    for (List<Object> report : reports()) {
      List<Object> line = line("compare");
      line.addAll(report);
      line.addAll(List.of(a, other));
      Run run = Run.of(line.toArray());
      assertEquals(1, run.status(), line.toString());
      assertTrue(run.err().contains("they seem to be runs of different programs"), line + run.err());
    }
  }

  /** What the page of reports says of the keys is what is printed. */
  @Test
  void keysAreDocumented() throws Exception {
    String page = Files.readString(
        Path.of(System.getProperty("parallax.root", "."), "docs/reports.md"));
    String section = page.split("\n## Differences\n")[1].split("\n## ")[0];
    TreeSet<String> documented = new TreeSet<>();
    Matcher matcher = Pattern.compile("`([^`]+)`").matcher(section);
    while (matcher.find()) {
      documented.add(matcher.group(1));
    }
    Path a = run("a", 8_000_000, 0);
    Path b = run("b", 9_000_000, 0);
    Map<String, Object> table =
        json(line("compare", "metrics", "--level", "process", a, b), StandardReport.METRICS);
    for (Object parameter : ((Map<?, ?>) table.get("parameters")).keySet()) {
      assertTrue(documented.contains(parameter) || List.of("application", "level")
          .contains(parameter), parameter + " in " + documented);
    }
    for (Object key : rows(table).get(0).keySet()) {
      String known = key.toString().replace("value.", "KEY.");
      assertTrue(documented.contains(known) || List.of("name", "unit").contains(known), known);
    }
  }

  /** What the views compare is what this prints. */
  @Test
  void theSameComparisonWithoutTheCommandLine() throws Exception {
    Path base1 = run("base1", 5_000_000, 0);
    Path base2 = run("base2", 5_100_000, 0);
    Path new1 = run("new1", 8_000_000, 0);
    Path new2 = run("new2", 8_200_000, 0);
    var document = CompareCommand.document(
        List.of(base1 + "," + base2, new1 + "," + new2), CompareCommand.HERE, false);
    for (ReportKind kind : ReportOptions.catalogue().comparable()) {
      ParameterValues values = kind.takes(Parameter.BINS)
          ? ParameterValues.NONE.with("bins", "10") : ParameterValues.NONE;
      List<Object> line = line("compare", kind.id(), base1 + "," + base2, new1 + "," + new2,
          "--format", "csv");
      values.names().forEach(name -> line.addAll(List.of("--" + name, values.get(name, ""))));
      Run printed = Run.of(line.toArray());
      assertEquals(0, printed.status(), printed.err());
      try (ComparedRuns comparison =
          ComparedRuns.open(document, CompareCommand.HERE, Progress.NONE)) {
        RunComparison runs = new RunComparison(comparison, comparison.others().get(0), 0.95);
        Table table = runs.table(kind, values, null, Progress.NONE);
        assertEquals(printed.out(),
            TableFormat.CSV.print(table, Integer.MAX_VALUE, List.of()), kind.id());
      }
    }
  }
}
