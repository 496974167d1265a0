package org.parallax.analysis.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.GprofReport;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.NptReport;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.reports.WhatIfReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Numbers of source lines that are planted, against call stacks, and against other reports. */
class SourceLinesTest {
  private static final String FILE = "/src/p.c";
  @TempDir Path directory;

  private static ApplicationAnalysis analysis(Trace trace) {
    return new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
  }

  private static SourceLines source(ApplicationAnalysis analysis, TreeNode node) {
    return SourceLines.of(analysis, node, Weight.CPU, EnumSet.allOf(SourceLines.Part.class),
        Progress.NONE);
  }

  /** {@code line: exclusive inclusive samples} of a file. */
  private static Map<Integer, String> times(SourceLines source, String file) {
    Map<Integer, String> times = new TreeMap<>();
    source.lines(file).forEach(line -> times.put(line.line(), line.numbers().exclusiveNs() + " "
        + line.numbers().inclusiveNs() + " " + line.numbers().samples()));
    return times;
  }

  private static SourceLines.Function function(SourceLines source, String name) {
    return source.files().stream().flatMap(file -> source.functions(file).stream())
        .filter(function -> function.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> callers(SourceLines source, String name) {
    return source.callers(function(source, name)).stream()
        .map(call -> call.caller() + ":" + call.line() + " " + call.ns()).toList();
  }

  /** Functions are declared in lines 100, 200, ..., sampled 10 lines below, and call 20 below. */
  @Test
  void linesHaveTheTimeOfTheirSamplesAndCalls() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    process.thread(0).threadBegin(0, -1).sample(10, "main").sample(40, "main/solve")
        .sample(100, "main/solve/solve").sample(105, "main/solve").threadEnd(105);
    try (Trace trace = Trace.open(builder.write())) {
      SourceLines source = source(analysis(trace), null);
      assertEquals(Set.of(FILE), source.files());
      assertEquals(Map.of(110, "10 10 1", 120, "0 95 0", 210, "95 95 3", 220, "0 60 0"),
          times(source, FILE));
      assertEquals(105, source.totalNs());
      assertEquals(List.of("main:120 95", "solve:220 60"), callers(source, "solve"));
      assertEquals(List.of("solve 95"), source.calls(FILE, 120).stream()
          .map(call -> call.callee().name() + " " + call.ns()).toList());
      SourceLines.Function solve = function(source, "solve");
      assertEquals(200, solve.line());
      assertEquals(new SourceLines.Numbers(95, 95, 95, 0, 3, 95), solve.numbers());
      assertEquals("solve", solve.procedure().getName());
    }
  }

  /** Rank 1 computes 30 ms, rank 0 waits for it in a barrier that it calls from line 220. */
  @Test
  void waitsAndThePathInRoutinesStandWhereTheseAreCalled() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory).mpiJob("n", "/opt/p", 2);
    for (int rank = 0; rank < 2; rank++) {
      int work = rank == 0 ? 10 : 30;
      builder.process(rank).path("main/solve");
      builder.process(rank).thread(0).threadBegin(0, -1).sample(work, "main/solve")
          .collective(work, 32, "main/solve/MPI_Barrier", 1, Collective.BARRIER, Kind.NO_ROOT, 0, 0)
          .threadEnd(32);
    }
    try (Trace trace = Trace.open(builder.write())) {
      ApplicationAnalysis analysis = analysis(trace);
      SourceLines source = source(analysis, null);
      SourceLines.Line call = source.lines(FILE).stream()
          .filter(line -> line.line() == 220).findFirst().orElseThrow();
      assertEquals(0, call.numbers().exclusiveNs());
      assertEquals(24, call.numbers().inclusiveNs());
      assertEquals(20, call.numbers().waitNs());
      SourceLines.Line work = source.lines(FILE).stream()
          .filter(line -> line.line() == 210).findFirst().orElseThrow();
      assertEquals(30, work.numbers().pathNs());
      assertEquals(32, source.pathNs());
      // From the last arrival on the path is an arc between the ranks, of no line.
      assertEquals(0, call.numbers().pathNs());
      assertEquals(100.0 * 30 / 32, source.pathPercent(work.numbers()));
      SourceLines.Function solve = function(source, "solve");
      assertEquals(new SourceLines.Numbers(40, 64, 30, 20, 2, 40), solve.numbers());
      // Of rank 0 alone: nothing of the path, as that is with rank 1.
      TreeNode first = ProgramTree.logical(analysis.application()).children().get(0).children()
          .get(0);
      assertEquals(20, function(source(analysis, first), "solve").numbers().waitNs());
      assertEquals(0, SourceLines.of(analysis, null, Weight.CPU, Set.of(), Progress.NONE).pathNs());
    }
  }

  @Test
  void workOfRoutinesOnThePathStandsWhereTheseAreCalled() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    process.thread(0).threadBegin(0, -1).sample(10, "main").enter(10, "main/MPI_Test").leave(14)
        .threadEnd(14);
    try (Trace trace = Trace.open(builder.write())) {
      SourceLines source = source(analysis(trace), null);
      assertEquals(List.of("110 10 10", "120 0 4"), source.lines(FILE).stream().map(line ->
          line.line() + " " + line.numbers().exclusiveNs() + " " + line.numbers().pathNs())
          .toList());
      assertEquals(14, function(source, "main").numbers().pathNs());
    }
  }

  /**
   * Line 7 of p.c calls {@code twice} of p.c, declared in line 2, and {@code size} of list.h, both
   * inlined.
   */
  @Test
  void whatWasInlinedCountsInTheFileOfItsFunction() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    process.thread(0).threadBegin(0, -1).sample(10, "a").sample(30, "b").threadEnd(30);
    int entry = process.path(0, CallPaths.FUNCTION, process.address("b"));
    process.thread(1).threadBegin(0, 0).enter(0, entry).leave(5).threadEnd(5);
    builder.write();
    Path symbols = directory.resolve("symbols");
    String[] parts = Files.readString(symbols).split("(?=\nA\t)");
    StringBuilder text = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      String address = parts[i].lines().filter(line -> line.startsWith("A")).findFirst().get();
      text.append('\n').append(address);
      if (address.endsWith("20") && parts[i].contains("\na\t") | parts[i].contains("F\ta\t")) {
        text.append("\nF\ttwice\t/src/p.c\t3\t2\t1\nF\tmain\t/src/p.c\t7\t5\t0");
      } else {
        text.append("\nF\tsize\t/inc/list.h\t90\t88\t1\nF\tmain\t/src/p.c\t8\t5\t0");
      }
    }
    Files.writeString(symbols, text + "\n");
    try (Trace trace = Trace.open(directory)) {
      ApplicationAnalysis analysis = analysis(trace);
      SourceLines source = source(analysis, null);
      // The instrumented call, whose time is that of a whole function, stands at its declaration.
      assertEquals(Map.of(3, "10 10 1", 5, "5 5 0", 7, "0 10 0", 8, "0 20 0"),
          times(source, FILE));
      assertEquals(Map.of(90, "20 20 1"), times(source, "/inc/list.h"));
      assertEquals(List.of("main:7 10"), callers(source, "twice"));
      assertEquals(5, function(source, "main").numbers().exclusiveNs());
      assertEquals(35, function(source, "main").numbers().inclusiveNs());
      assertEquals(10, function(source, "twice").numbers().exclusiveNs());
      assertEquals("twice", source.lines(FILE).iterator().next().function());
      assertSumsOfProfile(analysis, null);
      // Folded, all of it is of the function that holds it, and of the lines of that function's file.
      SourceLines folded = source(analysis.folded(), null);
      assertEquals(Map.of(3, "10 10 1", 5, "5 5 0", 7, "0 10 0", 8, "20 20 1"),
          times(folded, FILE));
      assertEquals(35, function(folded, "main").numbers().exclusiveNs());
    }
  }

  @Test
  void allTablesTellTheSameOfInlinedFunctions() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    process.thread(0).threadBegin(0, -1).sample(10, "a").threadEnd(10);
    builder.write();
    Path symbols = directory.resolve("symbols");
    String text = Files.readString(symbols);
    Files.writeString(symbols, text.replaceFirst(
        "\nF\t.*", "\nF\twhisk\t/src/p.c\t3\t2\t1\nF\tmain\t/src/p.c\t7\t5\t0"));
    try (Trace trace = Trace.open(directory)) {
      ApplicationAnalysis analysis = analysis(trace);
      for (boolean folds : new boolean[] {false, true}) {
        ApplicationAnalysis told = folds ? analysis.folded() : analysis;
        String name = folds ? "main" : "whisk";
        assertEquals(List.of(name + " 10"), own(ProfileReport.of(
            told, Level.PROCEDURE, null, Progress.NONE), "time"));
        assertEquals(List.of(name + " 10"), own(CriticalPathReport.of(
            told, Level.PROCEDURE, Weight.CPU, null, Progress.NONE), "time"));
        assertEquals(List.of(name + " 10"), own(NptReport.of(
            told, Level.PROCEDURE, Weight.CPU, null, Progress.NONE), "time"));
        assertEquals(List.of(name + " 10"), CallTree.of(told, null, Progress.NONE).nodes().stream()
            .filter(node -> node.timeNs(Weight.WALL) > 0)
            .map(node -> node.name() + " " + node.timeNs(Weight.WALL)).toList());
        Table gprof = GprofReport.of(told, Weight.CPU, null, 0, Progress.NONE);
        assertEquals(List.of(name + " 10"), gprof.rows().stream()
            .filter(row -> row.values().get(gprof.column("role")).equals(GprofReport.SELF)
                && !row.values().get(gprof.column("self")).equals(0L))
            .map(row -> row.name() + " " + row.values().get(gprof.column("self"))).toList());
        assertEquals(List.of(name), WhatIfReport.suggestions(
            told, Weight.CPU, 2, 10, WhatIfReport.Extent.INCLUSIVE, Progress.NONE).stream()
            .map(WhatIfReport.Change::what).toList());
      }
    }
  }

  /** @return the rows with a time of their own */
  private static List<String> own(Table table, String column) {
    return table.rows().stream()
        .filter(row -> !row.values().get(table.column(column)).equals(0L))
        .map(row -> row.name() + " " + row.values().get(table.column(column))).toList();
  }

  /** What the lines of each file must add up to: the profile's procedures of that file. */
  private static void assertSumsOfProfile(ApplicationAnalysis analysis, TreeNode node) {
    SourceLines source = source(analysis, node);
    Table profile = ProfileReport.of(analysis, Level.PROCEDURE, node, Progress.NONE);
    Map<String, Long> expected = new TreeMap<>();
    Map<String, Long> samples = new TreeMap<>();
    for (Row row : profile.rows()) {
      if (row.subject() instanceof Procedure procedure && !procedure.getFile().isEmpty()) {
        expected.merge(procedure.getFile(), (Long) row.values().get(0), Long::sum);
        samples.merge(procedure.getFile(),
            (Long) row.values().get(profile.column("samples")), Long::sum);
        assertTrue(source.functions(procedure.getFile()).stream().anyMatch(function ->
            function.procedure() == procedure
                && function.numbers().exclusiveNs() == (Long) row.values().get(0)
                && function.numbers().inclusiveNs()
                    == (Long) row.values().get(profile.column("inclusive"))) || isEmpty(row),
            () -> "as in the profile: " + row);
      }
    }
    Map<String, Long> found = new TreeMap<>();
    Map<String, Long> foundSamples = new TreeMap<>();
    long pathNs = 0;
    long waitNs = 0;
    for (String file : source.files()) {
      for (SourceLines.Line line : source.lines(file)) {
        found.merge(file, line.numbers().exclusiveNs(), Long::sum);
        foundSamples.merge(file, line.numbers().samples(), Long::sum);
        pathNs += line.numbers().pathNs();
        waitNs += line.numbers().waitNs();
      }
    }
    assertEquals(expected, found);
    assertEquals(samples, foundSamples);
    assertEquals(profile.total(), source.totalNs());
    Table waits = WaitsReport.of(analysis, Level.PROCESS, false, node, Progress.NONE);
    assertTrue(waitNs <= Long.parseLong(waits.parameters().get("waitNs")));
    assertTrue(pathNs <= source.pathNs());
  }

  private static boolean isEmpty(Row row) {
    return row.values().get(0).equals(0L) && row.values().get(3).equals(0L);
  }

  @Test
  void filesAddUpToTheProfileInRandomPrograms() throws TraceException {
    for (long seed = 1; seed <= 10; seed++) {
      Path trace = RandomPrograms.write(seed, directory.resolve("r" + seed), 4, 60);
      try (Trace opened = Trace.open(trace)) {
        ApplicationAnalysis analysis = analysis(opened);
        assertSumsOfProfile(analysis, null);
        TreeNode tree = ProgramTree.logical(analysis.application());
        for (TreeNode machine : tree.children()) {
          assertSumsOfProfile(analysis, machine);
        }
      }
    }
  }

  /** Random stacks of functions and routines, with recursion: each line counts once a stack. */
  @Test
  void linesAreWhatRandomStacksSay() throws TraceException {
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      TraceBuilder builder = new TraceBuilder(directory.resolve("s" + seed));
      TracedProcess process = builder.process("n", "/opt/p");
      for (int i = 0; i < 5; i++) {
        process.path("f" + i);
      }
      Map<Integer, long[]> expected = new TreeMap<>();
      Map<String, Long> calls = new TreeMap<>();
      for (int id = 0; id < 2; id++) {
        TracedThread thread = process.thread(id).threadBegin(0, id - 1);
        long now = 0;
        for (int i = 0; i < 40; i++) {
          List<Integer> stack = new ArrayList<>();
          for (int depth = random.nextInt(6); depth >= 0; depth--) {
            stack.add(random.nextInt(5));
          }
          String names = String.join("/", stack.stream().map(f -> "f" + f).toList());
          long ns = random.nextInt(50);
          boolean routine = random.nextInt(4) == 0;
          if (routine) {
            thread.enter(now, names + "/MPI_Test").leave(now + ns);
          } else {
            thread.sample(now + ns, names);
          }
          now += ns;
          add(expected, calls, stack, routine, ns);
        }
        thread.threadEnd(now);
      }
      try (Trace trace = Trace.open(builder.write())) {
        SourceLines source = source(analysis(trace), null);
        Map<Integer, String> texts = new TreeMap<>();
        expected.forEach((line, sum) -> texts.put(line, sum[0] + " " + sum[1] + " " + sum[2]));
        texts.values().removeIf("0 0 0"::equals);
        assertEquals(texts, times(source, FILE), "seed " + seed);
        Map<String, Long> found = new TreeMap<>();
        for (int line = 120; line <= 520; line += 100) {
          source.calls(FILE, line).forEach(call ->
              found.put(call.line() + " " + call.callee().name(), call.ns()));
        }
        calls.values().removeIf(ns -> ns == 0);
        assertEquals(calls, found, "seed " + seed);
      }
    }
  }

  private static void add(Map<Integer, long[]> expected, Map<String, Long> calls,
      List<Integer> stack, boolean routine, long ns) {
    Set<Integer> lines = new HashSet<>();
    Set<String> arcs = new HashSet<>();
    for (int i = 0; i < stack.size(); i++) {
      boolean leaf = i == stack.size() - 1 && !routine;
      int line = 100 * stack.get(i) + (leaf ? 110 : 120);
      lines.add(line);
      if (!leaf) {
        arcs.add(line + " " + (i + 1 < stack.size() ? "f" + stack.get(i + 1) : "MPI_Test"));
      } else {
        expected.computeIfAbsent(line, k -> new long[3])[0] += ns;
        expected.get(line)[2]++;
      }
    }
    lines.forEach(line -> expected.computeIfAbsent(line, k -> new long[3])[1] += ns);
    arcs.forEach(arc -> calls.merge(arc, ns, Long::sum));
  }

  /** A client and a server of one source: each has a part in its lines. */
  @Test
  void applicationsAddUp() throws TraceException {
    List<Trace> traces = new ArrayList<>();
    List<SourceLines> parts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      TraceBuilder builder = new TraceBuilder(directory.resolve("t" + i));
      builder.process("n", "/opt/p").thread(0).threadBegin(0, -1).sample(10 + i, "main")
          .threadEnd(10 + i);
      traces.add(Trace.open(builder.write()));
    }
    SessionBuilder builder = new SessionBuilder();
    traces.forEach(trace -> builder.add(trace, Progress.NONE));
    LoadedSession session = builder.build();
    for (Application application : session.getApplications()) {
      parts.add(source(new ApplicationAnalysis(application), null));
    }
    SourceLines sum = SourceLines.sum(parts);
    assertEquals(Map.of(110, "21 21 2"), times(sum, FILE));
    assertEquals(21, sum.totalNs());
    assertEquals(21, function(sum, "main").numbers().exclusiveNs());
    traces.forEach(Trace::close);
  }

  @Test
  void theReportAddsUp() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    builder.process("n", "/opt/p").thread(0).threadBegin(0, -1).sample(10, "main")
        .sample(40, "main/solve").threadEnd(50);
    try (Trace trace = Trace.open(builder.write())) {
      Table table = SourceReport.of(analysis(trace), Weight.CPU, null, Progress.NONE);
      assertEquals(List.of("p.c:210", "p.c:110", "p.c:120"),
          table.rows().stream().map(Row::name).toList());
      assertEquals(40, table.total());
      assertEquals(List.of(FILE, 210L, "solve", 30L, 75.0, 30L, 30L, 60.0, 0L, 30L, 1L, 6L, 54L,
          true),
          table.rows().get(0).values());
    }
  }
}
