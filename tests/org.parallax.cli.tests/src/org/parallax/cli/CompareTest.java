package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.trace.testing.TraceBuilder;

/** Runs against each other. */
class CompareTest {
  @TempDir Path directory;

  /** A run of one rank with the time of two procedures. */
  private Path run(String name, long solveNs, String other, long otherNs) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name)).build(other.equals("init") ? 0 : other.hashCode());
    builder.mpiJob("node1", "/opt/heat", 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(solveNs, "solve")
        .sample(solveNs + otherNs, other);
    return builder.write();
  }

  @SuppressWarnings("unchecked")
  private static List<Object> rows(Run run) {
    assertEquals(0, run.status(), run::err);
    return (List<Object>) Json.object(run.out()).get("rows");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> row(List<Object> rows, String name) {
    return rows.stream().map(row -> (Map<String, Object>) row)
        .filter(row -> row.get("name").equals(name)).findFirst().orElseThrow();
  }

  @Test
  void oneRunOfEachHasDifferencesAndNoVerdict() {
    Run run = Run.of("compare", run("a", 1000, "init", 500), run("b", 1400, "init", 500), "--format",
        "json");
    Map<String, Object> solve = row(rows(run), "solve");
    assertEquals(List.of(1000L, 1400L, 400L, 1.4), List.of(solve.get("time.base"), solve.get("time.new"),
        solve.get("time.difference"), solve.get("time.ratio")));
    assertEquals(null, solve.get("time.low"));
    assertEquals("one run", solve.get("time.verdict"));
    assertTrue(run.out().contains("no verdict from a single run"), run.out());
  }

  @Test
  void repeatedRunsTellNoiseFromDifference() {
    String base = run("a1", 1000, "init", 500) + "," + run("a2", 1010, "init", 540) + ","
        + run("a3", 990, "init", 460);
    String now = run("b1", 1400, "init", 510) + "," + run("b2", 1410, "init", 480) + ","
        + run("b3", 1390, "init", 530);
    List<Object> rows = rows(Run.of("compare", base, now, "--format", "json"));
    Map<String, Object> solve = row(rows, "solve");
    assertEquals("more", solve.get("time.verdict"));
    // Welch: both have a standard deviation of 10, so that half the interval is t(4) * 10 * sqrt(2/3).
    assertEquals(List.of(400L - 23, 400L + 23), List.of(solve.get("time.low"), solve.get("time.high")));
    assertEquals("noise", row(rows, "init").get("time.verdict"));
    String text = Run.of("compare", base, now).out();
    assertTrue(text.lines().anyMatch(line -> line.startsWith("solve") && line.contains(" more")),
        text);
  }

  @Test
  void renamedAddedAndRemovedProceduresAreMatched() {
    List<Object> rows = rows(Run.of("compare", run("a", 1000, "assemble_matrix", 500),
        run("b", 1000, "assemble_matrices", 800), "--format", "json"));
    Map<String, Object> renamed = row(rows, "assemble_matrices");
    assertEquals("assemble_matrix", renamed.get("was"));
    assertEquals(300L, renamed.get("time.difference"));

    // Another name at the same place, and one that is elsewhere.
    TraceBuilder builder = new TraceBuilder(directory.resolve("d"));
    builder.mpiJob("node1", "/opt/heat", 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(1000, "solve").sample(1500, "checkpoint")
        .sample(2300, "fft");
    Path without = run("c", 1000, "write", 500);
    rows = rows(Run.of("compare", without, builder.write(), "--format", "json"));
    assertEquals(List.of("write", 0L),
        List.of(row(rows, "checkpoint").get("was"), row(rows, "checkpoint").get("time.difference")));
    assertEquals(List.of("", 800L),
        List.of(row(rows, "fft").get("was"), row(rows, "fft").get("time.difference")));
    assertEquals(-800L, row(rows(Run.of("compare", directory.resolve("d"), without, "--format",
        "json")), "fft").get("time.difference"));
  }

  /** A run with functions of one name in two files. */
  private Path twoOfOneName(String name, long ownNs, long otherNs) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name));
    builder.mpiJob("node1", "/opt/heat", 1);
    builder.process(0).library("/lib/libmesh.so");
    builder.process(0).thread(0).threadBegin(0, -1).sample(1000, "solve").sample(1000 + ownNs, "step")
        .sample(1000 + ownNs + otherNs, "libmesh.so:step");
    return builder.write();
  }

  @Test
  void functionsOfOneNameInSeveralFilesAreToldApart() {
    Path a = twoOfOneName("a", 500, 900);
    Path b = twoOfOneName("b", 900, 500);
    List<Object> rows = rows(Run.of("compare", a, b, "--format", "json"));
    assertEquals(400L, row(rows, "step (heat.c)").get("time.difference"));
    assertEquals(-400L, row(rows, "step (libmesh.so.c)").get("time.difference"));
    assertEquals(0L, row(rows, "solve").get("time.difference"));
    assertEquals("both", row(rows, "step (heat.c)").get("match"));
    // Where both have only one of them, the name is enough.
    rows = rows(Run.of("compare", run("c", 1000, "step", 500), run("d", 1000, "step", 700), "--format", "json"));
    assertEquals(200L, row(rows, "step").get("time.difference"));
    // One of them is new.
    rows = rows(Run.of("compare", run("e", 1000, "step", 500), b, "--format", "json"));
    assertEquals(400L, row(rows, "step (heat.c)").get("time.difference"));
    assertEquals("added", row(rows, "step (libmesh.so.c)").get("match"));
    // So are those on call paths.
    rows = rows(Run.of("compare", "calltree", a, b, "--format", "json"));
    assertEquals(400L, row(rows, "step (heat.c)").get("time.difference"));
    assertEquals(-400L, row(rows, "step (libmesh.so.c)").get("time.difference"));
    assertEquals("both", row(rows, "step (libmesh.so.c)").get("match"));
  }

  @Test
  void tablesOfTheSameThingsCanBeCompared() {
    Path a = run("a", 1000, "init", 500);
    Path b = run("b", 1400, "init", 500);
    for (StandardReport report : StandardReport.values()) {
      Run run = Run.of("compare", report.id(), a, b);
      assertEquals(report.comparability() == ReportKind.Comparability.NONE ? 2 : 0, run.status(), report + ": " + run);
    }
    assertEquals(400L, row(rows(Run.of("compare", "critical-path", "--level", "process", a, b,
        "--format", "json")), "CPU: node1:heat[0]").get("time.difference"));
    assertEquals(400L, row(rows(Run.of("compare", "metrics", a, b, "--format", "json")),
        "Elapsed time").get("value.difference"));
  }

  @Test
  void badInputIsAnswered() throws Exception {
    Path a = run("a", 1000, "init", 500);
    assertEquals(2, Run.of("compare", a).status());
    TraceBuilder builder = new TraceBuilder(directory.resolve("other"));
    builder.mpiJob("node1", "/opt/ocean", 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(5, "waves");
    Run other = Run.of("compare", a, builder.write());
    assertEquals(1, other.status());
    assertTrue(other.err().contains("they seem to be runs of different programs"), other.err());
    Run column = Run.of("compare", a, a, "--column", "inclusiv");
    assertTrue(column.err().contains("did you mean inclusive?"), column.err());
    assertTrue(Run.of("compare", "critical-path", a, a, "--column", "kind").err()
        .contains("no numeric column"));
    assertEquals(2, Run.of("compare", a, a, "--confidence", "100").status());
    Run graph = Run.of("export", "flamegraph", a, "--base", run("b", 1400, "init", 500), "-o",
        directory.resolve("x.svg"));
    assertEquals(0, graph.status(), graph::err);
    String svg = Files.readString(directory.resolve("x.svg"));
    assertTrue(svg.contains("solve: 1.000 us, 66.67 %, 400 ns less"), svg);
    assertTrue(svg.contains("init: 500 ns, 33.33 %, 0 ns more"), svg);
  }
}
