package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;

/**
 * Wait states and efficiency of real programs, whose first comments say what they must be. A busy
 * machine can keep a rank from going on when what it waited for is there, or from beginning to wait:
 * waits can be shorter than is planted, never longer.
 */
class PlantedWaitsTest {
  /** The least that a wait is of its call and of the work that it waited for. */
  private static final double LEAST_SHARE = 0.6;
  /** Between two reads of a clock, in the program and in the agent. */
  private static final long READS_NS = 200_000;

  @TempDir Path directory;

  /** Printed name, state, rank that waits and procedure in which the other one works. */
  private static final List<List<String>> STATES = List.of(
      List.of("late_sender", "late sender", "1", "delay_send"),
      List.of("wrong_order", "late sender, wrong order", "1", "delay_order"),
      List.of("late_receiver", "late receiver", "0", "delay_receive"),
      List.of("early_reduce", "early reduce", "0", "delay_reduce"),
      List.of("late_broadcast", "late broadcast", "1", "delay_broadcast"),
      List.of("early_scan", "early scan", "1", "delay_scan"),
      List.of("barrier", "wait at barrier", "0", "delay_barrier"),
      List.of("alltoall", "wait at NxN", "1", "delay_alltoall"));

  private static Object value(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  private static long ns(Table table, Row row, String column) {
    return (Long) value(table, row, column);
  }

  @ParameterizedTest
  @CsvSource({"openmpi, ssend", "mpich, ssend", "openmpi5, ssend", "mpich5, ssend", "mpiabi, ssend",
      "openmpi, isend", "mpich, isend", "openmpi5, isend", "mpich5, isend", "mpiabi, isend"})
  void eachWaitStateIsFoundWithItsOrigin(String mpi, String send) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    QuietMachine.measure(attempt -> recordWaitStates(mpi, send, folder(attempt)));
  }

  private Path folder(int attempt) {
    return directory.resolve("attempt" + attempt);
  }

  private static void recordWaitStates(String mpi, String send, Path into) throws Exception {
    try (Recording run = Recording.of(into, Recording.mpirun(mpi), "-n", "2",
        Recording.program("wait_states." + mpi), "60", send)) {
      Map<String, Double> printed = run.printed();
      Table table = run.waits(Level.PROCESS, false);
      Table causes = run.waits(Level.PROCESS, true);
      for (List<String> state : STATES) {
        check(table, causes, state.get(1), state.get(2), state.get(3), printed.get(state.get(0)),
            printed.get(state.get(3)));
      }
      long waitNs = Long.parseLong(table.parameters().get("waitNs"));
      Table metrics = run.metrics(Level.APPLICATION);
      assertEquals(metric(metrics, "Wait time"), waitNs, "what the metrics have");
    }
  }

  private static Row row(Table table, String state, String rank) {
    return table.rows().stream().filter(row -> row.name().equals(state)
        && value(table, row, "where").toString().endsWith("[" + rank + "]")).findFirst()
        .orElseThrow(() -> new AssertionError(state + " of rank " + rank + " in " + table));
  }

  /** Whether a procedure is the origin, also while it had no processor. */
  private static boolean isOf(Table table, Row row, String procedure) {
    return value(table, row, "originProcedure").equals(procedure)
        || value(table, row, "originFunction").equals(procedure);
  }

  private static void check(Table table, Table causes, String state, String rank, String procedure,
      double callSeconds, double workSeconds) throws Exception {
    Row row = row(table, state, rank);
    double waitNs = ns(table, row, "time");
    double originNs = Recording.sum(causes, "time", cause -> cause.name().equals(state)
        && value(causes, cause, "where").toString().endsWith("[" + rank + "]") && isOf(causes, cause, procedure));
    String message = String.format("%s: %.0f ns, of these for %s %.0f ns; the call took %.6f s, "
        + "the work %.6f s", state, waitNs, procedure, originNs, callSeconds, workSeconds);
    if (originNs < LEAST_SHARE * 1e9 * workSeconds || waitNs < LEAST_SHARE * 1e9 * callSeconds) {
      throw new QuietMachine.WrongTime(message);
    }
    assertTrue(value(table, row, "origin").toString()
        .endsWith("[" + (rank.equals("0") ? 1 : 0) + "]"), message);
    QuietMachine.times(() -> {
      assertTrue(originNs <= 1e9 * workSeconds + READS_NS, message);
      // The ranks also meet at the begin, where either may wait.
      assertTrue(state.equals("wait at barrier") || waitNs <= 1e9 * callSeconds + READS_NS, message);
    });
  }

