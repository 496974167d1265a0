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
 * The wait states of one-sided communication in a real program, whose first comment says what they must be, and
 * in its mirror, which waits for the same work by barriers and messages.
 */
class PlantedWindowsTest {
  /** The least that a wait is of its calls and of the work that it waited for. */
  private static final double LEAST_SHARE = 0.6;
  /** Between two reads of a clock, in the program and in the agent. */
  private static final long READS_NS = 200_000;
  /**
   * A sample speaks back to the one before it, 10 ms at 100 Hz and a tick: at the border of two procedures, the
   * second one gets up to that of the first.
   */
  private static final long SAMPLE_NS = 12_000_000;
  /** A call of less than this share of the work did not wait for it. */
  private static final double NO_WAIT = 0.3;

  @TempDir Path directory;

  /** @param printed the name of the waiting calls in the output */
  private record State(String printed, String name, String mirrored, String rank, String procedure) {}

  private static final List<State> STATES = List.of(
      new State("fence", "wait at fence", "wait at barrier", "0", "delay_fence"),
      new State("late_post", "late post", "late sender", "0", "delay_post"),
      new State("early_wait", "early wait", "late sender", "1", "delay_access"),
      new State("late_complete", "late complete", "late sender", "1", "delay_complete"),
      new State("exclusive_lock", "lock contention, window", "late sender", "1", "delay_exclusive"),
      new State("shared_lock", "lock contention, window", "late sender", "1", "delay_shared"),
      new State("progress_call", "wait for progress", "late sender", "0", "delay_progress"));

  @ParameterizedTest
  @CsvSource({"openmpi, allocate", "mpich, allocate", "openmpi5, allocate", "mpich5, allocate",
      "mpiabi, allocate", "openmpi, create", "mpich, create", "openmpi5, create", "mpich5, create",
      "mpiabi, create", "openmpi, messages", "mpich, messages"})
  void eachWaitIsFoundWithItsOrigin(String mpi, String way) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    QuietMachine.measure(attempt -> record(mpi, way, directory.resolve("attempt" + attempt)));
  }

  private static void record(String mpi, String way, Path into) throws Exception {
    try (Recording run = Recording.of(into, Recording.mpirun(mpi), "-n", "2",
        Recording.program("window_waits." + mpi), "60", way)) {
      Map<String, Double> printed = run.printed();
      Table table = run.waits(Level.PROCESS, true);
      assertEquals(List.of(), table.warnings());
      for (State state : STATES) {
        double call = printed.get(state.printed);
        double work = printed.get(state.procedure);
        String name = way.equals("messages") ? state.mirrored : state.name;
        long waited = time(table, name, state);
        String message = String.format("%s for %s: %d ns; the calls took %.6f s, the work %.6f s",
            name, state.procedure, waited, call, work);
        if (state.printed.equals("progress_call") && call < NO_WAIT * work) {
          QuietMachine.times(() -> assertTrue(waited <= 1e9 * call + READS_NS, message));
          continue;
        }
        if (waited < LEAST_SHARE * 1e9 * work || waited < LEAST_SHARE * 1e9 * call) {
          throw new QuietMachine.WrongTime(message);
        }
        QuietMachine.times(() -> {
          assertTrue(waited <= 1e9 * work + READS_NS + SAMPLE_NS, message);
          assertTrue(waited <= 1e9 * call + READS_NS + SAMPLE_NS, message);
        });
      }
      if (!way.equals("messages")) {
        long locked = Recording.sum(table, "time", row -> row.name().equals("lock contention, window")
            && value(table, row, "where").toString().endsWith("[1]"));
        assertTrue(locked <= 1e9 * (printed.get("exclusive_lock") + printed.get("shared_lock")) + READS_NS,
            "two shared locks do not wait for each other: " + locked + " of " + printed);
      }
      checkSums(run, table);
    }
  }

  /** What a procedure of the other rank made a rank wait, in one state. */
  private static long time(Table table, String name, State state) {
    return Recording.sum(table, "originTime", row -> row.name().equals(name)
        && value(table, row, "where").toString().endsWith("[" + state.rank + "]")
        && (value(table, row, "originProcedure").equals(state.procedure)
            || value(table, row, "originFunction").equals(state.procedure)));
  }

  private static Object value(Table table, Row row, String column) {
    return row.values().get(table.column(column));
  }

  /** Work and waits are the time of the run: nothing is told twice, and the path has no gap. */
  private static void checkSums(Recording run, Table waits) throws Exception {
    assertEquals(metric(run.metrics(Level.APPLICATION), "Wait time"),
        Long.parseLong(waits.parameters().get("waitNs")));
    Table path = CriticalPathReport.of(
        run.analysis(), Level.PROCEDURE, Weight.WALL, null, Progress.NONE);
    assertEquals(path.total(), Recording.sum(path, "time", row -> true), "rows add up to the path");
    long elapsedNs = metric(run.metrics(Level.APPLICATION), "Elapsed time");
    assertTrue(path.total() <= elapsedNs, path.total() + " of " + elapsedNs);
    QuietMachine.times(() -> assertTrue(path.total() > 0.97 * elapsedNs,
        path.total() + " of " + elapsedNs + ": " + path));
  }

  private static long metric(Table table, String name) {
    return (Long) table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow().values().get(0);
  }
}
