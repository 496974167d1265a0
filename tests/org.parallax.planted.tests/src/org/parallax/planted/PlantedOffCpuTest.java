package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
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
  @CsvSource({"nanosleep, inline, (blocked)", "nanosleep, libc, (blocked)", "futex, inline, (blocked)",
      "futex, libc, futex", "read, inline, (blocked)", "read, libc, read"})
  void sleepsAreNoWork(String call, String way, String routine) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt),
          Recording.program("off_cpu"), call, way)) {
        double rested = 1e9 * run.printed().get("rest");
        double computed = 1e9 * run.printed().get("compute");
        // When the sleep is over, other programs can have the processor.
        long told = told(run, routine, ";rest;") + told(run, "(preempted)", ";rest;");
        Table profile = run.profile(Level.PROCEDURE);
        long work = Recording.sum(profile, "time", row -> row.name().equals("compute"));
        long other = Recording.sum(profile, "time", row -> row.name().equals("rest")
            || row.name().equals("partner") || row.name().equals("main"));
        assertEquals(profile.total(), Recording.sum(profile, "time", row -> true));
        Table waits = run.waits(Level.THREAD, true);
        int procedure = waits.column("originProcedure");
        long caused = Recording.sum(waits, "time", row -> row.name().equals("thread barrier")
            && List.of(routine, "(preempted)").contains(row.values().get(procedure)));
        QuietMachine.times(() -> {
          assertEquals(rested, told, BETWEEN_NS, profile.toString());
          assertTrue(work <= computed + BETWEEN_NS && other < BETWEEN_NS, profile.toString());
          assertTrue(caused > rested - BETWEEN_NS, waits.toString());
        });
      }
    });
  }

  /** Threads and processes that share a processor tell the same. */
  @ParameterizedTest
  @CsvSource({"threads", "processes"})
  void whoSharesAProcessorIsPreempted(String way) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt),
          Recording.program("descheduled"), way, "3")) {
        double preempted = 1e9 * run.printed().get("preempted");
        Table profile = run.profile(Level.PROCEDURE);
        assertEquals(profile.total(), Recording.sum(profile, "time", row -> true));
        long told = told(run, "(preempted)", "_beside;");
        QuietMachine.times(() -> {
          assertEquals(preempted, told, 0.05 * preempted, profile.toString());
          assertTrue(time(profile, "(blocked)") + time(profile, "(off CPU)") < 0.02 * preempted, profile.toString());
        });
      }
    });
  }

  /** @param beside threads on the processor of the one that waits */
  @ParameterizedTest
  @CsvSource({"flock, 0", "read, 0", "fault, 0", "flock, 2", "read, 2"})
  void whoWaitsInTheKernelIsBlocked(String call, String beside) throws Exception {
    QuietMachine.measure(attempt -> {
      Recording recorded;
      try {
        recorded = Recording.of(directory.resolve("attempt" + attempt), Recording.program("descheduled"), call, beside);
      } catch (AssertionError failed) {
        Assumptions.assumeFalse(call.equals("fault") && failed.getMessage().contains("77"), "no user faults here");
        throw failed;
      }
      try (Recording run = recorded) {
        double blocked = 1e9 * run.printed().get("blocked");
        double late = 1e9 * run.printed().get("late");
        long told = told(run, "(blocked)", ";rest;");
        long all = told + told(run, "(preempted)", ";rest;") + told(run, "(off CPU)", ";rest;");
        Table path = run.criticalPath(Level.PROCEDURE, Weight.WALL);
        QuietMachine.times(() -> {
          // One preemption makes a piece of the time unknown.
          assertTrue(told > 0.5 * blocked, told + " ns (blocked) of " + blocked);
          assertEquals(blocked + late, all, 0.05 * blocked + BETWEEN_NS, "of all time without a processor");
          // Beside others the path can be the one on which somebody waits for the processor.
          assertTrue(!beside.equals("0") || time(path, "(blocked)") + time(path, "(off CPU)") > 0.9 * blocked,
              path.toString());
        });
      }
    });
  }

  /** Of what is both between two events, the kernel tells the parts. */
  @Test
  void whoIsBlockedAndPreemptedIsToldBoth() throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt), Recording.program("descheduled"),
          "yield", "1")) {
        double blocked = 1e9 * run.printed().get("blocked");
        double late = 1e9 * run.printed().get("late");
        long toldBlocked = told(run, "(blocked)", ";rest;");
        long toldPreempted = told(run, "(preempted)", ";rest;");
        long unknown = told(run, "(off CPU)", ";rest;");
        QuietMachine.times(() -> {
          String told = toldBlocked + " ns (blocked) of " + blocked + ", " + toldPreempted + " ns (preempted) of " + late
              + ", " + unknown + " ns (off CPU)";
          assertEquals(blocked, toldBlocked, 0.05 * blocked + BETWEEN_NS, told);
          assertEquals(late, toldPreempted, 0.1 * late + BETWEEN_NS, told);
          assertTrue(unknown < 0.05 * (blocked + late), told);
        });
      }
    });
  }

  /** @param part of the call path */
  private static long told(Recording run, String name, String part) {
    return CallTree.of(run.analysis(), null, Progress.NONE).nodes().stream()
        .filter(node -> node.name().equals(name) && node.path().contains(part))
        .mapToLong(node -> node.timeNs(Weight.WALL)).sum();
  }

  private static long time(Table table, String name) {
    return Recording.sum(table, "time", row -> row.name().equals(name));
  }
}
