package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/** Checks wait states of a program that prints how long each waiting call and each delay took. */
final class PlantedStates {
  /** The least that a wait is of the work that it waited for. */
  private static final double LEAST_SHARE = 0.6;
  /** Between two reads of a clock, in the program and in the agent. */
  private static final long READS_NS = 200_000;
  /**
   * A wait that is planted.
   *
   * @param printed the name of the waiting call in the output
   * @param name of the wait state
   * @param procedure what it waits for, with what that calls; its time has this name in the output
   */
  record State(String printed, String name, String procedure) {}

  private PlantedStates() {
  }

  /** Records a program so that its sleeps are calls with their call paths. */
  static Recording record(Path directory, String mpi, int ranks, String program, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(Recording.mpirun(mpi), "-n", Integer.toString(ranks),
        Recording.program(program + "." + mpi)));
    command.addAll(List.of(arguments));
    return Recording.of(directory, List.of("--sample-clock", "wall"), command);
  }

  /**
   * Each state has its procedure as its origin, as long as the program itself measured, and nothing is told twice. A
   * call that took less than half of the work did not wait for it, as some libraries do not.
   */
  static void check(Recording run, List<State> states) throws Exception {
    Map<String, Double> printed = run.printed();
    Table table = run.waits(Level.PROCESS, true);
    assertEquals(List.of(), table.warnings());
    for (State state : states) {
      double call = printed.get(state.printed);
      double work = printed.get(state.procedure);
      long waited = Recording.sum(table, "originTime", row -> row.name().equals(state.name)
          && (row.values().get(table.column("originPath")) + ";").contains(";" + state.procedure + ";"));
      String message = String.format("%s for %s: %d ns; the call took %.6f s, the work %.6f s%n%s",
          state.name, state.procedure, waited, call, work, table);
      boolean waits = call > work / 2;
      if (waits && waited < LEAST_SHARE * 1e9 * Math.min(call, work)) {
        throw new QuietMachine.WrongTime(message);
      }
      QuietMachine.times(() -> {
        assertTrue(waited <= 1e9 * work + READS_NS, message);
        assertTrue(waited <= 1e9 * call + READS_NS, message);
      });
    }
    checkSums(run, table);
  }

  /** Work and waits are the time of the run: nothing is told twice, and the path has no gap. */
  private static void checkSums(Recording run, Table waits) throws Exception {
    assertEquals(metric(run.metrics(Level.APPLICATION), "Wait time"),
        Long.parseLong(waits.parameters().get("waitNs")));
    Table path = CriticalPathReport.of(
        run.analysis(), Level.PROCEDURE, Weight.WALL, null, Progress.NONE);
    assertEquals(path.total(), Recording.sum(path, "time", row -> true), "rows add up to the path");
    long elapsedNs = metric(run.metrics(Level.APPLICATION), "Elapsed time");
    String message = path.total() + " of " + elapsedNs + ": " + path;
    assertTrue(path.total() <= elapsedNs, message);
    // Ranks that begin at different times leave a gap.
    QuietMachine.times(() -> assertTrue(path.total() > 0.97 * elapsedNs, message));
  }

  private static long metric(Table table, String name) {
    Row found = table.rows().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    return (Long) found.values().get(0);
  }
}
