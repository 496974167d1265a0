package org.parallax.analysis.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.PhaseDifferences.Occurrence;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.replay.WaitState;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Which waits and which occurrences of phases count as longer or shorter. */
class WaitAndPhaseDifferencesTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  /** Runs whose threads were in a wait for so many milliseconds. */
  private static List<long[]> waits(WaitState state, long... ms) {
    return Arrays.stream(ms).mapToObj(each -> {
      long[] sums = new long[WaitState.values().length];
      sums[state.ordinal()] = each * MS;
      return sums;
    }).toList();
  }

  private static Change change(List<long[]> base, List<long[]> other) {
    return WaitDifferences.of(base, other, 0.95, 5 * MS).of(WaitState.LATE_SENDER);
  }

  @Test
  void waitsOfSingleRunsCountFromAShareOn() {
    WaitState state = WaitState.LATE_SENDER;
    Change more = change(waits(state, 100), waits(state, 120));
    assertTrue(more.isSlower() && more.isOneRun());
    assertEquals(0.2, more.share(), 1e-9);
    assertFalse(change(waits(state, 100), waits(state, 50)).isSlower());
    assertNull(change(waits(state, 1000), waits(state, 1040)), "4 %");
    assertNull(change(waits(state, 2), waits(state, 6)), "less than what is left out");
    assertTrue(Double.isNaN(change(waits(WaitState.LATE_RECEIVER, 100), waits(state, 50)).share()));
    assertNull(change(waits(WaitState.LATE_RECEIVER, 1), waits(WaitState.LATE_RECEIVER, 100)),
        "another wait");
  }

  @Test
  void waitsOfRepeatedRunsCountBeyondTheirNoise() {
    WaitState state = WaitState.LATE_SENDER;
    Change steady = change(waits(state, 1000, 1001, 999), waits(state, 1030, 1029, 1031));
    assertFalse(steady.isOneRun());
    assertEquals(1030e6, steady.newNs(), 1);
    assertNull(change(waits(state, 1000, 600, 1400), waits(state, 1300, 900, 1700)));
  }

  /** A run whose steps last so many milliseconds. */
  private ProgramPhases steps(String name, long... ms) throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name));
    TracedProcess process = trace.process("node1", "/opt/solver");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    long now = 0;
    for (long each : ms) {
      thread.event(now, Kind.PHASE_BEGIN, process.phase("step"));
      now += each * MS;
      thread.event(now, Kind.PHASE_END, process.phase("step"));
      now += MS;
    }
    thread.threadEnd(now);
    LoadedSession session = SessionBuilder.open(List.of(trace.write()), Progress.NONE);
    try {
      return ProgramPhases.of(
          new ApplicationAnalysis(session.getApplications().get(0)), null, Progress.NONE);
    } finally {
      session.traces().forEach(Trace::close);
    }
  }

  private static String told(List<Occurrence> phases) {
    List<String> told = new ArrayList<>();
    for (Occurrence each : phases) {
      Change change = each.change();
      told.add(each.number() + (change == null ? "=" : change.isSlower() ? "+" : "-"));
    }
    return String.join(" ", told);
  }

  @Test
  void occurrencesAreComparedWithThoseOfTheSameNumber() throws Exception {
    ProgramPhases base = steps("base", 100, 100, 100);
    ProgramPhases run = steps("run", 120, 101, 50, 30);
    List<Occurrence> found =
        PhaseDifferences.of(run, List.of(base), List.of(run), 0.95, 2 * MS);
    assertEquals("1+ 2= 3- 4+", told(found));
    assertEquals(100 * MS, found.get(0).change().baseNs(), 1);
    assertEquals(0, found.get(3).change().baseNs(), "the base has three");
    assertEquals(121 * MS, found.get(1).window().beginNs());
    assertEquals("1= 2= 3= 4=", told(PhaseDifferences.of(run)));
  }

  @Test
  void occurrencesOfRepeatedRunsCountBeyondTheirNoise() throws Exception {
    List<ProgramPhases> base = List.of(steps("b1", 100, 100), steps("b2", 101, 150), steps("b3", 99, 50));
    List<ProgramPhases> runs = List.of(steps("r1", 110, 120), steps("r2", 111, 170), steps("r3", 109, 70));
    assertEquals("1+ 2=", told(PhaseDifferences.of(runs.get(0), base, runs, 0.95, MS)));
  }
}
