package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/**
 * Waits in collectives in which not each rank needs each other, in a real program whose first comment says what they
 * must be, and in its mirror by messages. What a call waited is known from its own time: nobody but the late rank
 * lets it take long.
 */
class PlantedCollectivesTest {
  /** The least that a wait is of its call and of the delay. */
  private static final double LEAST_SHARE = 0.6;
  /** A call that takes less of the delay did not wait for it, or not for long. */
  private static final double NO_WAIT = 0.3;
  /** A call that takes more of it was kept from ending by others. */
  private static final double MOST_SHARE = 1.6;
  /** Between two reads of a clock, in the program and in the agent. */
  private static final long READS_NS = 200_000;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"openmpi, 4, collectives", "openmpi5, 4, collectives", "mpich, 2, collectives",
      "mpich5, 2, collectives", "mpiabi, 2, collectives", "openmpi, 4, messages", "mpich, 2, messages"})
  void onlyThoseWaitWhomTheLateRankKept(String mpi, int ranks, String way) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    QuietMachine.measure(attempt -> record(mpi, ranks, way, directory.resolve("attempt" + attempt)));
  }

  private static void record(String mpi, int ranks, String way, Path into) throws Exception {
    try (Recording run = Recording.of(into, Recording.mpirun(mpi), "-n", Integer.toString(ranks),
        Recording.program("collective_counts." + mpi), "60", way)) {
      Map<String, Double> printed = run.printed();
      List<String> cases = printed.keySet().stream().filter(name -> name.startsWith("delay."))
          .map(name -> name.substring("delay.".length())).sorted().toList();
      assertTrue(cases.size() >= 31, cases.toString());
      for (int rank = 0; rank < ranks; rank++) {
        Table table = run.waitsOfRank(rank);
        assertEquals(List.of(), table.warnings());
        for (String name : cases) {
          if (printed.containsKey(name + "." + rank)) {
            check(table, printed, name, rank, way);
          }
        }
      }
      checkSums(run);
    }
  }

  private static void check(Table table, Map<String, Double> printed, String name, int rank, String way)
      throws Exception {
    double call = printed.get(name + "." + rank);
    double both = printed.get("both." + name + "." + rank);
    double delay = printed.get("delay." + name);
    boolean must = printed.containsKey("must." + name + "." + rank);
    String here = ";in_" + name + ";";
    String there = ";run_" + name + ";";
    long waited = told(table, here, "");
    long forDelay = told(table, here, there);
    long withBarrier = told(table, there, there);
    String message = String.format("%s of rank %d, %s: %d ns, %d ns of these for the late rank, %d with the barrier "
        + "after it; the call took %.6f s, with the barrier %.6f s, the delay %.6f s", name, rank, way, waited,
        forDelay, withBarrier, call, both, delay);
    assertTrue(waited <= 1e9 * call + READS_NS, message);
    assertTrue(told(table, there, "") <= 1e9 * both + READS_NS, message);
    boolean waits = must || call > NO_WAIT * delay && call < MOST_SHARE * delay;
    if (waits && forDelay < LEAST_SHARE * 1e9 * Math.min(call, delay) || must && call < LEAST_SHARE * delay) {
      throw new QuietMachine.WrongTime(message);
    }
    if (!must && call >= MOST_SHARE * delay) {
      return;
    }
    // Who does not wait in the call waits in the barrier after it: each wait has its cause, once.
    if (withBarrier < LEAST_SHARE * 1e9 * delay) {
      throw new QuietMachine.WrongTime(message);
    }
  }

  /** Waits of MPI in procedures whose paths contain one text while the other rank was in paths that contain the other. */
  private static long told(Table table, String path, String originPath) {
    return Recording.sum(table, "time", row -> text(table, row, "path").contains(path)
        && text(table, row, "path").contains(";MPI_")
        && (";" + text(table, row, "originPath")).contains(originPath));
  }

  private static String text(Table table, Row row, String column) {
    return row.values().get(table.column(column)).toString();
  }

  /** Nothing is told twice, and all delays are on the path: all meet after each. */
  private static void checkSums(Recording run) {
    Table waits = run.waits(Level.PROCESS, false);
    assertEquals(List.of(), waits.warnings());
    long threadsNs = Long.parseLong(waits.parameters().get("threadsNs"));
    assertTrue(waits.total() <= threadsNs, waits.toString());
    assertEquals(metric(run.metrics(Level.APPLICATION), "Wait time"),
        Long.parseLong(waits.parameters().get("waitNs")));
    Table path = CriticalPathReport.of(
        run.analysis(), Level.PROCEDURE, Weight.WALL, null, Progress.NONE);
    assertEquals(List.of(), path.warnings());
    assertEquals(path.total(), Recording.sum(path, "time", row -> true), "rows add up to the path");
    long elapsedNs = metric(run.metrics(Level.APPLICATION), "Elapsed time");
    double delaysNs = run.printed().entrySet().stream().filter(entry -> entry.getKey().startsWith("delay."))
        .mapToDouble(entry -> 1e9 * entry.getValue()).sum();
    assertTrue(path.total() <= elapsedNs && path.total() > delaysNs - READS_NS,
        path.total() + " of " + elapsedNs + " with delays of " + delaysNs + ": " + path);
  }

  private static long metric(Table table, String name) {
    return (Long) table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow().values().get(0);
  }
}
