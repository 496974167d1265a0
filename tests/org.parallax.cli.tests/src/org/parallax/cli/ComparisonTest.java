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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.RunComparison;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.report.CompareCommand;
import org.parallax.cli.report.ReportOptions;
import org.parallax.model.program.ComparedRuns;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/** Comparisons as documents, of which all reports and exports are made. */
class ComparisonTest {
  /** What reports are made of here beside the trace: the same parts and bins in all runs. */
  private static final Map<StandardReport, List<String>> OPTIONS = Map.of(
      StandardReport.HISTOGRAM, List.of("--metric", "cpu,wait,running", "--level", "process", "--bins", "5"),
      StandardReport.WHAT_IF, List.of("--faster", "compute=2", "--faster", "Msg=10"));

  @TempDir Path directory;

  /** Two ranks, of which one computes and the other waits for it; 20 ms in all. */
  private Path run(String name, long computeNs, int rank) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name)).property("sample-hz", "1000");
    builder.mpiJob("node1", "/opt/ring", 2);
    TracedProcess first = builder.process(rank);
    TracedProcess second = builder.process(1 - rank);
    int step = first.phase("step");
    first.thread(0).threadBegin(0, -1).event(100_000, Kind.PHASE_BEGIN, step).sample(1_000_000, "main/compute")
        .sample(computeNs, "main/compute").event(computeNs + 10, Kind.PHASE_END, step)
        .send(computeNs + 100, computeNs + 200, "main/exchange/MPI_Send", 1, 1 - rank, 7, 4096)
        .sample(13_000_000, "main/finish")
        .collective(14_000_000, 15_000_000, "main/MPI_Barrier", 1, Collective.BARRIER, 0, 0, 0);
    second.thread(0).threadBegin(0, -1).sample(500_000, "main/compute")
        .receive(600_000, computeNs + 1_000, "main/exchange/MPI_Recv", 1, rank, 7, 4096)
        .collective(12_000_000, 15_000_100, "main/MPI_Barrier", 1, Collective.BARRIER, 0, 0, 0)
        .sample(16_000_000, "main/finish");
    first.exit(20_000_000, 0);
    second.exit(20_000_000, 0);
    return builder.write();
  }

  private static List<Object> line(Object... words) {
    return new ArrayList<>(List.of(words));
  }

  private static Map<String, Object> json(List<Object> line, StandardReport report) {
    List<Object> all = new ArrayList<>(line);
    all.addAll(OPTIONS.getOrDefault(report, List.of()));
    all.addAll(List.of("--format", "json"));
    Run run = Run.of(all.toArray());
    assertEquals(0, run.status(), () -> all + ": " + run.err());
    return Json.object(run.out());
  }

  private static List<Map<?, ?>> rows(Map<String, Object> table) {
    return ((List<?>) table.get("rows")).stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList();
  }

  private static Map<?, ?> row(Map<String, Object> table, String key, Object value) {
    return rows(table).stream().filter(row -> value.equals(row.get(key))).findFirst()
        .orElseThrow(() -> new AssertionError("no " + value + " in " + table));
  }

  /** The kinds, each with one of the levels that it has. */
  private static List<List<Object>> reports() {
    List<List<Object>> reports = new ArrayList<>();
    for (StandardReport report : StandardReport.values()) {
      if (report.comparability() == ReportKind.Comparability.NONE) {
        continue;
      }
      if (report != StandardReport.METRICS) {
        reports.add(line(report.id()));
      }
      for (String level : report.takes(Parameter.LEVEL) ? Parameter.LEVEL.allowed() : List.<String>of()) {
        if (report != StandardReport.HISTOGRAM && Run.of("report", report.id(), "--level", level, "none")
            .status() != 2) {
          reports.add(line(report.id(), "--level", level));
        }
      }
    }
    reports.add(line("waits", "--causes", "--level", "procedure"));
    return reports;
  }

  private static StandardReport kind(List<Object> report) throws ReportException {
    return (StandardReport) ReportOptions.catalogue().find(report.get(0).toString());
  }

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
        String without = i == 0 ? "added" : "removed";
        for (Map<String, Object> cell : cells) {
          assertEquals(1, rows(difference).stream().filter(row -> !row.get("match").equals(without)
              && isSame(words, row, cell, part)).count(), line + ": " + cell + " in " + difference);
        }
        assertEquals(cells.size(), rows(difference).stream()
            .filter(row -> !row.get("match").equals(without)).count(), line.toString());
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

  @Test
  void aComparisonIsAFileThatMovesWithItsTraces() throws Exception {
    Path one = Files.createDirectories(directory.resolve("one"));
    for (String name : List.of("one/a1", "one/a2", "one/b1", "one/b2", "one/c1")) {
      run(name, name.contains("a") ? 8_000_000 : 9_000_000 + name.charAt(5) * 10, 0);
    }
    Path file = one.resolve("faster.parallax");
    Run made = Run.of("compare", one.resolve("a1") + "," + one.resolve("a2"),
        one.resolve("b1") + "," + one.resolve("b2"), one.resolve("c1"), "-o", file);
    assertEquals("""
        a1                   comparison  a1  group a1,a2
        a2                   comparison  a2  group a1,a2
        b1                   replay      b1  group b1,b2
        b2                   replay      b2  group b1,b2
        c1                   replay      c1  group c1
        """, made.out(), made::err);
    assertFalse(Files.readString(file).contains(directory.toString()));
    Path other = directory.resolve("other");
    Files.move(one, other);
    Path moved = other.resolve("faster.parallax");
    Run text = Run.of("report", "profile", moved);
    assertEquals(0, text.status(), text::err);
    assertEquals(List.of("Difference: b1,b2 less a1,a2, Profile (ring)",
        "Difference: c1 less a1,a2, Profile (ring)"), text.out().lines()
            .filter(line -> line.startsWith("Difference")).toList());
    assertTrue(Run.of("report", "profile", "--format", "csv", moved).err()
        .contains("choose the runs to compare with a1,a2 with --group: b1,b2, c1"));
    Map<String, Object> table = Json.object(Run.of("report", "profile", "--format", "json",
        "--group", "b1,b2", moved).out());
    assertEquals("2", ((Map<?, ?>) table.get("parameters")).get("newRuns"));
    assertEquals("more", row(table, "name", "compute").get("time.verdict"));

    Run info = Run.of("info", moved);
    assertTrue(info.out().startsWith("Comparison "), info.out());
    assertTrue(info.out().contains("\na1   comparison  a1,a2"), info.out());
    List<?> runs = (List<?>) Json.object(Run.of("info", "--format", "json", moved).out()).get("runs");
    assertEquals(Map.of("name", "ring", "processes", 2L, "threads", 2L),
        ((List<?>) ((Map<?, ?>) runs.get(4)).get("applications")).get(0));
    Run check = Run.of("check", moved);
    assertEquals(5, check.out().lines().filter(line -> line.contains(": sound")).count(), check.err());
    Files.move(other.resolve("c1"), other.resolve("gone"));
    assertEquals(1, Run.of("check", moved).status());
    assertEquals(1, Run.of("info", moved).status());
    assertEquals(1, Run.of("report", "profile", moved).status());
  }

  @Test
  void runsOfASessionInTwoModesAreCompared() {
    Path file = directory.resolve("s.parallax");
    Run.of("session", file, "--compare", run("old", 8_000_000, 0), "--replay",
        run("new", 9_000_000, 0));
    Map<String, Object> table = Json.object(
        Run.of("report", "critical-path", "--format", "json", file).out());
    assertEquals(1_000_000L, row(table, "name", "compute").get("time.difference"));
    // Of several repetitions there are intervals.
    Run.of("session", file, "--remove", "new");
    Run.of("session", file, "--replay", run("new1", 9_000_000, 0), "--replay",
        run("new2", 9_000_100, 0), "--group", "new");
    assertTrue(Run.of("report", "profile", file).out()
        .startsWith("Difference: new less old, Profile (ring)"));
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
      TraceBuilder builder = new TraceBuilder(directory.resolve(name));
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
  void exportsTellTheDifference() throws Exception {
    Path file = directory.resolve("d.parallax");
    Run.of("compare", run("a", 8_000_000, 0), run("b", 9_000_000, 0), "-o", file);
    String collapsed = Run.of("export", "collapsed", file).out();
    assertTrue(collapsed.lines().allMatch(line -> line.matches(".+ \\d+ \\d+")), collapsed);
    Run flames = Run.of("export", "flamegraph", file);
    assertTrue(flames.out().contains("time of all threads of b, minus that of a"), flames.out());
    Map<String, Object> chrome = Json.object(Run.of("export", "chrome", file).out());
    List<String> names = ((List<?>) chrome.get("traceEvents")).stream()
        .map(event -> (Map<?, ?>) event).filter(event -> "process_name".equals(event.get("name")))
        .map(event -> ((Map<?, ?>) event.get("args")).get("name").toString()).toList();
    assertEquals(List.of("a, node1: ring[0]", "a, node1: ring[1]", "b, node1: ring[0]",
        "b, node1: ring[1]"), names);
    assertTrue(((List<?>) chrome.get("traceEvents")).stream().map(event -> (Map<?, ?>) event)
        .filter(event -> event.containsKey("ts"))
        .allMatch(event -> ((Number) event.get("ts")).doubleValue() >= 0));
  }

  /** A server and its client, recorded each by itself, are one run. */
  @Test
  void sessionsOfSeveralApplicationsAreCompared() {
    List<Path> sessions = new ArrayList<>();
    for (String version : List.of("old", "new")) {
      Path file = directory.resolve(version + ".parallax");
      for (String program : List.of("client", "server")) {
        TraceBuilder builder = new TraceBuilder(directory.resolve(program + version));
        builder.process("node1", "/opt/" + program).thread(0).threadBegin(0, -1)
            .sample(program.length() * version.length() * 100L + (version.equals("new") ? 70 : 0),
                "main");
        Run.of("session", file, "--replay", builder.write());
      }
      sessions.add(file);
    }
    Path file = directory.resolve("both.parallax");
    Run made = Run.of("compare", sessions.get(0), sessions.get(1), "-o", file);
    assertEquals("""
        old                  comparison  old.parallax  group old
        new                  replay      new.parallax  group new
        """, made.out(), made::err);
    assertEquals(List.of("Difference: new less old, Profile (client)",
        "Difference: new less old, Profile (server)"), Run.of("report", "profile", file).out()
            .lines().filter(line -> line.startsWith("Difference")).toList());
    Map<String, Object> all = Json.object(Run.of("report", "profile", "--scope", "global",
        "--format", "json", file).out());
    assertEquals(140L, row(all, "name", "main").get("time.difference"), all.toString());
    assertEquals(4, Run.of("check", file).out().lines().count());
    assertEquals(0, Run.of("report", "events", file).status());
    assertTrue(Run.of("report", "profile", "--format", "csv", file).err()
        .contains("choose one application with --app: client, server"));
  }

  /** Events are no rows that two runs have in common: those of both are shown on one time base. */
  @Test
  void eventsOfAllRunsAreInOneTable() {
    Path a = run("a", 8_000_000, 0);
    Path b = run("b", 9_000_000, 0);
    Path file = directory.resolve("d.parallax");
    Run.of("compare", a, b, "-o", file);
    Run events = Run.of("report", "events", "--kind", "Send", file);
    assertEquals(0, events.status(), events::err);
    assertEquals(2, events.out().lines().filter(line -> line.contains(" Send ")).count(),
        events.out());
    Run refused = Run.of("compare", "events", a, b);
    assertEquals(2, refused.status());
    assertTrue(refused.err().contains("parallax report events --align start"), refused.err());
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

  @Test
  void badInputIsAnswered() throws Exception {
    Path a = run("a", 8_000_000, 0);
    Path b = run("b", 9_000_000, 0);
    Path file = directory.resolve("d.parallax");
    Run.of("compare", a, b, "-o", file);
    assertTrue(Run.of("report", "profile", file, a).err().contains("cannot be combined with other "
        + "runs"));
    assertTrue(Run.of("compare", file, a).err().contains("is itself a comparison"));
    assertTrue(Run.of("report", "profile", "--column", "time", a).err()
        .contains("option --column is only for comparisons"));
    assertTrue(Run.of("report", "profile", "--group", "other", file).err()
        .contains("there is no group \"other\" to compare with a; choose from: b"));
    assertTrue(Run.of("compare", "profile", a, b, "-o", file).err().contains("not a report"));
    assertTrue(Run.of("compare", a, b, "-o", directory.resolve("d.xml")).err()
        .contains("must end with .parallax"));
    assertTrue(Run.of("compare", a, directory.resolve("none"), "-o", file).err()
        .contains("there is no trace directory"));
    Run.of("session", file, "--compare", b, "--group", "second");
    assertTrue(Run.of("report", "profile", file).err()
        .contains("the runs of the base belong to several groups: a, second"));
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
