package org.parallax.planted;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.planted.PlantedStates.State;
import org.parallax.testing.QuietMachine;

/**
 * Waits between a parent and the child that it spawns, and in the mirror, whose two ranks are of one job. MPICH 4 of
 * Debian cannot spawn, and that of today opens no ports, but joins processes.
 */
class PlantedSpawnTest {
  private static final String CONNECTION = "wait at connection";
  private static final String SENDER = "late sender";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"openmpi, connect", "openmpi5, connect", "mpich5, join", "mpiabi, spawn",
      "openmpi, join", "openmpi, messages", "mpich, messages"})
  void eachWaitIsFoundWithItsOrigin(String mpi, String way) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    boolean mirror = way.equals("messages");
    List<State> states = new ArrayList<>(List.of(
        new State("spawn", mirror ? SENDER : CONNECTION, "delay_start"),
        new State("late_child", SENDER, "delay_child"),
        new State("late_parent", SENDER, "delay_parent"),
        new State("barrier", "wait at barrier", "delay_barrier"),
        new State("merge", "wait at NxN", "delay_merge"),
        new State("merged", "wait at NxN", "delay_merged")));
    if (!way.equals("spawn")) {
      states.add(new State("accept", mirror ? SENDER : CONNECTION, "delay_connect"));
      states.add(new State("connect", mirror ? SENDER : CONNECTION, "delay_accept"));
    }
    QuietMachine.measure(attempt -> {
      try (Recording run = PlantedStates.record(directory.resolve("attempt" + attempt), mpi,
          mirror ? 2 : 1, "spawn_waits", "60", way)) {
        PlantedStates.check(run, states);
      }
    });
  }
}
