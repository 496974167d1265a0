package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.WhatIfReport.Change;
import org.parallax.analysis.reports.WhatIfReport.Extent;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** What-if by call paths: a procedure has the time of what it calls. */
class WhatIfTest {
  private static final int ROUNDS = 10;

  @TempDir Path directory;

  /** Two threads in rounds, 30 and 20 each, all of it in one function that both call. */
  private Path rounds() {
    TraceBuilder trace = new TraceBuilder(directory);
    TracedProcess process = trace.process("n", "/opt/p");
    int barrier = process.syncObject(4, 0x10);
    TracedThread slow = process.thread(0).threadBegin(0, -1);
    TracedThread fast = process.thread(1).threadBegin(0, 0);
    for (int i = 0; i < ROUNDS; i++) {
      long begin = 40L * i;
      slow.sample(begin + 30, "main/slow/random").barrier(
          begin + 30, begin + 40, "main/slow/pthread_barrier_wait", barrier, i, 2);
      fast.sample(begin + 20, "main/fast/random").barrier(
          begin + 20, begin + 40, "main/fast/pthread_barrier_wait", barrier, i, 2);
    }
    process.path("main/idle/MPI_Send");
    return trace.write();
  }

  private static long saved(ApplicationAnalysis analysis, String what, double times, Extent extent) {
    return (Long) WhatIfReport.of(analysis, List.of(new Change(what, times)), extent, Weight.CPU,
        Progress.NONE).rows().get(0).values().get(2);
  }

  @Test
  void aFunctionHasTheTimeOfWhatItCalls() throws Exception {
    try (Trace trace = Trace.open(rounds())) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
      // 10, 20 and 30 % faster; below 20 of 30 the other thread is on the path.
      assertEquals(30, saved(analysis, "slow", 1 / 0.9, Extent.INCLUSIVE));
      assertEquals(60, saved(analysis, "slow", 1 / 0.8, Extent.INCLUSIVE));
      assertEquals(100, saved(analysis, "slow", 2, Extent.INCLUSIVE));
      assertEquals(0, saved(analysis, "fast", 2, Extent.INCLUSIVE));
      assertEquals(0, saved(analysis, "slow", 2, Extent.EXCLUSIVE));
      assertEquals(150, saved(analysis, "random", 2, Extent.EXCLUSIVE));
      assertEquals(150, saved(analysis, "main", 2, Extent.INCLUSIVE));
      // All together: the work of "slow" is a part of that of "main", and twice as fast, not four times.
      List<Change> nested = List.of(new Change("main", 2), new Change("slow", 2));
      assertEquals(150L, WhatIfReport.of(analysis, nested, Extent.INCLUSIVE, Weight.CPU, Progress.NONE)
          .rows().get(2).values().get(2));
    }
  }

  @Test
  void timeWithoutAProcessorInAFunctionStays() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    int work = process.path(0, CallPaths.FUNCTION, process.address("work"));
    process.thread(0).threadBegin(0, -1).enter(0, work).lost(100, 60).leave(140);
    try (Trace trace = Trace.open(builder.write())) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
      // 140, of which 60 without a processor
      assertEquals(40L, WhatIfReport.of(analysis, List.of(new Change("work", 2)), Extent.INCLUSIVE, Weight.WALL,
          Progress.NONE).rows().get(0).values().get(2));
    }
  }

  @Test
  void aPartWithoutSamplesIsAnError() throws Exception {
    try (Trace trace = Trace.open(rounds())) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
      assertTrue(refusal(
          analysis, ParameterValues.NONE.with("faster", "slow=2").with("exclusive"))
          .startsWith("\"slow\" has no time of its own: with --exclusive"));
      assertTrue(refusal(analysis, ParameterValues.NONE.with("faster", "idle=2"))
          .startsWith("\"idle\" has no sample"));
    }
  }

  @Test
  void anInlinedFunctionIsNoPartOfItsOwnWhenFolded() throws Exception {
    Path directory = rounds();
    Path symbols = directory.resolve("symbols");
    Files.writeString(symbols, Files.readString(symbols)
        .replace("F\trandom\t", "F\ttwist\t/src/twist.h\t7\t5\t1\nF\trandom\t"));
    try (Trace trace = Trace.open(directory)) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
      ParameterValues twist = ParameterValues.NONE.with("faster", "twist=2");
      assertEquals(1, StandardReport.WHAT_IF.make(analysis,
          ReportRequest.of(StandardReport.WHAT_IF, twist), Progress.NONE).rows().size());
      assertEquals("\"twist\" was inlined: with --fold-inlined, its time is that of the functions "
          + "that contain its code; leave out --fold-inlined",
          refusal(analysis, twist.with("fold-inlined")));
      assertTrue(refusal(analysis, ParameterValues.NONE.with("faster", "idle=2").with("fold-inlined"))
          .startsWith("\"idle\" has no sample"));
    }
  }

  private static String refusal(ApplicationAnalysis analysis, ParameterValues values) {
    ReportRequest request = ReportRequest.of(StandardReport.WHAT_IF, values);
    return assertThrows(ReportException.class,
        () -> StandardReport.WHAT_IF.make(analysis, request, Progress.NONE)).getMessage();
  }
}
