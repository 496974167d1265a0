package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/** Names that nothing has, times at which nothing ran, and runs that did not meet: a message each. */
class BadInputTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  private Path solver;

  @BeforeEach
  void write() {
    solver = trace("solver", 0);
  }

  /** Of 10 ms. */
  private Path trace(String name, long beginNs) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name));
    TracedProcess process = builder.process("node1", "/opt/" + name).start(beginNs);
    int step = process.phase("step");
    process.thread(0).threadBegin(beginNs, -1).sample(beginNs + MS, "main/compute")
        .event(beginNs + MS, Kind.PHASE_BEGIN, step)
        .create(beginNs + 2 * MS, beginNs + 3 * MS, "main/pthread_create", 1)
        .event(beginNs + 9 * MS, Kind.PHASE_END, step).sample(beginNs + 10 * MS, "main/finish");
    process.thread(1, 0, "helper").threadBegin(beginNs + 3 * MS, 0)
        .sample(beginNs + 5 * MS, "assist").threadEnd(beginNs + 5 * MS);
    return builder.write();
  }

  private static void assertAnswers(String answer, Object... line) {
    Run run = Run.of(line);
    assertTrue(run.status() == 1 || run.status() == 2, () -> List.of(line) + " " + run);
    assertEquals("", run.out(), "never a table");
    assertTrue(run.err().startsWith("parallax: ") && run.err().contains(answer),
        () -> List.of(line) + ": " + run.err());
  }

  private void assertReport(String answer, String kind, String... options) {
    List<Object> line = new ArrayList<>(List.of("report", kind, solver));
    line.addAll(List.of(options));
    assertAnswers(answer, line.toArray());
  }

  @Test
  void namesAreAnsweredWithNearOnes() {
    assertReport("did you mean profile?", "profle");
    assertReport("there is no application \"sovler\"; did you mean solver?", "profile", "--app",
        "sovler");
    assertReport("there is no \"nod1\" in solver; did you mean node1?", "profile", "--node", "nod1");
    assertReport("there is no \"slver\" in node1; did you mean solver?", "waits", "--node",
        "node1/slver");
    assertReport("there is no \"helpr\" in solver; did you mean helper?", "metrics", "--node",
        "node1/solver/helpr");
    assertReport("there is no \"asist\" in helper; did you mean assist?", "npt", "--node",
        "node1:solver:helper:asist");
    assertReport("there is no \"x\" in assist", "npt", "--node", "node1/solver/helper/assist/x");
    assertReport("there is no phase \"stpe\" in solver; did you mean step?", "slack", "--phase",
        "stpe");
    assertReport("there is no phase \"step[2]\": it occurs 1 time", "gprof", "--phase", "step[2]");
    assertReport("did you mean compute?", "what-if", "--faster", "comptue=2");
    assertReport("there is no metric \"cpuu\"; did you mean cpu?", "histogram", "--metric", "cpuu");
    assertReport("did you mean Send?", "events", "--kind", "Snd");
    assertReport("no process has a thread with the number 7; the numbers are: 0, 1", "intervals",
        "--thread", "7");
    assertReport("cannot be \"proces\"; did you mean process?", "profile", "--level", "proces");
    assertReport("cannot be \"wal\"; did you mean wall?", "paths", "--weight", "wal");
    assertReport("cannot be \"globl\"; did you mean global?", "profile", "--scope", "globl");
    assertReport("cannot be \"strt\"; did you mean start?", "histogram", "--align", "strt");
    assertReport("cannot be \"waek\"; did you mean weak?", "efficiency", "--scaling", "waek");
    assertReport("cannot be \"jsn\"; did you mean json?", "profile", "--format", "jsn");
    assertAnswers("did you mean collapsed?", "export", "colapsed", solver);
    assertAnswers("did you mean solver?", "export", "chrome", solver, "--app", "sovler");
    assertAnswers("did you mean node1?", "export", "collapsed", solver, "--node", "nde1");
    assertAnswers("did you mean step?", "export", "chrome", solver, "--phase", "setp");
    assertAnswers("Did you mean " + solver, "export", "flamegraph", solver, "--base",
        directory.resolve("sovler"));
    assertAnswers("Did you mean " + solver, "info", directory.resolve("sovler"));
    assertAnswers("did you mean solver?", "compare", solver, solver, "--app", "sovler");
    assertAnswers("there is no report and no trace \"profle\"; did you mean profile?", "compare",
        "profle", solver, solver);
    assertAnswers("did you mean time?", "compare", solver, solver, "--column", "tiem");
    Path file = directory.resolve("s.parallax");
    Run.of("session", file, "--replay", solver);
    assertAnswers("there is no run \"sovler\"; did you mean solver?", "session", file, "--remove",
        "sovler");
  }

  @Test
  void timesAreThoseOfTheRun() {
    for (StandardReport report : StandardReport.values()) {
      if (report != StandardReport.PHASES && report != StandardReport.INTERVALS) {
        assertReport("is outside of the run, which took 10.000 ms", report.id(), "--phase",
            "11ms..");
        assertReport("is outside of the run, which took 10.000 ms", report.id(), "--phase",
            "..0s");
        assertReport("ends before it begins", report.id(), "--phase", "80%..20%");
        assertReport("is not a phase", report.id(), "--phase", "1..2");
      }
    }
    assertReport("is outside of the run, which took 10.000 ms", "events", "--at", "11ms");
    assertAnswers("is outside of the run", "export", "chrome", solver, "--phase", "1s..2s");
    assertAnswers("is outside of the run", "compare", solver, solver, "--phase", "1s..2s");
    Path later = trace("later", 5 * MS);
    assertAnswers("is outside of the run of later, which lasts from 5.000 ms to 15.000 ms",
        "report",
        "profile", solver, later, "--phase", "1ms..4ms");
    assertEquals(0, Run.of("report", "profile", solver, later, "--phase", "1ms..4ms", "--app",
        "solver").status());
  }

  @Test
  void runsThatDidNotMeetHaveNothingInCommon() {
    Path later = trace("later", 1_000 * MS);
    for (StandardReport report : StandardReport.values()) {
      assertAnswers("the clocks of the traces do not overlap: no other application ran while",
          "report",
          report.id(), solver, later, "--scope", "global");
      if (report.subject() == ReportKind.Subject.PATHS) {
        assertAnswers("do not overlap", "report", report.id(), solver, later, "--scope", "inter");
      } else {
        assertAnswers("--scope inter is only for path reports",
            "report", report.id(), solver, later,
            "--scope", "inter");
      }
    }
    assertAnswers("do not overlap", "export", "chrome", solver, later, "--scope", "global");
    Path file = directory.resolve("s.parallax");
    Run.of("session", file, "--replay", solver, "--replay", later);
    assertAnswers("do not overlap", "report", "critical-path", file, "--scope", "global");
    assertEquals(0, Run.of("report", "profile", file).status());
  }
}
