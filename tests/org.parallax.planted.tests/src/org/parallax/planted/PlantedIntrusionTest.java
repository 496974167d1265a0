package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.reports.IntrusionReport;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.SessionBuilder;
import org.parallax.testing.QuietMachine;
import org.parallax.testing.QuietMachine.WrongTime;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** A program of two million events of known kind: the estimate is what they really add to its CPU time. */
class PlantedIntrusionTest {
  private static final int LOCKS = 1_000_000;
  private static final int RUNS = 3;
  /** Of the estimate; other programs have a part in what caches and memory cost. */
  private static final double TOLERANCE = 0.4;

  @TempDir
  Path directory;

  private long cpuNs(List<String> options) throws Exception {
    Path times = directory.resolve("times");
    List<String> line = new ArrayList<>(List.of(Recording.NATIVE.resolve("parallax-record").toString(),
        "--quiet", "--times", times.toString()));
    line.addAll(options);
    line.addAll(List.of("--", Recording.NATIVE.resolve("programs/bench_events").toString(), "locks",
        Integer.toString(LOCKS)));
    Process process = new ProcessBuilder(line).redirectErrorStream(true)
        .redirectOutput(directory.resolve("output").toFile()).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it ends");
    assertEquals(0, process.exitValue(), Files.readString(directory.resolve("output")));
    return Long.parseLong(Files.readString(times).strip().split(" ")[1]);
  }

  @Test
  void theEstimateIsWhatTheEventsAdd() throws Exception {
    QuietMachine.measure(this::measure);
  }

  private void measure(int attempt) throws Exception {
    long plain = Long.MAX_VALUE;
    long recorded = Long.MAX_VALUE;
    long estimate = 0;
    for (int run = 0; run < RUNS; run++) {
      Path trace = directory.resolve("trace" + attempt + "-" + run);
      plain = Math.min(plain, cpuNs(List.of("--no-agent")));
      long ns = cpuNs(List.of("-o", trace.toString()));
      if (ns < recorded) {
        recorded = ns;
        estimate = estimateNs(trace);
      }
    }
    long added = recorded - plain;
    if (Math.abs(added - estimate) > TOLERANCE * added) {
      throw new WrongTime("the events added " + added + " ns, the estimate is " + estimate + " ns");
    }
  }

  private static long estimateNs(Path path) throws Exception {
    try (Trace trace = Trace.open(path)) {
      ApplicationAnalysis analysis =
          new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
      Table table = IntrusionReport.of(analysis, Level.THREAD, null, Progress.NONE);
      assertTrue(table.warnings().isEmpty(), () -> table.warnings() + ": " + trace.manifest().values());
      assertEquals(1, table.rows().size());
      long count = (Long) table.rows().get(0).values().get(table.column("count"));
      // An Acquire and a Release each; the rest are samples, losses and the output.
      assertEquals(2.0 * LOCKS, count, 0.01 * LOCKS);
      assertEquals("above 5 %", table.rows().get(0).values().get(table.column("mark")));
      return table.total();
    }
  }
}
