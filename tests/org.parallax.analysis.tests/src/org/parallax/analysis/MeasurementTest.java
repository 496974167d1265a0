package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.calls.CallTreeReport;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.IntervalsReport;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.time.SampleIntervals;
import org.parallax.analysis.time.TimeCheck;
import org.parallax.analysis.waits.WaitCheck;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/** Sample intervals, call trees and visits of traces whose numbers are known. */
class MeasurementTest {
  @TempDir Path directory;

  /** The values of some columns of each row, after its name. */
  private static List<String> rows(Table table, String... columns) {
    List<String> rows = new ArrayList<>();
    for (Row row : table.rows()) {
      StringBuilder text = new StringBuilder(row.name());
      for (String column : columns) {
        text.append(' ').append(row.values().get(table.column(column)));
      }
      rows.add(text.toString());
    }
    return rows;
  }

  private static ApplicationAnalysis analysis(Trace trace) {
    LoadedSession session = SessionBuilder.of(trace);
    return new ApplicationAnalysis(session.getApplications().get(0));
  }

  /** Samples at 100, 250 and 400; a call from 120 to 200 that lost 30 of it; end at 450. */
  private Path sampled() {
    TraceBuilder trace = new TraceBuilder(directory);
    trace.process("n", "/opt/p").thread(0).threadBegin(0, -1).sample(100, "main/a")
        .enter(120, "main/MPI_Barrier").lost(190, 30).leave(200).sample(250, "main/b")
        .sample(400, "main/a").threadEnd(450);
    return trace.write();
  }

  @Test
  void effectiveIntervalsAreWithoutTheTimeInCalls() throws TraceException {
    try (Trace trace = Trace.open(sampled())) {
      SampleIntervals intervals =
          SampleIntervals.of(trace.processes().get(0).threads().get(0), Progress.NONE);
      assertEquals(3, intervals.count());
      assertEquals(150, intervals.intervalNs(Weight.WALL, 1));
      assertEquals(70, intervals.effectiveNs(Weight.WALL, 1));
      assertEquals(120, intervals.intervalNs(Weight.CPU, 1));
      assertEquals(70, intervals.effectiveNs(Weight.CPU, 1));
      assertEquals(320, intervals.sampledNs(Weight.WALL));
      assertEquals(80, intervals.insideNs(Weight.WALL));
      assertEquals(50, intervals.insideNs(Weight.CPU));
      assertEquals(50, intervals.restNs(Weight.WALL));
      assertEquals(450, intervals.totalNs(Weight.WALL));
      assertEquals(420, intervals.totalNs(Weight.CPU));
      assertEquals(420, intervals.measuredCpuNs());
      Table table =
          IntervalsReport.of(analysis(trace), Weight.WALL, null, -1, 100, Progress.NONE);
      assertEquals(List.of("0 0 100 0 1", "1 100 200 3 2"),
          rows(table, "from", "to", "before", "after"));
      assertEquals("320", table.parameters().get("sampledNs"));
      assertEquals("450", table.parameters().get("totalNs"));
    }
  }

