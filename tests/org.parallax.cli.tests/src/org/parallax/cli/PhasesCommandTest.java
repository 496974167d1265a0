package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Phases by name on the command line. */
class PhasesCommandTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  private Path trace;

  /** Load to 400 ms, then solve; in it, twice, a phase of the program. */
  @BeforeEach
  void write() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run1")).property("sample-hz", "1000");
    TracedProcess process = builder.process("node1", "/opt/solver");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    int step = process.phase("step");
    for (int ms = 1; ms <= 1_000; ms++) {
      thread.sample(ms * MS, ms <= 400 ? "main/load" : "main/solve");
      if (ms == 500 || ms == 700) {
        thread.event(ms * MS, Kind.PHASE_BEGIN, step);
      } else if (ms == 600 || ms == 900) {
        thread.event(ms * MS, Kind.PHASE_END, step);
      }
    }
    trace = builder.write();
  }

  @Test
  void text() {
    Run run = Run.of("report", "phases", trace, "--propose");
    assertEquals("""
        Phases (solver)

        phase        what                  occurrences  begin [ms]  end [s]  time [ms]
        step         named by the program            2     500.000    0.900    300.000
        proposed[1]  load 100 %                      1       0.000    0.400    400.000
        proposed[2]  solve 100 %                     1     400.000    1.000    600.000
        """, run.out());
  }

  @Test
  void machineFormats() {
    assertEquals("name,what,occurrences,begin,end,time\r\n"
        + "step,named by the program,2,500000000,900000000,300000000\r\n",
        Run.of("report", "phases", trace, "--format", "csv").out());
    Map<?, ?> object = Json.object(Run.of("report", "phases", trace, "--format", "json").out());
    assertEquals("step", ((Map<?, ?>) ((List<?>) object.get("rows")).get(0)).get("name"));
  }

  private String cpu(String phase) {
    Run run = Run.of("report", "metrics", trace, "--phase", phase, "--format", "csv");
    assertEquals(0, run.status(), run::err);
    return run.out().lines().filter(line -> line.startsWith("CPU time")).findFirst().orElse("");
  }

  @Test
  void reportsOfAPhase() {
    assertEquals("CPU time,ns,300000000", cpu("step").replace("\r", ""));
    assertEquals("CPU time,ns,200000000", cpu("step[2]"));
    assertEquals("CPU time,ns,600000000", cpu("proposed[2]"));
    Run profile = Run.of("report", "profile", trace, "--phase", "proposed[1]", "--format", "csv");
    assertTrue(profile.out().contains("load,"), profile.out());
    assertTrue(!profile.out().contains("solve,"), profile.out());
    Run histogram = Run.of("report", "histogram", trace, "--phase", "step", "--metric", "cpu",
        "--bins", "4", "--format", "csv");
    assertEquals("name,from,to,cpu solver\r\n0,500000000,600000000,100000000\r\n"
        + "1,600000000,700000000,0\r\n2,700000000,800000000,100000000\r\n"
        + "3,800000000,900000000,100000000\r\n", histogram.out());
  }

  private void assertFails(String phase, String message) {
    Run run = Run.of("report", "profile", trace, "--phase", phase);
    assertTrue(run.status() != 0);
    assertEquals("", run.out());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void whatIsNoPhase() {
    assertFails("stpe", "there is no phase \"stpe\" in solver; did you mean step? Or give a time interval");
    assertFails("step[3]", "there is no phase \"step[3]\": it occurs 2 times, counted from 1");
    assertFails("proposed[9]", "2 phases are proposed, counted from 1");
    assertFails("2s..", "is outside of the run, which took 1.000 s");
    assertFails("1s..5", "is not a phase");
  }
}
