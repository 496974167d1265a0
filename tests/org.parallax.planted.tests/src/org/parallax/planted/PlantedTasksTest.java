package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/**
 * Tasks of OpenMP that wait for each other, whose first comment says how: all of the program's waits, by its own
 * clock, are told as such, and those of the mirror, which does the same with threads and semaphores.
 */
class PlantedTasksTest {
  private static final Set<String> WAITS = Set.of("task wait", "late task", "thread barrier", "semaphore wait");
  private static final long READS_NS = 200_000;
  /** Of what follows from the lengths of tasks alone; the first thread may come late. */
  private static final double LEAST_SHARE = 0.6;

  @TempDir Path directory;

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (String runtime : List.of("gnu", "llvm", "gnu_on_llvm")) {
      for (String graph : List.of("chain", "diamond", "pipeline")) {
        cases.add(Arguments.of(runtime, graph, 2));
        cases.add(Arguments.of(runtime, graph, 8));
        cases.add(Arguments.of(runtime, "group " + graph, 4));
        cases.add(Arguments.of(runtime, "wait " + graph, 4));
      }
      for (String name : List.of("inout", "exclusive", "dependent", "undeferred", "loop", "nogroup", "nested", "late",
          "reduction", "untied", "yield")) {
        cases.add(Arguments.of(runtime, name, 4));
      }
      if (!runtime.equals("gnu_on_llvm")) {
        cases.add(Arguments.of(runtime, "detached", 2));
        cases.add(Arguments.of(runtime, "detached", 4));
      }
    }
    for (String graph : List.of("chain", "diamond", "pipeline")) {
      cases.add(Arguments.of("gnu", "mirror " + graph, 4));
    }
    return cases.stream();
  }

  private static String[] command(String runtime, String words, int threads) {
    List<String> command = new ArrayList<>(List.of("env", "OMP_WAIT_POLICY=passive",
        Recording.program("openmp_tasks." + runtime)));
    command.addAll(Arrays.asList(words.split(" ")));
    command.add("" + threads);
    return command.toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void allWaitsAreTold(String runtime, String words, int threads) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt), command(runtime, words, threads))) {
        Table table = run.waits(Level.THREAD, false);
        assertEquals(List.of(), table.warnings());
        long told = Recording.sum(table, "time", row -> WAITS.contains(row.name()));
        double waited = 1e9 * run.printed().get("waits");
        QuietMachine.times(() ->
            assertEquals(waited, told, 0.02 * waited + 20 * READS_NS, table.toString()));
      }
    });
  }

  /** Three threads wait for the tasks of the chain, wherever these are executed. */
  @ParameterizedTest
  @CsvSource({"gnu, chain", "llvm, chain", "gnu_on_llvm, chain", "gnu, mirror chain", "llvm, wait chain"})
  void theOriginOfAWaitIsTheTask(String runtime, String words) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = recordSleeps(attempt, runtime, words)) {
        Table table = run.waits(Level.THREAD, true);
        QuietMachine.times(() -> {
          checkOrigin(table, "first", 60);
          checkOrigin(table, "second", 40);
          checkOrigin(table, "third", 20);
        });
      }
    });
  }

  private Recording recordSleeps(int attempt, String runtime, String words) throws Exception {
    return Recording.of(directory.resolve("attempt" + attempt), List.of("--sample-clock", "wall"),
        List.of(command(runtime, words, 4)));
  }

  private static void checkOrigin(Table table, String procedure, long ms) {
    int path = table.column("originPath");
    long told = Recording.sum(table, "time", row -> WAITS.contains(row.name()) && isOn(row, path, procedure));
    assertTrue(told > LEAST_SHARE * 3 * ms * 1_000_000, told + " ns for " + procedure + ": " + table);
  }

  private static boolean isOn(Row row, int path, String procedure) {
    return List.of(row.values().get(path).toString().split(";")).contains(procedure);
  }

  /** The sleeps on the critical path are at least those of the longest chain of tasks. */
  @ParameterizedTest
  @CsvSource({"gnu, chain, 120", "llvm, chain, 120", "gnu_on_llvm, chain, 120", "gnu, diamond, 90",
      "llvm, diamond, 90", "gnu, pipeline, 135", "llvm, pipeline, 135", "gnu_on_llvm, pipeline, 135",
      "gnu, detached, 90", "llvm, detached, 90", "gnu, nested, 70", "llvm, untied, 90", "gnu, mirror pipeline, 135"})
  void thePathFollowsTheTasks(String runtime, String words, long ms) throws Exception {
    QuietMachine.measure(attempt -> {
      try (Recording run = recordSleeps(attempt, runtime, words)) {
        Table table = CriticalPathReport.of(run.analysis(), Level.PROCEDURE, Weight.WALL, null, Progress.NONE);
        long slept = Recording.sum(table, "time", row -> row.name().equals("nanosleep"));
        long waited =
            Recording.sum(table, "time", row -> row.name().startsWith("omp ") || row.name().equals("sem_wait"));
        assertTrue(slept <= table.total(), slept + " ns of sleep: " + table);
        // A thread that has no processor can be on the path in place of a sleep.
        QuietMachine.times(() -> {
          assertTrue(slept >= ms * 1_000_000, slept + " ns of sleep: " + table);
          assertTrue(waited < 0.5 * slept, waited + " ns of waiting: " + table);
        });
      }
    });
  }
}
