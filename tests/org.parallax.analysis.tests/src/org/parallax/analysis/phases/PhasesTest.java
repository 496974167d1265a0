package org.parallax.analysis.phases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Phases that a program names, and phases that are found in the data. */
class PhasesTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  private static TracedThread phase(TracedThread thread, long fromNs, long toNs, String name) {
    int region = thread.process().phase(name);
    return thread.event(fromNs, Kind.PHASE_BEGIN, region).event(toNs, Kind.PHASE_END, region);
  }

  private static void assertWindow(Window window, long... bounds) {
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < window.count(); i++) {
      found.add(window.beginNs(i));
      found.add(window.endNs(i));
    }
    assertEquals(java.util.Arrays.stream(bounds).boxed().toList(), found);
  }

  /**
   * <pre>
   * time      0    100  200  300  400  500  600  700  800  1000
   * thread 0       |solve----|         |solve----|    |last--
   * thread 1            |solve----|         |solve-|
   * </pre>
   */
  private LoadedSession named() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("named"));
    TracedProcess process = trace.process("node1", "/opt/solver");
    TracedThread first = process.thread(0).threadBegin(0, -1);
    phase(first, 100, 300, "solve");
    phase(first, 500, 700, "solve");
    first.event(800, Kind.PHASE_BEGIN, process.phase("last")).threadEnd(1_000);
    TracedThread second = process.thread(1, 0, "worker").threadBegin(0, 0);
    phase(second, 200, 400, "solve");
    phase(second, 600, 720, "solve");
    second.event(740, Kind.PHASE_END, process.phase("solve")).threadEnd(1_000);
    return SessionBuilder.open(List.of(trace.write()), Progress.NONE);
  }

  @Test
  void aNamedPhaseIsWhereAnyThreadIsInIt() throws Exception {
    LoadedSession session = named();
    try {
      ApplicationAnalysis analysis = new ApplicationAnalysis(session.getApplications().get(0));
      ProgramPhases phases = ProgramPhases.of(analysis, null, Progress.NONE);
      assertEquals(List.of("solve", "last"), phases.names());
      assertWindow(phases.window("solve"), 100, 400, 500, 720);
      assertEquals(2, phases.occurrences("solve"));
      assertWindow(phases.window("solve", 2), 500, 720);
      assertWindow(phases.window("last"), 800, 1_000);
      TreeNode worker = ProgramTree.logical(analysis.application()).children().get(0).children()
          .get(0).children().get(1);
      assertWindow(ProgramPhases.of(analysis, worker, Progress.NONE).window("solve"),
          200, 400, 600, 720);
      Table cpu = MetricsReport.of(analysis.during(new Phase("solve", phases.window("solve"))),
          Level.THREAD, null, Progress.NONE);
      assertEquals(List.of(520L, 520L), cpu.rows().get(2).values());
      Table table = PhasesReport.of(analysis, null, false, Progress.NONE);
      assertEquals(List.of("solve", "last"), table.rows().stream().map(Row::name).toList());
      assertEquals(List.of("named by the program", 2L, 100L, 720L, 520L),
          table.rows().get(0).values());
    } finally {
      SessionBuilder.close(session);
    }
  }

  @Test
  void phasesWithinThemselvesAndInAnyOrder() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("nested"));
    TracedProcess process = trace.process("node1", "/opt/solver");
    int a = process.phase("a");
    int b = process.phase("b");
    process.thread(0).threadBegin(0, -1).event(10, Kind.PHASE_BEGIN, a)
        .event(20, Kind.PHASE_BEGIN, a).event(30, Kind.PHASE_BEGIN, b)
        .event(40, Kind.PHASE_END, a).event(50, Kind.PHASE_END, b).event(60, Kind.PHASE_END, a)
        .threadEnd(100);
    LoadedSession session = SessionBuilder.open(List.of(trace.write()), Progress.NONE);
    try {
      ProgramPhases phases = ProgramPhases.of(
          new ApplicationAnalysis(session.getApplications().get(0)), null, Progress.NONE);
      assertWindow(phases.window("a"), 10, 60);
      assertWindow(phases.window("a", 1), 10, 60);
      assertWindow(phases.window("a", 2), 20, 40);
      assertWindow(phases.window("b"), 30, 50);
    } finally {
      SessionBuilder.close(session);
    }
  }

  /** Samples 1 ms apart: load to 2 s, then solve with some exchange to 7 s, then write. */
  @Test
  void phasesAreProposedWhereTheActivityChanges() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("data")).property("sample-hz", "1000");
    TracedProcess process = trace.process("node1", "/opt/solver");
    Random random = new Random(5);
    for (int number = 0; number < 2; number++) {
      TracedThread thread = process.thread(number, number - 1, "t" + number)
          .threadBegin(0, number - 1);
      for (int ms = 1; ms <= 10_000; ms++) {
        String name = ms <= 2_000 ? "load" : ms > 7_000 ? "write"
            : random.nextInt(4) == 0 ? "exchange" : "solve";
        thread.sample(ms * MS, "main/" + name);
      }
    }
    LoadedSession session = SessionBuilder.open(List.of(trace.write()), Progress.NONE);
    try {
      ApplicationAnalysis analysis = new ApplicationAnalysis(session.getApplications().get(0));
      List<Phase> phases = ProposedPhases.of(analysis, null, Progress.NONE);
      assertEquals(3, phases.size(), phases.toString());
      assertEquals(0, phases.get(0).window().beginNs());
      assertEquals(2_000.0 * MS, phases.get(1).window().beginNs(), 50.0 * MS);
      assertEquals(phases.get(0).window().endNs(), phases.get(1).window().beginNs());
      assertEquals(7_000.0 * MS, phases.get(2).window().beginNs(), 50.0 * MS);
      assertEquals(10_000 * MS, phases.get(2).window().endNs());
      assertTrue(phases.get(0).name().matches("load (99|100) %"), phases.get(0).name());
      assertTrue(phases.get(1).name().matches("solve 7[3-7] %"), phases.get(1).name());
      assertTrue(phases.get(2).name().matches("write (99|100) %"), phases.get(2).name());
    } finally {
      SessionBuilder.close(session);
    }
  }

  /** A program that does the same all the time, by chance in one order or another, is one phase. */
  @Test
  void noiseIsNoChange() throws Exception {
    int several = 0;
    for (long seed = 1; seed <= 20; seed++) {
      TraceBuilder trace = new TraceBuilder(directory.resolve("noise" + seed))
          .property("sample-hz", "1000");
      Random random = new Random(seed);
      TracedThread thread = trace.process("node1", "/opt/solver").thread(0).threadBegin(0, -1);
      for (int ms = 1; ms <= 4_000; ms++) {
        thread.sample(ms * MS, "main/f" + random.nextInt(6));
      }
      LoadedSession session = SessionBuilder.open(List.of(trace.write()), Progress.NONE);
      try {
        several += ProposedPhases.of(new ApplicationAnalysis(session.getApplications().get(0)),
            null, Progress.NONE).size() > 1 ? 1 : 0;
      } finally {
        SessionBuilder.close(session);
      }
    }
    assertTrue(several <= 1, several + " of 20");
  }
}
