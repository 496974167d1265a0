package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;

/**
 * Threads and ranks that poll, and the same with calls that wait: both are told as waits of the same state for the work
 * of the other side, which is on the critical path. Their first comments say what must be.
 */
class PlantedPollingTest {
  /** The least that a wait is of its calls and of the work that it waited for. */
  private static final double LEAST_SHARE = 0.6;
  /** Between two reads of a clock, in the program and in the agent. */
  private static final long READS_NS = 200_000;
  private static final String IN_VAIN = "polling, unknown cause";

  @TempDir Path directory;

  private Path folder(int attempt) {
    return directory.resolve("attempt" + attempt);
  }

  private static long told(Table table, String state) {
    return Recording.sum(table, "time", row -> row.name().equals(state));
  }

  private static Object value(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  /**
   * The waits of a run are of this state, for late_work, which the critical path has. On a busy machine a part of
   * late_work is without a processor.
   */
  private static void check(Recording run, String state) throws Exception {
    Table table = run.waits(Level.THREAD, true);
    double waited = 1e9 * run.printed().get("waits");
    long told = told(table, state);
    long late = Recording.sum(table, "time", row -> row.name().equals(state)
        && (value(table, row, "originProcedure").equals("late_work")
            || value(table, row, "originProcedure").equals("(preempted)")));
    assertEquals(List.of(), table.warnings());
    Table path = run.criticalPath(Level.PROCEDURE);
    long onPath = Recording.sum(path, "time", row -> row.name().equals("late_work"));
    Table profile = run.profile(Level.PROCEDURE);
    long done = Recording.sum(profile, "time", row -> row.name().equals("late_work"));
    Table faster = run.whatIf("late_work", 2);
    long gain = (Long) value(faster, faster.rows().get(0), "saved");
    QuietMachine.times(() -> {
      assertTrue(told > LEAST_SHARE * waited && told < waited + READS_NS, told + " of " + waited + " ns: " + table);
      assertTrue(late > LEAST_SHARE * told, late + " ns of " + told + " for late_work: " + table);
      assertTrue(onPath > 0.9 * done, onPath + " of " + done + " ns are on the path: " + path);
      assertTrue(gain > 0.4 * done && gain < 0.55 * done + READS_NS,
          gain + " ns would be gained if late_work, " + done + " ns, took half of it: " + faster);
    });
  }

  private static Stream<Arguments> waysOfThreads() {
    List<Arguments> ways = new ArrayList<>();
    for (String way : "trylock lock mtx rdlock wrlock spin omp omp_set spin_lock".split(" ")) {
      ways.add(Arguments.of(way, "lock contention"));
    }
    for (String way : "trywait trywait_yield trywait_sleep trywait_timed wait".split(" ")) {
      ways.add(Arguments.of(way, "semaphore wait"));
    }
    for (String way : "poll ppoll select epoll poll_timed poll_wait read recv read_wait".split(" ")) {
      ways.add(Arguments.of(way, "stream wait"));
    }
    return ways.stream();
  }

  @ParameterizedTest
  @MethodSource("waysOfThreads")
  void aThreadThatPollsWaits(String way, String state) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(folder(attempt), Recording.program("polling_waits"), way)) {
        check(run, state);
      }
    });
  }

  @ParameterizedTest
  @CsvSource({"tryjoin, join wait", "join, join wait", "waitpid, process wait", "waitpid_wait, process wait"})
  void pollingForAnEndWaits(String way, String state) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(folder(attempt), Recording.program("polling_waits"), way)) {
        Table table = run.waits(Level.THREAD, false);
        double waited = 1e9 * run.printed().get("waits");
        long told = told(table, state);
        QuietMachine.times(() -> assertTrue(
            told > LEAST_SHARE * waited && told < waited + READS_NS, told + " of " + waited + " ns: " + table));
      }
    });
  }

  @ParameterizedTest
  @CsvSource({"yield", "give_up"})
  void pollingInVainIsToldWithoutACause(String way) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(folder(attempt), Recording.program("polling_waits"), way)) {
        Table table = run.waits(Level.THREAD, false);
        double waited = 1e9 * run.printed().get("waits");
        long told = told(table, IN_VAIN);
        QuietMachine.times(() -> assertTrue(
            told > LEAST_SHARE * waited && told < waited + READS_NS, told + " of " + waited + " ns: " + table));
      }
    });
  }

  /** What the thread does next is not what it waited for. */
  @ParameterizedTest
  @CsvSource({"tick_poll", "tick_select", "tick_epoll", "tick_timer"})
  void aWaitWhoseTimeIsOverWaitsForATimer(String way) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(folder(attempt), Recording.program("polling_waits"), way)) {
        Table table = run.waits(Level.THREAD, false);
        double waited = 1e9 * run.printed().get("waits");
        long told = told(table, "timer wait");
        QuietMachine.times(() -> {
          assertTrue(told > 0.95 * waited && told < waited + READS_NS, told + " of " + waited + " ns: " + table);
          assertTrue(table.total() < told + 0.1 * waited, "nothing else: " + table);
        });
      }
    });
  }

  @Test
  void workBetweenAttemptsIsWork() throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(folder(attempt), Recording.program("polling_waits"), "overlap")) {
        checkOverlap(run);
      }
    });
  }

  private static void checkOverlap(Recording run) throws Exception {
    double waited = 1e9 * run.printed().get("waits");
    double worked = 1e9 * run.printed().get("cpu");
    Table table = run.waits(Level.THREAD, false);
    long told = told(table, IN_VAIN) + told(table, "semaphore wait") + told(table, "late sender");
    Table profile = run.profile(Level.PROCEDURE);
    long own = Recording.sum(profile, "time", row -> row.name().equals("own_work"));
    QuietMachine.times(() -> assertTrue(told < 0.2 * waited && own > LEAST_SHARE * worked,
        "of " + waited + " ns, " + told + " ns are waits; of " + worked + " ns of CPU time, " + own + " own_work: " + table + profile));
  }

  private static Stream<Arguments> waysOfRanks() {
    List<Arguments> ways = new ArrayList<>();
    for (String mpi : List.of("openmpi", "mpich", "openmpi5", "mpich5", "mpiabi")) {
      for (String way : "test iprobe engine".split(" ")) {
        ways.add(Arguments.of(mpi, way, "late sender"));
      }
    }
    for (String mpi : List.of("openmpi", "mpich")) {
      for (String way : "wait testany testall testsome status spin improbe probe".split(" ")) {
        ways.add(Arguments.of(mpi, way, "late sender"));
      }
      for (String way : List.of("ibarrier", "ibarrier_wait")) {
        ways.add(Arguments.of(mpi, way, "wait at barrier"));
      }
    }
    return ways.stream();
  }

  @ParameterizedTest
  @MethodSource("waysOfRanks")
  void aRankThatPollsWaits(String mpi, String way, String state) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    QuietMachine.measure(attempt -> {
      try (Recording run = ranks(folder(attempt), mpi, way)) {
        check(run, state);
      }
    });
  }

  private static Recording ranks(Path into, String mpi, String way) throws Exception {
    return Recording.of(into, Recording.mpirun(mpi), "-n", "2", Recording.program("polling_ranks." + mpi), way);
  }

  @ParameterizedTest
  @CsvSource({"openmpi, window", "openmpi, window_wait", "mpich, window", "mpich, window_wait"})
  void anExposureThatIsTestedWaits(String mpi, String way) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = ranks(folder(attempt), mpi, way)) {
        Table table = run.waits(Level.THREAD, false);
        double waited = 1e9 * run.printed().get("waits");
        long told = told(table, "early wait") + told(table, "late complete");
        QuietMachine.times(() -> assertTrue(
            told > LEAST_SHARE * waited && told < waited + READS_NS, told + " of " + waited + " ns: " + table));
      }
    });
  }

  @ParameterizedTest
  @CsvSource({"openmpi", "mpich"})
  void workBetweenTestsIsWork(String mpi) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = ranks(folder(attempt), mpi, "overlap")) {
        checkOverlap(run);
      }
    });
  }
}
