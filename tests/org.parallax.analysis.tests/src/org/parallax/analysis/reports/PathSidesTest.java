package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.export.CollapsedStacks;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport.Grouping;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.ReportText;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** The call paths on both sides of the arcs of a path and of waits, and the program's own functions. */
class PathSidesTest {
  private static final int WORLD = 1;
  private static final String LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6";

  @TempDir Path directory;

  private TraceBuilder trace;

  private TracedThread rank(int rank, int ranks) {
    if (trace == null) {
      trace = new TraceBuilder(directory);
    }
    TracedProcess process = trace.process("n", "/opt/p").mpi(7, rank, ranks).library(LIBC);
    return process.thread(0);
  }

  private static String cells(Table table, Row row, String... columns) {
    List<String> cells = new ArrayList<>(List.of(row.name()));
    for (String column : columns) {
      cells.add(String.valueOf(row.values().get(table.column(column))));
    }
    return String.join(" | ", cells);
  }

  private interface Report {
    Table of(ApplicationAnalysis analysis);
  }

  private List<String> rows(Report report, String... columns) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      Table table = report.of(new ApplicationAnalysis(
          SessionBuilder.of(opened).getApplications().get(0)));
      long sum = 0;
      for (Row row : table.rows()) {
        sum += table.totalColumn() < 0 ? 0 : (Long) row.values().get(table.totalColumn());
      }
      assertEquals(table.totalColumn() < 0 ? 0 : table.total(), sum, "rows add up");
      return table.rows().stream().map(row -> cells(table, row, columns)).toList();
    }
  }

  private List<String> path(Grouping by, String... columns) throws TraceException {
    return rows(analysis -> CriticalPathReport.of(
        analysis, Level.PROCEDURE, by, Weight.CPU, null, Progress.NONE), columns);
  }

  /** Rank 0 is late for the first collective, rank 1, in another function, for the second. */
  private void twoCollectives() {
    // 0:  ccccccccccA=ddA...........==
    // 1:  bA........==eeeeeeeeeeeeeeA=
    rank(0, 2).enter(0, "main/compute").leave(100)
        .collective(100, 110, "main/increment/MPI_Allreduce", WORLD, Collective.ALLREDUCE,
            Kind.NO_ROOT, 8, 8)
        .enter(110, "main/compute").leave(130)
        .collective(130, 290, "main/increment/MPI_Allreduce", WORLD, Collective.ALLREDUCE,
            Kind.NO_ROOT, 8, 8);
    rank(1, 2).enter(0, "main/compute").leave(10)
        .collective(10, 120, "main/increment/MPI_Allreduce", WORLD, Collective.ALLREDUCE,
            Kind.NO_ROOT, 8, 8)
        .enter(120, "main/output").leave(260)
        .collective(260, 270, "main/check/MPI_Allreduce", WORLD, Collective.ALLREDUCE,
            Kind.NO_ROOT, 8, 8);
  }

  @Test
  void arcsHaveTheCallPathsOfBothSides() throws TraceException {
    twoCollectives();
    assertEquals(List.of(
        "output | 140 | 0 | main;output | ",
        "compute | 100 | 0 | main;compute | ",
        "Coll: MPI_Allreduce | 30 | 1 | main;increment;MPI_Allreduce | main;check;MPI_Allreduce",
        "Coll: MPI_Allreduce | 20 | 1 | main;increment;MPI_Allreduce | main;increment;MPI_Allreduce"),
        path(Grouping.PATH, "time", "count", "path", "originPath"));
  }

  /** The processes of an application have the numbers that they have in the trace. */
  @Test
  void tablesOfALaterApplicationHaveItsCallPaths() throws TraceException {
    rank(0, 1).enter(0, "main/compute").leave(100);
    TracedProcess other = trace.process("n", "/opt/other");
    int lock = other.syncObject(1, 64);
    other.region("pthread_mutex_lock");
    other.thread(0).enter(0, "main/first/second/compute").leave(90).release(90, lock, 1)
        .enter(90, "main/first/second/compute").leave(160);
    other.thread(1).acquire(20, 95, "main/first/second/pthread_mutex_lock", lock, 2);
    try (Trace opened = Trace.open(trace.write())) {
      ApplicationAnalysis analysis = new ApplicationAnalysis(
          SessionBuilder.of(opened).getApplications().get(1));
      for (Table table : List.of(
          WaitsReport.of(analysis, Level.PROCEDURE, true, null, Progress.NONE),
          DelaysReport.of(analysis, Level.PROCEDURE, null, Progress.NONE),
          CriticalPathReport.of(analysis, Level.PROCEDURE, Grouping.PATH, Weight.CPU, null, Progress.NONE))) {
        assertFalse(table.rows().isEmpty(), table.report());
        String path = table.rows().get(0).values().get(table.column("path")).toString();
        assertTrue(path.startsWith("main;first;second"), () -> path + " in " + table);
      }
    }
  }

  /** The work in the routine of the first collective is that after its wait. */
  @Test
  void delaysHaveTheFunctionsOfBothSides() throws TraceException {
    twoCollectives();
    assertEquals(List.of("output | output | MPI_Allreduce | increment",
        "compute | compute | MPI_Allreduce | increment",
        "MPI_Allreduce | increment | MPI_Allreduce | increment"),
        rows(analysis -> DelaysReport.of(analysis, Level.PROCEDURE, null, Progress.NONE), "function",
            "victimProcedure", "victimFunction"));
  }

  @Test
  void placesTellCallPathsApartIfThereIsARowForEach() throws TraceException {
    twoCollectives();
    try (Trace opened = Trace.open(trace.write())) {
      ApplicationAnalysis analysis = new ApplicationAnalysis(
          SessionBuilder.of(opened).getApplications().get(0));
      assertEquals(List.of("path", "originPath"), keys(analysis, Level.PROCEDURE, Grouping.PATH));
      assertEquals(List.of("where", "path", "originPath"), keys(analysis, Level.PROCESS, Grouping.PATH));
      assertEquals(List.of(), keys(analysis, Level.PROCESS, Grouping.PAIR));
      Table delays = DelaysReport.of(analysis, Level.PROCEDURE, null, Progress.NONE);
      String text = ReportText.print(delays, 10);
      assertTrue(text.contains("main > compute") && !text.contains("called by"), text);
      assertFalse(ReportText.print(DelaysReport.of(analysis, Level.PROCESS, null, Progress.NONE), 10)
          .contains("main > compute"), "a row is a process");
    }
  }

  private static List<String> keys(ApplicationAnalysis analysis, Level level, Grouping by) {
    return CriticalPathReport.of(analysis, level, by, Weight.CPU, null, Progress.NONE).columns().stream()
        .filter(column -> column.role() == Column.Role.KEY).map(Column::key).toList();
  }

  @Test
  void arcsAreGroupedByOperationKindAndPair() throws TraceException {
    twoCollectives();
    assertEquals(List.of("output | 140 | 0 | output | ", "compute | 100 | 0 | compute | ",
        "Coll: MPI_Allreduce in increment | 50 | 2 | increment | check and 1 more"),
        path(Grouping.OPERATION, "time", "count", "function", "originFunction"));
    assertEquals(List.of("output | 140 | n:p[1]", "compute | 100 | n:p[0]", "Coll | 50 | ALL:ALL"),
        path(Grouping.KIND, "time", "where"));
    assertEquals(List.of("output | output | ", "compute | compute | ",
        "Coll: n:p[1]->n:p[0] | increment | check",
        "Coll: n:p[0]->n:p[1] | increment | increment"),
        path(Grouping.PAIR, "function", "originFunction"));
  }

  @Test
  void aReleaseOutsideOfCallsIsInWhatTheThreadWasSeenIn() throws TraceException {
    // 0:  aaaaaaaaaas(R in unlock, not recorded as a call)aaa
    // 1:  L.........==
    trace = new TraceBuilder(directory);
    TracedProcess process = trace.process("n", "/opt/p").library(LIBC);
    int lock = process.syncObject(1, 0xa0);
    process.thread(0).create(0, 10, "main/pthread_create", 1)
        .acquire(10, 11, "main/pthread_mutex_lock", lock, 1).sample(5_000_000, "main/hold")
        .release(8_000_000, lock, 1).sample(10_000_000, "main/hold/libc.so.6:memcpy")
        .join(10_000_000, 12_000_000, "main/pthread_join", 1);
    process.thread(1, 0, "other").threadBegin(10, 0)
        .acquire(1_000_000, 8_100_000, "work/helper/pthread_mutex_lock", lock, 2)
        .sample(9_000_000, "work/helper/libc.so.6:memcpy").release(9_000_000, lock, 2)
        .sample(11_000_000, "work/helper/libc.so.6:memcpy").threadEnd(11_900_000);
    List<String> rows = path(Grouping.PATH, "function", "path", "originPath");
    assertEquals(List.of("Lock: pthread_mutex_lock | helper | work;helper;pthread_mutex_lock"
        + " | main;hold;memcpy"),
        rows.stream().filter(row -> row.startsWith("Lock")).toList());
    assertEquals(List.of("Join: pthread_join | main | main;pthread_join | work;helper;memcpy"),
        rows.stream().filter(row -> row.startsWith("Join")).toList());
  }

  @Test
  void theOwnFunctionIsToldWhereTheLeafIsInALibrary() throws TraceException {
    rank(0, 1).sample(0, "main").sample(10_000_000, "main/solve/libc.so.6:memcpy")
        .sample(20_000_000, "main/solve/libc.so.6:memcpy")
        .sample(30_000_000, "main/report/libc.so.6:memcpy").sample(40_000_000, "main/report")
        .threadEnd(40_000_000);
    assertEquals(List.of("memcpy | 30000000 | solve and 1 more", "report | 10000000 | report"),
        path(Grouping.PAIR, "time", "function"));
  }

  @Test
  void librariesOfTheSystemAreOwnOnlyOfProgramsOfTheSystem() throws TraceException {
    trace = new TraceBuilder(directory);
    for (String executable : List.of("/home/me/p", "/usr/bin/xz")) {
      trace.process("n", executable).library("/usr/lib/x86_64-linux-gnu/liblzma.so.5").library(LIBC)
          .library("/home/me/libown.so").thread(0).sample(0, "main")
          .sample(10_000_000, "main/liblzma.so.5:find/libc.so.6:memcpy")
          .sample(20_000_000, "main/libown.so:own/liblzma.so.5:find").threadEnd(20_000_000);
    }
    try (Trace opened = Trace.open(trace.write())) {
      List<String> functions = new ArrayList<>();
      SessionBuilder.of(opened).getApplications().forEach(application -> {
        Table table = ProfileReport.of(
            new ApplicationAnalysis(application), Level.PROCEDURE, null, Progress.NONE);
        table.rows().stream().filter(row -> (Long) row.values().get(0) > 0).forEach(row ->
            functions.add(application.getName() + ": " + cells(table, row, "function")));
      });
      assertEquals(List.of("p: find | own", "p: memcpy | main", "xz: find | find",
          "xz: memcpy | find"), functions);
    }
  }

  @Test
  void waitsHaveThePathsAndFunctionsOfBothSides() throws TraceException {
    twoCollectives();
    assertEquals(List.of(
        "wait at NxN | n:p[0] | MPI_Allreduce | increment | main;increment;MPI_Allreduce"
            + " | output | output | main;output",
        "wait at NxN | n:p[1] | MPI_Allreduce | increment | main;increment;MPI_Allreduce"
            + " | compute | compute | main;compute",
        "NxN completion | n:p[0] | MPI_Allreduce | increment | main;increment;MPI_Allreduce"
            + " |  |  | ",
        "NxN completion | n:p[1] | MPI_Allreduce | increment | main;increment;MPI_Allreduce"
            + " |  |  | "),
        rows(analysis -> WaitsReport.of(analysis, Level.PROCESS, false, null, Progress.NONE),
            "where", "procedure", "function", "path", "originProcedure", "originFunction",
            "originPath"));
  }

  private String stacks(FlameSubject subject, Level level) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
      StringBuilder text = new StringBuilder();
      CollapsedStacks.of(analysis, subject, level, Weight.CPU, null, Progress.NONE).forEach(
          (stack, ns) -> text.append(String.join(";", stack)).append(' ').append(ns).append('\n'));
      return text.toString();
    }
  }

  @Test
  void theCriticalPathIsAFlameGraphWithTheOriginsOnTop() throws TraceException {
    twoCollectives();
    assertEquals("""
        main;compute 100
        main;increment;MPI_Allreduce;-- Coll;MPI_Allreduce;check;main 30
        main;increment;MPI_Allreduce;-- Coll;MPI_Allreduce;increment;main 20
        main;output 140
        """, stacks(FlameSubject.CRITICAL_PATH, null));
  }

  @Test
  void waitsAreAFlameGraphWithTheCausesOnTop() throws TraceException {
    twoCollectives();
    assertEquals("""
        n:p[0];main;increment;MPI_Allreduce;-- NxN completion 20
        n:p[0];main;increment;MPI_Allreduce;-- wait at NxN, n:p[1];output;main 130
        n:p[1];main;increment;MPI_Allreduce;-- NxN completion 10
        n:p[1];main;increment;MPI_Allreduce;-- wait at NxN, n:p[0];compute;main 90
        """, stacks(FlameSubject.WAITS, Level.PROCESS));
  }

  @Test
  void treesKnowWhichSideAFrameIsOf() throws TraceException {
    twoCollectives();
    try (Trace opened = Trace.open(trace.write())) {
      CallTree tree = CallTree.of(
          new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)),
          FlameSubject.WAITS, Weight.WALL, null, Progress.NONE);
      assertEquals(250, tree.totalNs(Weight.WALL));
      List<String> sides = tree.nodes().stream().map(node -> node.name()
          + (node.isDivider() ? " |" : node.isOfOther() ? " >" : " <")).toList();
      assertEquals(List.of("main <", "increment <", "MPI_Allreduce <", "-- wait at NxN |",
          "output >", "main >", "compute >", "main >", "-- NxN completion |"), sides);
    }
  }
}
