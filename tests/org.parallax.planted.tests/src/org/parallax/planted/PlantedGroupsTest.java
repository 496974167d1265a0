package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.CriticalPathReport.Grouping;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/** The arcs of a path through many ranks: however they are grouped, they add up to the same. */
class PlantedGroupsTest {
  private static final int RANKS = 8;
  private static final int STEPS = 8;

  @TempDir Path directory;

  @Test
  void groupsOfArcsAddUpToTheSame() throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt), List.of("--sample-clock", "wall"),
          List.of(Recording.mpirun("openmpi"), "-n", "" + RANKS, Recording.program("grouped_arcs.openmpi"),
              "" + STEPS))) {
        Table pairs = path(run, Grouping.PAIR);
        for (Grouping by : Grouping.values()) {
          Table table = path(run, by);
          assertEquals(pairs.total(), table.total(), by + " has the same path");
          assertEquals(table.total(), Recording.sum(table, "time", row -> true), by + " adds up to the path");
          assertEquals(sums(pairs, "time"), sums(table, "time"), by + ": time of each kind");
          assertEquals(sums(pairs, "count"), sums(table, "count"), by + ": arcs of each kind");
        }
        assertTrue(path(run, Grouping.KIND).rows().stream().filter(row -> row.name().equals("Coll")).count() == 1,
            () -> "one row for collectives: " + path(run, Grouping.KIND));
        checkOperations(run);
      }
    });
  }

  /** The path comes to the rank that is late next by the collective before, which its caller tells apart. */
  private static void checkOperations(Recording run) throws Exception {
    Table operations = path(run, Grouping.OPERATION);
    long increments = Recording.sum(operations, "count",
        row -> row.name().equals("Coll: MPI_Allreduce in TimeIncrement"));
    long outputs = Recording.sum(operations, "count", row -> row.name().equals("Coll: MPI_Allreduce in Output"));
    Table paths = path(run, Grouping.PATH);
    double slept = 1e9 * (run.printed().get("late_step") + run.printed().get("late_output"));
    long onPath = Recording.sum(paths, "time", row -> row.values().get(paths.column("path")).toString()
        .matches(".*;late_(step|output)(;.*)?"));
    QuietMachine.times(() -> {
      assertTrue(increments > STEPS / 2 && outputs > STEPS / 2 && increments <= STEPS && outputs <= STEPS,
          increments + " and " + outputs + " arcs of " + STEPS + ": " + operations);
      assertTrue(onPath > 0.9 * slept, onPath + " of " + slept + " ns of sleep are on the path: " + paths);
    });
  }

  private static Table path(Recording run, Grouping by) {
    return CriticalPathReport.of(run.analysis(), Level.PROCEDURE, by, Weight.WALL, null, Progress.NONE);
  }

  /** @return sums of a column, by the kind of the arcs; of work by that of all work */
  private static Map<String, Long> sums(Table table, String column) {
    Map<String, Long> sums = new TreeMap<>();
    for (Row row : table.rows()) {
      sums.merge(row.values().get(table.column("kind")).toString(), (Long) row.values().get(table.column(column)),
          Long::sum);
    }
    return sums;
  }
}
