package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.testing.QuietMachine;

/**
 * The efficiency of a program of MPI and OpenMP, whose first comment has what is planted: how much is
 * lost among ranks, how much among threads, and how much in a serial part.
 */
class PlantedHybridTest {
  private static final int ROUNDS = 5;
  private static final int MS = 4;
  /** The part of its work for which a thread has a processor. */
  private static final double USEFUL = 0.25;
  /** What sleeps and barriers take longer than they should, in percents. */
  private static final double TOLERANCE = 6;

  @TempDir Path directory;

  private static double value(Table table, String name) {
    return ((Number) table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow().values().get(0)).doubleValue();
  }

  private static void assertFactor(Table table, String name, double expected) {
    assertEquals(expected, value(table, name), TOLERANCE, () -> name + table.rows());
  }

  private static void assertNs(double perRound, double ns, Object table) {
    double expected = 1e6 * ROUNDS * MS * perRound;
    assertEquals(expected, ns, expected * TOLERANCE / 100, table::toString);
  }

  private static void assertProduct(Table table, String whole, String one, String other) {
    assertEquals(value(table, whole), value(table, one) * value(table, other) / 100, 1e-9, whole);
  }

  @ParameterizedTest
  @CsvSource({"openmpi, gnu", "openmpi, llvm", "mpich, gnu", "mpich, llvm"})
  void lossesAreThoseAmongRanksAndAmongThreads(String mpi, String openmp) throws Exception {
    QuietMachine.measure(attempt -> check(mpi, openmp, directory.resolve("attempt" + attempt)));
  }

  private static void check(String mpi, String openmp, Path into) throws Exception {
    // Threads that wait leave processors to those that wake up.
    try (Recording run = Recording.of(into, "env", "OMP_WAIT_POLICY=passive",
        "mpirun." + mpi, "-n", "2", Recording.program("hybrid." + openmp + "." + mpi),
        String.valueOf(ROUNDS), String.valueOf(MS))) {
      Table table = run.efficiency("rounds");
      assertEquals(2, value(table, "Processes"));
      assertEquals(4, value(table, "Places"));
      Table waits = run.waits("rounds");
      QuietMachine.times(() -> checkTimes(table, waits));

      assertProduct(table, "Parallel efficiency", "Load balance", "Communication efficiency");
      assertProduct(table, "Communication efficiency", "Serialization efficiency",
          "Transfer efficiency");
      assertProduct(table, "Parallel efficiency", "Process parallel efficiency",
          "Thread parallel efficiency");
      assertProduct(table, "Process parallel efficiency", "Process load balance",
          "Process communication efficiency");
      assertProduct(table, "Thread parallel efficiency", "Thread load balance",
          "Thread communication efficiency");
    }
  }

  private static void checkTimes(Table table, Table waits) {
    assertNs(80, value(table, "Elapsed time"), table);
    assertNs(USEFUL * 200, value(table, "Useful time"), table);
    assertNs(200, value(table, "Time outside of routines"), table);
    assertNs(USEFUL * 70, value(table, "Most useful time of a place"), table);
    assertNs(80, value(table, "Elapsed time on an ideal network"), table);

    assertFactor(table, "Parallel efficiency", USEFUL * 100 * 200 / (4 * 80.0));
    assertFactor(table, "Load balance", 100 * 200 / (4 * 70.0));
    assertFactor(table, "Communication efficiency", USEFUL * 100 * 70 / 80.0);
    assertFactor(table, "Serialization efficiency", USEFUL * 100 * 70 / 80.0);
    assertFactor(table, "Transfer efficiency", 100);
    assertFactor(table, "Process parallel efficiency", 100 * 150 / (2 * 80.0));
    assertFactor(table, "Process load balance", 100 * 150 / (2 * 80.0));
    assertFactor(table, "Process communication efficiency", 100);
    assertFactor(table, "Thread parallel efficiency", USEFUL * 100 * (200 / 4.0) / (150 / 2.0));
    assertFactor(table, "Thread load balance", 100 * (200 / 280.0) / (150 / 160.0));
    assertFactor(table, "Thread communication efficiency", USEFUL * 100 * 70 / 80.0);

    assertNs(10, ns(waits, state("wait at barrier")), waits);
    assertNs(20 + 40, ns(waits, state("thread barrier")), waits);
    assertNs(30 + 20, ns(waits, state("idle thread").or(state("idle at end"))), waits);
  }

  private static Predicate<Row> state(String name) {
    return row -> row.name().equals(name);
  }

  private static long ns(Table waits, Predicate<Row> which) {
    return Recording.sum(waits, "time", which);
  }
}
