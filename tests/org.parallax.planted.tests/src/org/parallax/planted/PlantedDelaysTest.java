package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.waits.DelayCosts;
import org.parallax.analysis.waits.WaitStates;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Progress;

/**
 * Delay costs of a program whose delays come long before the waits: what the late side did meanwhile
 * is another procedure. Threads with semaphores tell the same as ranks with messages.
 */
class PlantedDelaysTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"messages, late sender", "semaphores, semaphore wait"})
  void theDelayIsTheWorkBeforeAndNotTheWorkMeanwhile(String way, String state) throws Exception {
    String[] program = {Recording.program("early_delay.openmpi"), way};
    String[] command = way.equals("messages")
        ? new String[] {"mpirun.openmpi", "-n", "3", program[0], way} : program;
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt), command)) {
        check(run, state);
      }
    });
  }

  private static void check(Recording run, String state) throws Exception {
    Map<String, Double> printed = run.printed();
    Table waits = run.waits(Level.THREAD, true);
    double all = Recording.sum(waits, "time", row -> row.name().equals(state));
    double meanwhile = Recording.sum(waits, "time", row -> row.name().equals(state)
        && row.values().get(waits.column("originPath")).toString().contains("common_work"));
    Map<String, Long> delays = delays(run.analysis(), state);
    double told = delays.values().stream().mapToLong(ns -> ns).sum();
    double waited = 1e9 * (printed.get("wait_1") + printed.get("wait_2"));
    String message = all + " ns of " + waited + ", meanwhile " + meanwhile + ", delays " + delays;
    assertEquals(List.of(), waits.warnings());
    QuietMachine.times(() -> {
      assertTrue(all > 0.6 * waited && all < 1.01 * waited, message);
      // Barriers pass on to these waits what they cost, which is little.
      assertTrue(told > 0.9 * all && told < 1.3 * all, message);
      assertTrue(meanwhile > 0.35 * all, message);
      assertTrue(delays.get("early_work") > 0.6 * told, message);
      assertTrue(delays.getOrDefault("common_work", 0L) < 0.25 * told, message);
      assertTrue(delays.get("link_work") > 0.01 * told
          && delays.get("link_work") < 0.2 * told, message);
    });
  }

  /** Costs by the procedure that was late, of waits in one state and of what these passed on. */
  private static Map<String, Long> delays(ApplicationAnalysis analysis, String state) {
    DelayCosts costs = analysis.delayCosts(Progress.NONE);
    Map<String, Long> delays = new HashMap<>();
    costs.costs().forEach((delay, cost) -> cost.victims().forEach((victim, ns) -> {
      if (victim.state().label().equals(state)) {
        delays.merge(name(analysis, costs, delay), ns, Long::sum);
      }
    }));
    return delays;
  }

  /** The procedure, with or without a processor. */
  private static String name(
      ApplicationAnalysis analysis, DelayCosts costs, DelayCosts.Delay delay) {
    if (delay.thread() == DelayCosts.UNEXPLAINED || delay.path() == WaitStates.NOT_BEGUN) {
      return "";
    }
    ThreadRecord record = costs.replay().threads().get(delay.thread());
    CallPaths paths = record.process().callPaths();
    int path = paths.isOffCpu(delay.path())
        ? paths.parent(delay.path()) : delay.path();
    return analysis.procedures().get(
        analysis.procedures().leaf(record.process().index(), path)).name();
  }
}
