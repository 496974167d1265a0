package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/** Sleeps by system calls that no library makes tell the same as those by libc, their mirror. */
class PlantedOffCpuTest {
  /** Between the barriers and the sleeps, and where the thread loses its processor there. */
  private static final double BETWEEN_NS = 5e6;

  @TempDir Path directory;

  /** @param routine that has the sleep; {@code nanosleep} of libc is not recorded by CPU clock, either */
  @ParameterizedTest
  @CsvSource({"nanosleep, inline, (off CPU)", "nanosleep, libc, (off CPU)", "futex, inline, (off CPU)",
      "futex, libc, futex", "read, inline, (off CPU)", "read, libc, read"})
  void sleepsAreNoWork(String call, String way, String routine) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt),
          Recording.program("off_cpu"), call, way)) {
        double rested = 1e9 * run.printed().get("rest");
        double computed = 1e9 * run.printed().get("compute");
        CallTree tree = CallTree.of(run.analysis(), null, Progress.NONE);
        long told = tree.nodes().stream().filter(node -> node.name().equals(routine)
            && node.path().contains(";rest;")).mapToLong(node -> node.timeNs(Weight.WALL)).sum();
        Table profile = run.profile(Level.PROCEDURE);
        long work = Recording.sum(profile, "time", row -> row.name().equals("compute"));
        long other = Recording.sum(profile, "time", row -> row.name().equals("rest")
            || row.name().equals("partner") || row.name().equals("main"));
        assertEquals(profile.total(), Recording.sum(profile, "time", row -> true));
        Table waits = run.waits(Level.THREAD, true);
        int procedure = waits.column("originProcedure");
        long caused = Recording.sum(waits, "time", row -> row.name().equals("thread barrier")
            && row.values().get(procedure).equals(routine));
        QuietMachine.times(() -> {
          assertEquals(rested, told, BETWEEN_NS, profile.toString());
          assertTrue(work <= computed + BETWEEN_NS && other < BETWEEN_NS, profile.toString());
          assertTrue(caused > rested - BETWEEN_NS, waits.toString());
        });
      }
    });
  }
}