  /** Teams in which the last worker comes last to the end of each region. */
  @ParameterizedTest
  @CsvSource({"gnu, 3", "gnu, 4", "gnu, 8", "llvm, 6"})
  void theEndsOfRegionsAreWaits(String runtime, String threads) throws Exception {
    try (Recording run = Recording.of(directory, Recording.program("openmp_cases." + runtime),
        "regions", threads)) {
      Table table = run.waits(Level.PROCESS, false);
      assertEquals(List.of(), table.warnings());
      double told = table.rows().stream().filter(row -> row.name().equals("thread barrier"))
          .mapToLong(row -> ns(table, row, "time")).sum();
      double waited = 1e9 * run.printed().get("waits");
      assertEquals(waited, told, 0.02 * waited + 20 * READS_NS, table.toString());
    }
  }

  /** Waits on words of memory; {@code condition} does the same by another mechanism. */
  @ParameterizedTest
  @CsvSource({"atomic, futex wait", "latch, futex wait", "barrier, futex wait", "semaphore, futex wait",
      "future, futex wait", "static, futex wait", "futex, futex wait", "vector, futex wait", "words, futex wait",
      "condition, condition wait"})
  void waitsOnMemoryAreForTheWorkOfTheOther(String way, String state) throws Exception {
    if (List.of("vector", "words").contains(way)) {
      assumeTrue(new ProcessBuilder(Recording.program("memory_waits"), way, "1").inheritIO().start().waitFor() != 77,
          "the kernel has no such system calls");
    }
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(folder(attempt), Recording.program("memory_waits"), way)) {
        Table table = run.waits(Level.THREAD, true);
        long told = Recording.sum(table, "time", row -> row.name().equals(state));
        long late = Recording.sum(table, "time", row -> row.name().equals(state)
            && isOf(table, row, "late_work"));
        double waited = 1e9 * run.printed().get("waits");
        assertEquals(List.of(), table.warnings());
        QuietMachine.times(() -> assertTrue(
            told > LEAST_SHARE * waited && told < waited + READS_NS && late > LEAST_SHARE * told,
            told + " of " + waited + " ns, " + late + " of these for late_work: " + table));
      }
    });
  }

  /** Of four threads that take one turn each, those that come later wait once, twice, three times. */
  @Test
  void contentionIsThatOfTheQueue() throws Exception {
    QuietMachine.measure(attempt -> recordQueue(folder(attempt)));
  }

  private static void recordQueue(Path into) throws Exception {
    try (Recording run = Recording.of(into, Recording.program("mutex_queue"), "4", "1", "80")) {
      Table causes = run.waits(Level.APPLICATION, true);
      long all = Recording.sum(causes, "time", PlantedWaitsTest::isContention);
      long critical = Recording.sum(causes, "time", row -> isContention(row)
          && isOf(causes, row, "critical_section"));
      QuietMachine.times(() ->
          assertTrue(critical > 0.85 * all, critical + " of " + all + ": " + causes));
      Table table = run.waits(Level.APPLICATION, false);
      Row row = table.rows().stream().filter(PlantedWaitsTest::isContention).findFirst()
          .orElseThrow();
      assertTrue(value(table, row, "object").toString().startsWith("mutex 0x"), table.toString());
      // 1 + 2 + 3 turns, less what the later threads spend in their private work meanwhile.
      String message = all + " ns, a turn " + turnNs(run) + " ns";
      // A thread that comes late waits less. One that is woken late, or waits in its turn, waits longer.
      if (all < 3.5 * turnNs(run) || all > 6.2 * turnNs(run)) {
        throw new QuietMachine.WrongTime(message);
      }
    }
  }

  private static boolean isContention(Row row) {
    return row.name().equals("lock contention");
  }

  private static long turnNs(Recording run) {
    Table profile = run.profile(Level.PROCEDURE);
    return Recording.sum(profile, "time", row -> row.name().equals("critical_section")) / 4;
  }

  @ParameterizedTest
  @CsvSource({"openmpi", "mpich"})
  void theLoadBalanceIsThatOfTheProgram(String mpi) throws Exception {
    QuietMachine.measure(attempt -> recordImbalance(mpi, folder(attempt)));
  }

  private static void recordImbalance(String mpi, Path into) throws Exception {
    try (Recording run = Recording.of(into, "mpirun." + mpi, "-n", "2",
        Recording.program("imbalance." + mpi), "4", "20", "20")) {
      Table table = run.efficiency();
      QuietMachine.times(() -> {
        // (1 + 4) / (2 * 4); a rank that shares its processor takes longer for the same work.
        assertEquals(62.5, factor(table, "Load balance"), 10, table.toString());
        assertTrue(factor(table, "Serialization efficiency") > 90, table.toString());
      });
      assertEquals(factor(table, "Parallel efficiency"), factor(table, "Load balance")
          * factor(table, "Serialization efficiency") * factor(table, "Transfer efficiency") / 1e4,
          1e-6);
      Table waits = run.waits(Level.PROCESS, false);
      Row barrier = row(waits, "wait at barrier", "0");
      assertTrue(isOf(waits, barrier, "compute_heavy"), waits.toString());
    }
  }

  private static double factor(Table table, String name) {
    return (Double) table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow().values().get(0);
  }

  private static long metric(Table table, String name) {
    return (Long) table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow().values().get(0);
  }
}