  @Test
  void thePartsAddUpInEveryThreadOfRandomPrograms() throws TraceException {
    for (int seed = 1; seed <= 20; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("random" + seed), 4, 300);
      try (Trace trace = Trace.open(path)) {
        for (ProcessTrace process : trace.processes()) {
          for (ThreadTrace thread : process.threads()) {
            SampleIntervals intervals = SampleIntervals.of(thread, Progress.NONE);
            assertEquals(thread.endNs() - thread.beginNs(), intervals.sumNs(Weight.WALL));
            assertEquals(intervals.measuredCpuNs(), intervals.sumNs(Weight.CPU));
          }
        }
        assertEquals(List.of(), TimeCheck.of(trace, Progress.NONE));
        assertEquals(List.of(), WaitCheck.of(trace.processes(), Progress.NONE));
      }
    }
  }

  /** The thread lost 5 ms of which no event tells. */
  @Test
  void checkTellsOfTimesThatDoNotAddUp() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    builder.process("n", "/opt/p").thread(0).sample(0, "main")
        .event(20_000_000, Kind.CPU, 0, 15_000_000, 0).sample(30_000_000, "main");
    try (Trace trace = Trace.open(builder.write())) {
      List<String> facts =
          TimeCheck.of(trace, Progress.NONE).stream().map(finding -> finding.fact()).toList();
      assertEquals(List.of("p main: its CPU clock showed 25000000 ns, but its events add up to "
          + "30000000 ns"), facts);
    }
  }

  /** main calls a, which is instrumented and too frequent, and b, which is sampled. */
  private Path counted() {
    TraceBuilder trace = new TraceBuilder(directory);
    TracedProcess process = trace.process("n", "/opt/p");
    int main = process.path("main");
    int inMain = process.path(0, CallPaths.RETURN_ADDRESS, process.callSite("main"));
    int a = process.path(inMain, CallPaths.FUNCTION, process.address("a"));
    int counted = process.path(inMain, CallPaths.REGION, process.region("pthread_self"));
    int truncated = process.path(0, CallPaths.REGION, process.region("[call stack not walked]"));
    int flat = process.path(truncated, CallPaths.REGION, process.region("MPI_Test"));
    process.thread(0).threadBegin(0, -1).sample(10, "main").enter(20, a).leave(50).enter(60, a).leave(70)
        .event(70, Kind.THROTTLED, a, 2).enter(80, flat).leave(90).event(100, Kind.SAMPLE, main)
        .event(100, Kind.VISITS, a, 40).event(100, Kind.VISITS, counted, 7)
        .event(100, Kind.VISITS, inMain, 3).event(100, Kind.VISITS, main, 2).threadEnd(100);
    return trace.write();
  }

  @Test
  void visitsAreExactOrAtLeastSoMany() throws TraceException {
    try (Trace trace = Trace.open(counted())) {
      Table table = ProfileReport.of(analysis(trace), Level.PROCEDURE, null, Progress.NONE);
      assertEquals(List.of("main 50 90 3 false false", "a 40 40 42 true true",
          "MPI_Test 10 10 1 true false", "[call stack not walked] 0 10 1 false false",
          "pthread_self 0 0 7 true false"),
          rows(table, "time", "inclusive", "visits", "visitsExact", "throttled"));
    }
  }

  @Test
  void theCallTreeMergesPathsByTheirProcedures() throws TraceException {
    try (Trace trace = Trace.open(counted())) {
      Table table = CallTreeReport.of(analysis(trace), null, 0, Progress.NONE);
      assertEquals(100, table.total());
      assertEquals(List.of("main 0 90 50 3 false main", "a 1 40 40 42 true main;a",
          "pthread_self 1 0 0 7 true main;pthread_self",
          "[call stack not walked] 0 10 0 0 true [call stack not walked]",
          "MPI_Test 1 10 10 1 true [call stack not walked];MPI_Test"),
          rows(table, "depth", "inclusive", "time", "visits", "visitsExact", "path"));
      Table large = CallTreeReport.of(analysis(trace), null, 45, Progress.NONE);
      assertEquals(List.of("main 0 50", "(less) 1 40", "(less) 0 10"),
          rows(large, "depth", "time"));
      assertEquals(large.total(), large.rows().stream()
          .mapToLong(row -> (Long) row.values().get(large.totalColumn())).sum());
      assertTrue(large.rows().size() < table.rows().size());
    }
  }

  @Test
  void theInvertedCallTreeHasTheCallersBelow() throws TraceException {
    try (Trace trace = Trace.open(counted())) {
      Table table = CallTreeReport.of(analysis(trace), null, true, 0, Progress.NONE);
      assertEquals(100, table.total());
      assertEquals(List.of("main 0 50 50 main", "a 0 40 0 a", "main 1 40 40 a;main",
          "MPI_Test 0 10 0 MPI_Test",
          "[call stack not walked] 1 10 10 MPI_Test;[call stack not walked]",
          "pthread_self 0 0 0 pthread_self", "main 1 0 0 pthread_self;main"),
          rows(table, "depth", "inclusive", "time", "path"));
      Table large = CallTreeReport.of(analysis(trace), null, true, 45, Progress.NONE);
      assertEquals(List.of("main 0 50", "(less) 0 50"), rows(large, "depth", "time"));
    }
  }
}
