package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.record.RecordingSwitch;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Finding;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceChecker;

/** What paused_ranks.c plants: no wait is told for a pause, and messages match after it. */
class PlantedPausesTest {
  private static final String NOT_RECORDED = "[not recorded]";
  /** What calls take beside the waits in them. */
  private static final double CALLS_S = 0.004;

  @TempDir Path directory;

  private static double seconds(Table table, String name) {
    return Recording.sum(table, "time", row -> row.name().equals(name)) / 1e9;
  }

  @ParameterizedTest
  @ValueSource(strings = {"openmpi", "mpich"})
  void aPauseIsNoWaitAndMessagesMatchAfterIt(String mpi) throws Exception {
    QuietMachine.measure(attempt -> {
      Path folder = directory.resolve("attempt" + attempt);
      try (Recording run = Recording.of(folder, List.of("--control"), List.of(
          Recording.mpirun(mpi), "-n", "2", Recording.program("paused_ranks." + mpi), "20"))) {
        double waited = run.printed().get("waits");
        double waitedAtBarrier = run.printed().get("barrier");
        double paused = run.printed().get("paused");
        Table receiver = run.waitsOfRank(1);
        double sender = seconds(receiver, "late sender") + seconds(receiver, "late sender, wrong order");
        double barrier = seconds(run.waitsOfRank(0), "wait at barrier");
        Table waits = run.waits(Level.THREAD, false);
        double reductions = seconds(waits, "wait at NxN");
        Table profile = run.profile(Level.PROCEDURE);
        // Each rank was paused twice, for as long as the paused work of either took.
        double notRecorded = seconds(profile, NOT_RECORDED);
        assertEquals(0, seconds(profile, "paused_work"), "samples in the pause");
        assertEquals(List.of(), TraceChecker.check(folder.resolve("trace"), Progress.NONE).findings().stream()
            .filter(finding -> finding.severity() != Finding.Severity.INFO).toList());
        QuietMachine.times(() -> {
          assertTrue(Math.abs(sender - waited) < 0.1 * waited + CALLS_S, sender + " of " + waited + " s: " + waits);
          assertTrue(Math.abs(barrier - waitedAtBarrier) < 0.1 * waitedAtBarrier + CALLS_S, barrier + " of " + waitedAtBarrier + " s: " + waits);
          assertTrue(reductions < CALLS_S, reductions + " s: " + waits);
          assertTrue(notRecorded > 1.8 * paused, notRecorded + " of " + paused + " s: " + profile);
        });
      }
    });
  }

  @Test
  void aRunIsPausedFromOutside() throws Exception {
    Path trace = directory.resolve("run");
    Process recorder = new ProcessBuilder(Recording.NATIVE.resolve("parallax-record").toString(), "--quiet",
        "--no-calibration", "--control=paused", "-o", trace.toString(), "--", Recording.program("phases"), "60")
        .redirectErrorStream(true).redirectOutput(directory.resolve("output").toFile()).start();
    try {
      RecordingSwitch recording = new RecordingSwitch(trace);
      while (recorder.isAlive() && !recording.isThere()) {
        Thread.sleep(2);
      }
      assertTrue(recording.status().isPaused());
      assertTrue(recording.set(false));
      Thread.sleep(50);
      assertTrue(recording.set(true));
      assertEquals(2, recording.status().pauses());
      assertEquals(0, recorder.waitFor());
    } finally {
      recorder.destroyForcibly();
    }
    LoadedSession session = SessionBuilder.open(List.of(trace), Progress.NONE);
    try {
      Table profile = ProfileReport.of(
          new ApplicationAnalysis(session.getApplications().get(0)), Level.PROCEDURE, null, Progress.NONE);
      long all = Recording.sum(profile, "time", row -> true);
      long paused = Recording.sum(profile, "time", row -> row.name().equals(NOT_RECORDED));
      assertTrue(all - paused >= 49_000_000 && paused > 0, paused + " of " + all + " ns: " + profile);
      assertTrue(all - paused < all / 2 || all < 200_000_000, paused + " of " + all + " ns: " + profile);
      assertTrue(session.traces().get(0).warnings().stream().anyMatch(text -> text.startsWith("recording was paused")));
    } finally {
      SessionBuilder.close(session);
    }
  }
}
