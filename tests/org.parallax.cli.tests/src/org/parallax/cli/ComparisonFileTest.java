package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.parallax.trace.testing.TraceBuilder;

/** Comparisons as documents, of which all reports and exports are made. */
class ComparisonFileTest extends ComparisonFixture {
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
    for (String program : List.of("client", "server")) {
      assertEquals(70L, row(all, "name", "main (" + program + ".c)").get("time.difference"), all.toString());
    }
    assertEquals(4, Run.of("check", file).out().lines().filter(line -> line.contains(": sound (")).count());
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
}
