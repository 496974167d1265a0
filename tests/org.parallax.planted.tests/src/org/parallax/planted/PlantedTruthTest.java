package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;

/**
 * The critical paths of real programs, whose first comments say what it must be. Samples are taken
 * 1,000 times a second: the standard error of a share in a second of work is about 0.015.
 */
class PlantedTruthTest {
  @TempDir Path directory;

  private Path folder(int attempt) {
    return directory.resolve("attempt" + attempt);
  }

  private static double share(Table table, Predicate<Row> part, Predicate<Row> whole) {
    return (double) Recording.sum(table, "time", part.and(whole))
        / Recording.sum(table, "time", whole);
  }

  /** The part has the share of the whole that the program says it has. */
  private static void assertShare(
      Recording run, String printed, Table table, Predicate<Row> part, Predicate<Row> whole) {
    double expected = run.printed().get(printed);
    double tolerance = run.tolerance(expected, Recording.sum(table, "time", whole));
    double found = share(table, part, whole);
    if (Math.abs(found - expected) > tolerance) {
      throw new QuietMachine.WrongTime(
          printed + " is " + expected + " and not " + found + " +- " + tolerance + ": " + table);
    }
  }

  private static Predicate<Row> named(String name) {
    return row -> row.name().equals(name);
  }

  @ParameterizedTest
  @CsvSource({"openmpi, 4", "mpich, 2"})
  void theRankThatComputesMoreHoldsThePath(String mpi, String ranks) throws Exception {
    QuietMachine.measure(attempt -> recordImbalance(mpi, ranks, folder(attempt)));
  }

  private static void recordImbalance(String mpi, String ranks, Path into) throws Exception {
    try (Recording run = Recording.of(into, "mpirun." + mpi, "-n", ranks,
        Recording.program("imbalance." + mpi), "4", "20", "20")) {
      Table procedures = run.criticalPath(Level.PROCEDURE);
      assertShare(run, "path_heavy", procedures, named("compute_heavy"),
          named("compute_heavy").or(named("compute_light")));

      long[] light = run.onPath("compute_light");
      QuietMachine.times(() ->
          assertTrue(light[1] > 0.9 * LongStream.of(light).sum(), Arrays.toString(light)));
    }
  }

  /** What is foreseen of a faster procedure is what the program does that really has it so. */
  @Test
  void aFasterProcedureSavesWhatWasForeseen() throws Exception {
    QuietMachine.measure(attempt -> recordBeforeAndAfter(folder(attempt)));
  }

  private static void recordBeforeAndAfter(Path into) throws Exception {
    String program = Recording.program("imbalance.openmpi");
    double foreseen;
    try (Recording run = Recording.of(
        into.resolve("4"), "mpirun.openmpi", "-n", "2", program, "4", "20", "20")) {
      Table table = run.whatIf("compute_heavy", 3);
      long after = (Long) table.rows().get(0).values().get(table.column("time"));
      foreseen = (double) after / table.total();
      double told = foreseen;
      QuietMachine.times(() -> assertTrue(told < 0.65, table.toString()));
    }
    try (Recording before = Recording.of(
            into.resolve("before"), "mpirun.openmpi", "-n", "2", program, "4", "20", "20");
        Recording after = Recording.of(
            into.resolve("after"), "mpirun.openmpi", "-n", "2", program, "2", "20", "20")) {
      double measured = (double) after.criticalPath(Level.PROCESS).total()
          / before.criticalPath(Level.PROCESS).total();
      double predicted = foreseen;
      QuietMachine.times(() -> assertEquals(measured, predicted, 0.1 * measured));
    }
  }

  @ParameterizedTest
  @CsvSource({"openmpi, 4", "mpich, 2"})
  void thePathCrossesToTheNextRankAtEveryMessage(String mpi, String ranks) throws Exception {
    QuietMachine.measure(attempt -> recordPipeline(mpi, Integer.parseInt(ranks), folder(attempt)));
  }

  private static void recordPipeline(String mpi, int n, Path into) throws Exception {
    int rounds = 10;
    try (Recording run = Recording.of(into, "mpirun." + mpi, "-n", "" + n,
        Recording.program("pipeline." + mpi), String.valueOf(rounds), "10")) {
      // Of the work that is planted: how long a library takes to start is no part of it.
      long[] work = run.onPath("stage_work");
      for (int rank = 0; rank < n; rank++) {
        double expected = 2.0 * (rank + 1) / (n * (n + 1));
        long all = LongStream.of(work).sum();
        double found = (double) work[rank] / all;
        double tolerance = run.tolerance(expected, all);
        String message = "rank " + rank + ": " + Arrays.toString(work);
        QuietMachine.times(() -> assertEquals(expected, found, tolerance, message));
      }
      Table processes = run.criticalPath(Level.PROCESS);
      int kind = processes.column("kind");
      long messages =
          Recording.sum(processes, "count", row -> row.values().get(kind).equals("Msg"));
      // A rank that leaves MPI_Init late can hide the first round of the token.
      assertTrue(messages <= rounds * n - 1 && messages >= (rounds - 1) * n,
          messages + " messages on the path: " + processes);
    }
  }

