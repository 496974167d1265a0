package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/**
 * Every report of every level and node of the trees of two applications that ran on the same two
 * machines: a table whose parts add up to those of what is above them, or a message.
 */
class NodesAndLevelsTest {
  private static final long MS = 1_000_000;
  private static final List<String> LEVELS = Parameter.LEVEL.allowed();
  private static final List<String> SERVER = List.of("--app", "server");
  private static final List<String> CLIENT = List.of("--app", "client");
  private static final List<String> ALL = List.of("--scope", "global");
  private static final List<String> INTER = List.of("--scope", "inter", "--app", "client");

  @TempDir Path directory;

  private Path server;
  private Path client;

  /** Each rank is on a machine of its own; the client asks the server. */
  @BeforeEach
  void writeTraces() {
    server = application("server", 0x1000);
    client = application("client", 0x2000);
  }

  private Path application(String name, long job) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name));
    boolean asks = name.equals("client");
    for (int rank = 0; rank < 2; rank++) {
      TracedProcess process =
          builder.process("node" + (rank + 1), "/opt/" + name).mpi(job, rank, 2);
      process.region("send");
      process.region("recv");
      int step = process.phase("step");
      int request = process.stream(3, 500 + rank, "request");
      var main = process.thread(0).threadBegin(0, -1).sample(MS, "main/read_input")
          .create(MS, MS + 100, "main/pthread_create", 1)
          .event(2 * MS, Kind.PHASE_BEGIN, step).sample(3 * MS, "main/solve/inner");
      if (rank == 0) {
        main.send(4 * MS, 4 * MS + 500, "main/solve/MPI_Send", 1, 1, 7, 64);
      } else {
        main.receive(3 * MS + 10, 4 * MS + 700, "main/solve/MPI_Recv", 1, 0, 7, 64);
      }
      main.sample(6 * MS, "main/solve").event(6 * MS, Kind.PHASE_END, step)
          .join(6 * MS, (8 + rank) * MS, "main/pthread_join", 1).sample(9 * MS + rank, "main/finish")
          .threadEnd(9 * MS + rank);
      var worker = process.thread(1, 0, "worker").threadBegin(MS + 200, 0);
      if (asks) {
        worker.sample(2 * MS, "work").write(2 * MS, 2 * MS + 50, "work/send", request, 0, 10);
      } else {
        worker.read(MS + 300, 2 * MS + 90, "work/recv", request, 0, 10);
      }
      worker.sample((7 + rank) * MS, "work/inner").threadEnd((7 + rank) * MS);
      if (rank == 0) {
        process.thread(2, 0, "worker").threadBegin(3 * MS, 0).sample(5 * MS, "work")
            .threadEnd(5 * MS);
      }
    }
    return builder.write();
  }

  private Run run(StandardReport report, List<String> scope, String... options) {
    List<Object> line =
        new ArrayList<>(List.of("report", report.id(), server, client, "--format", "json"));
    line.addAll(scope);
    line.addAll(List.of(options));
    switch (report) {
      case HISTOGRAM -> line.addAll(List.of("--metric", "cpu", "--bins", "7"));
      case EVENTS -> line.addAll(List.of("--count", "1000000"));
      default -> { }
    }
    return Run.of(line.toArray());
  }

  private Map<String, Object> table(StandardReport report, List<String> scope, String... options) {
    Run run = run(report, scope, options);
    assertEquals(0, run.status(), () -> report.id() + scope + List.of(options) + run.err());
    return Json.object(run.out());
  }

  /** Nodes by their level; below a machine each is named as tables print it. */
  private Map<String, List<String>> nodes(List<String> scope) {
    Map<String, List<String>> nodes = new LinkedHashMap<>();
    for (String level : LEVELS.subList(1, 4)) {
      nodes.put(level, children(scope, level));
    }
    for (String thread : nodes.get("thread")) {
      for (Map<?, ?> row : rows(table(StandardReport.PROFILE, scope, "--node", thread))) {
        nodes.computeIfAbsent("procedure", k -> new ArrayList<>())
            .add(thread + "/" + row.get("name"));
      }
    }
    return nodes;
  }

  private List<String> children(List<String> scope, String level, String... node) {
    List<String> options = new ArrayList<>(List.of("--level", level));
    options.addAll(List.of(node));
    List<String> keys = new ArrayList<>();
    rows(table(StandardReport.METRICS, scope, options.toArray(String[]::new))).get(0).keySet()
        .forEach(key -> keys.add((String) key));
    return keys.subList(2, keys.size());
  }

  private static List<Map<?, ?>> rows(Map<String, Object> table) {
    List<Map<?, ?>> rows = new ArrayList<>();
    ((List<?>) table.get("rows")).forEach(row -> rows.add((Map<?, ?>) row));
    return rows;
  }

  private static List<List<String>> scopes(StandardReport report) {
    return report.subject() == ReportKind.Subject.PATHS ? List.of(SERVER, CLIENT, ALL, INTER) : List.of(SERVER, CLIENT, ALL);
  }

  /** x for a table, - for a message that tells why not; the same in all scopes. */
  private String mark(StandardReport report, List<List<String>> lines) {
    String marks = "";
    for (List<String> line : lines) {
      Run run = run(report, line);
      String mark = run.status() == 0 ? "x" : "-";
      if (run.status() == 0) {
        assertTrue(run.out().contains("\"rows\""), run::out);
      } else {
        assertEquals("", run.out());
        assertTrue(run.err().startsWith("parallax: report " + report.id()), run::err);
      }
      marks = marks.contains(mark) ? marks : marks + mark;
    }
    return marks;
  }

  private static List<String> line(List<String> scope, String... options) {
    List<String> line = new ArrayList<>(scope);
    line.addAll(List.of(options));
    return line;
  }

  @Test
  void whatThereIsATableOf() {
    StringBuilder matrix = new StringBuilder();
    Map<List<String>, Map<String, List<String>>> nodes = new LinkedHashMap<>();
    List.of(SERVER, CLIENT, ALL, INTER).forEach(scope ->
        nodes.put(scope, nodes(scope.equals(INTER) ? CLIENT : scope)));
    for (StandardReport report : StandardReport.values()) {
      matrix.append(String.format("%-14s", report.id()));
      for (String level : LEVELS) {
        matrix.append(mark(report, scopes(report).stream()
            .map(scope -> line(scope, "--level", level)).toList()));
      }
      matrix.append(' ');
      for (String level : LEVELS.subList(1, 5)) {
        List<List<String>> lines = new ArrayList<>();
        for (List<String> scope : scopes(report)) {
          nodes.get(scope).get(level).forEach(node -> lines.add(line(scope, "--node", node)));
        }
        matrix.append(mark(report, lines));
      }
      matrix.append('\n');
    }
    // Levels: application, machine, process, thread, procedure. Nodes: the same from machine on.
    assertEquals("""
        metrics       xxxx- xxx-
        profile       xxxxx xxxx
        critical-path xxxxx xxxx
        calltree      ----- xxxx
        source        ----- xxxx
        npt           xxxxx xxxx
        gprof         ----- xxxx
        what-if       ----- ----
        slack         xxxx- xxx-
        paths         xxxx- ----
        histogram     xxxx- xxx-
        events        ----- xxx-
        phases        ----- xxx-
        intervals     ----- xxx-
        waits         xxxxx xxxx
        delays        xxxxx xxxx
        balance       ----- xxxx
        comm          xxxx- xxx-
        clocks        ----- xxx-
        intrusion     xxxxx xxxx
        efficiency    ----- ----
        """, matrix.toString());
  }

  /** What of a table adds up. */
  private static Map<String, Long> amounts(StandardReport report, Map<String, Object> table) {
    Map<String, Long> amounts = new TreeMap<>();
    for (Map<?, ?> row : rows(table)) {
      switch (report) {
        case METRICS -> {
          String name = (String) row.get("name");
          if (!List.of("Elapsed time", "Wait time per barrier").contains(name)) {
            row.forEach((key, value) -> add(amounts, name, value));
          }
        }
        case HISTOGRAM -> row.forEach((key, value) ->
            add(amounts, "cpu", key.equals("from") || key.equals("to") ? 0 : value));
        case SLACK -> {
          add(amounts, "time", row.get("time"));
          add(amounts, "arcs", row.get("arcs"));
          add(amounts, "critical", row.get("critical"));
        }
        case PATHS -> add(amounts, "path " + row.get("name"), row.get("length"));
        case GPROF -> add(amounts, "self", row.get("role").equals("self") ? row.get("self") : 0);
        case EVENTS -> add(amounts, "events", 1);
        case COMM -> add(amounts, "bytes", row.get("bytes"));
        case CLOCKS -> add(amounts, "messages", row.get("messages"));
        case INTERVALS -> add(amounts, "intervals", row.get("after"));
        default -> add(amounts, "time", row.get("time"));
      }
    }
    Object total = table.get("total");
    if (total != null) {
      assertEquals(total, amounts.values().stream().mapToLong(Long::longValue).sum(), report.id());
    }
    return amounts;
  }

  private static void add(Map<String, Long> amounts, String name, Object value) {
    if (value instanceof Number number) {
      amounts.merge(name, number.longValue(), Long::sum);
    }
  }

  private Map<String, Long> amounts(StandardReport report, List<String> scope, List<String> nodes) {
    Map<String, Long> sums = new TreeMap<>();
    nodes.forEach(node -> amounts(report, table(report, scope, "--node", node))
        .forEach((name, amount) -> sums.merge(name, amount, Long::sum)));
    sums.values().removeIf(value -> value == 0);
    return sums;
  }

  /** NPT rounds each part to nanoseconds. */
  private static void assertSame(
      StandardReport report, Map<String, Long> expected, Map<String, Long> actual, String what) {
    Map<String, Long> whole = new TreeMap<>(expected);
    whole.values().removeIf(value -> value == 0);
    if (report != StandardReport.NPT) {
      assertEquals(whole, actual, () -> report.id() + " " + what);
      return;
    }
    assertEquals(whole.getOrDefault("time", 0L), actual.getOrDefault("time", 0L), 10,
        report.id() + " " + what);
  }

  @Test
  void theLevelsOfATableAddUpToTheSame() {
    for (StandardReport report : StandardReport.values()) {
      for (List<String> scope : scopes(report)) {
        Map<String, Long> whole = null;
        for (String level : LEVELS) {
          Run run = run(report, scope, "--level", level);
          if (run.status() == 0) {
            Map<String, Long> amounts = amounts(report, Json.object(run.out()));
            whole = whole == null ? amounts : whole;
            assertTrue(!whole.isEmpty(), report.id() + scope);
            assertEquals(whole, amounts, report.id() + scope + level);
          }
        }
      }
    }
  }

  @Test
  void theNodesBelowANodeAddUpToIt() {
    for (StandardReport report : StandardReport.values()) {
      if (report == StandardReport.PHASES || report == StandardReport.WHAT_IF || report == StandardReport.PATHS
          || report == StandardReport.EFFICIENCY) {
        continue;
      }
      if (report == StandardReport.COMM || report == StandardReport.CLOCKS) {
        continue;  // what goes from one node to another is of both
      }
      for (List<String> scope : List.of(SERVER, CLIENT, ALL)) {
        List<String> machines = children(scope, "machine");
        assertEquals(List.of("node1", "node2"), machines);
        assertSame(report, amounts(report, table(report, scope)), amounts(report, scope, machines),
            "of all");
        for (String machine : machines) {
          List<String> processes = children(scope, "process", "--node", machine);
          assertEquals(scope == ALL ? 2 : 1, processes.size(), processes::toString);
          assertSame(report, amounts(report, scope, List.of(machine)),
              amounts(report, scope, processes), "of " + machine);
          for (String process : processes) {
            List<String> threads = children(scope, "thread", "--node", process);
            assertEquals(machine.equals("node1") ? 3 : 2, threads.size(), threads::toString);
            assertSame(report, amounts(report, scope, List.of(process)),
                amounts(report, scope, threads), "of " + process);
          }
        }
      }
    }
  }

  @Test
  void proceduresOfAThreadAddUpToIt() {
    for (List<String> scope : List.of(SERVER, ALL)) {
      for (String thread : nodes(scope).get("thread")) {
        List<Map<?, ?>> profile = rows(table(StandardReport.PROFILE, scope, "--node", thread));
        List<String> procedures =
            profile.stream().map(row -> thread + "/" + row.get("name")).toList();
        for (StandardReport report : List.of(StandardReport.PROFILE, StandardReport.NPT, StandardReport.WAITS)) {
          assertSame(report, amounts(report, scope, List.of(thread)),
              amounts(report, scope, procedures), thread);
        }
        long work = 0;
        for (Map<?, ?> row : rows(table(StandardReport.CRITICAL_PATH, scope, "--node", thread))) {
          work += row.get("kind").equals("CPU") ? (Long) row.get("time") : 0;
        }
        assertEquals(work, amounts(StandardReport.CRITICAL_PATH, scope, procedures)
            .getOrDefault("time", 0L), thread);
        for (Map<?, ?> row : profile) {
          String node = thread + "/" + row.get("name");
          assertEquals(row.get("inclusive"),
              table(StandardReport.CALLTREE, scope, "--node", node).get("total"), node);
          Map<String, Long> self = amounts(StandardReport.GPROF, table(StandardReport.GPROF, scope, "--node", node,
              "--weight", "wall"));
          assertEquals(row.get("time"), self.get("self"), node);
        }
      }
    }
  }

  @Test
  void phasesAreThoseOfTheNodesThreads() {
    for (String node : nodes(SERVER).get("thread")) {
      List<Map<?, ?>> phases = rows(table(StandardReport.PHASES, SERVER, "--node", node));
      assertEquals(node.contains("worker") ? 0 : 1, phases.size(), node);
    }
  }

  @Test
  void applicationsThatLackANodeAreLeftOut() {
    Run run = Run.of("report", "metrics", server, client, "--node", "node1/client[0]");
    assertTrue(run.out().startsWith("Metrics (client)") && !run.out().contains("server"), run::out);
    Run none = Run.of("report", "metrics", server, client, "--node", "node1/cleint[0]");
    assertEquals(1, none.status());
    assertTrue(none.err().contains("there is no \"cleint[0]\" in node1; choose from: server[0]")
        || none.err().contains("did you mean client[0]?"), none::err);
    Run level = Run.of("report", "metrics", server, client, "--node", "node1", "--level",
        "application");
    assertTrue(level.out().contains("Metrics (server)") && level.out().contains("Metrics (client)"),
        level::out);
  }

  @Test
  void severalApplicationsAreSaidToBeSeveralInTheFirstLine() {
    String first = "2 applications, each by itself: server, client; --scope global joins them\n\n";
    for (String kind : List.of("profile", "waits", "critical-path", "histogram")) {
      String told = Run.of("report", kind, server, client).out();
      assertTrue(told.startsWith(first), told);
    }
    for (List<String> joined : List.of(List.of("--scope", "global"), List.of("--app", "client"),
        List.of("--node", "node1/client[0]"))) {
      List<Object> line = new ArrayList<>(List.of("report", "profile", server, client));
      line.addAll(joined);
      String told = Run.of(line.toArray()).out();
      assertTrue(!told.contains("joins them") && told.startsWith("Profile"), told);
    }
    assertTrue(!Run.of("report", "profile", server).out().contains("joins"));
  }
}