  /** Each thread takes one turn, so that all others queue while the first has the lock. */
  @Test
  void thePathFollowsTheLock() throws Exception {
    QuietMachine.measure(attempt -> recordQueue(folder(attempt)));
  }

  private static void recordQueue(Path into) throws Exception {
    int threads = 4;
    try (Recording run = Recording.of(into, Recording.program("mutex_queue"),
        String.valueOf(threads), "1", "80")) {
      Table procedures = run.criticalPath(Level.PROCEDURE);
      assertShare(run, "path_critical", procedures, named("critical_section"),
          Recording.work(procedures));

      Table all = run.criticalPath(Level.THREAD);
      int kind = all.column("kind");
      // A thread that begins late waits for no lock.
      QuietMachine.times(() -> assertEquals(threads - 1,
          Recording.sum(all, "count", row -> row.values().get(kind).equals("Lock")),
          "hand-overs on the path: " + all));
      // The first also holds its private work, a quarter of a turn.
      double turn = 1.0 / (threads + 0.25);
      for (int thread = 1; thread <= threads; thread++) {
        String suffix = "thread " + thread;
        double share = share(all, row -> row.name().endsWith(suffix), Recording.work(all));
        double tolerance = run.tolerance(turn, Recording.sum(all, "time", Recording.work(all)));
        String message = "thread " + thread + " has " + share + ": " + all;
        QuietMachine.times(() ->
            assertTrue(share > turn - tolerance && share < 1.25 * turn + tolerance, message));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"openmpi", "mpich"})
  void messagesAreWhatTheProgramCounted(String mpi) throws Exception {
    try (Recording run = Recording.of(directory, "mpirun." + mpi, "-n", "2",
        Recording.program("pipeline." + mpi), "50", "1")) {
      Table metrics = run.metrics(Level.APPLICATION);
      assertEquals(run.printed().get("messages"), metric(metrics, "Messages sent"), 0);
      assertEquals(run.printed().get("messages"), metric(metrics, "Messages received"), 0);
      assertEquals(run.printed().get("bytes"), metric(metrics, "Bytes sent"), 0);
      assertEquals(run.printed().get("bytes"), metric(metrics, "Bytes received"), 0);
    }
  }

  /** Each request and each reply is an arc between the processes, and all of them are on the path. */
  @Test
  void thePathFollowsRequestsAndReplies() throws Exception {
    QuietMachine.measure(attempt -> recordRequests(folder(attempt)));
  }

  private static void recordRequests(Path into) throws Exception {
    int requests = 12;
    try (Recording run = Recording.of(into, Recording.program("client_server"), "1",
        String.valueOf(requests), "30")) {
      Table procedures = run.criticalPath(Level.PROCEDURE);
      assertShare(run, "path_server", procedures, named("serve_request(long)"),
          named("serve_request(long)").or(named("prepare_request(long)")));

      Table processes = run.criticalPath(Level.PROCESS);
      int kind = processes.column("kind");
      long arcs =
          Recording.sum(processes, "count", row -> row.values().get(kind).equals("Stream"));
      // A thread of the server that begins late can hide the first request, and one that ends after
      // the client the last reply.
      assertTrue(arcs <= 2 * requests && arcs >= 2 * requests - 2,
          arcs + " arcs of streams on the path: " + processes);

      // And the four bytes of the client's number.
      long bytes = 4;
      for (int i = 0; i < requests; i++) {
        bytes += 100 + i + 1000 + 10 * i;
      }
      Table metrics = run.metrics(Level.APPLICATION);
      assertEquals(run.printed().get("messages") + 1, metric(metrics, "Stream sends"), 0);
      assertEquals(bytes, metric(metrics, "Stream bytes sent"));
      assertEquals(bytes, metric(metrics, "Stream bytes received"));
    }
  }

  private static long metric(Table table, String name) {
    return (Long) table.rows().stream().filter(named(name)).findFirst().orElseThrow()
        .values().get(0);
  }
}
