package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.waits.Traffic;
import org.parallax.planted.PlantedStates.State;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/**
 * Waits for partitions of a message, and in the mirror for as many messages. Debian's Open MPI has no partitioned
 * communication.
 */
class PlantedPartitionsTest {
  private static final String SENDER = "late sender";
  private static final String RECEIVER = "late receiver";
  /** What the ranks tell each other to go on. */
  private static final long MEETINGS = 6 * Integer.BYTES;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"openmpi5, partitioned", "mpich, partitioned", "mpich5, partitioned", "mpiabi, partitioned",
      "openmpi, messages", "mpich, messages"})
  void eachWaitIsFoundWithItsOrigin(String mpi, String way) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    String partition = way.equals("messages") ? SENDER : "late partition";
    List<State> states = List.of(
        new State("late_start", SENDER, "delay_start"),
        new State("late_last", partition, "delay_last"),
        new State("late_first", partition, "delay_first"),
        new State("arrived", partition, "delay_arrived"),
        new State("both_halves", partition, "delay_rest"),
        new State("late_receiver", RECEIVER, "delay_receiver"));
    QuietMachine.measure(attempt -> {
      try (Recording run = PlantedStates.record(directory.resolve("attempt" + attempt), mpi, 2,
          "partitioned_waits", "60", way)) {
        PlantedStates.check(run, states);
        checkBytes(run);
      }
    });
  }

  private static void checkBytes(Recording run) throws Exception {
    Traffic traffic = Traffic.of(run.analysis().workload().processes(), Window.ALL, Progress.NONE);
    long there = traffic.flows().stream().filter(flow -> flow.from() < flow.to()).mapToLong(Traffic.Flow::bytes).sum();
    long back = traffic.flows().stream().filter(flow -> flow.from() > flow.to()).mapToLong(Traffic.Flow::bytes).sum();
    assertEquals(run.printed().get("bytes").longValue() + MEETINGS, Math.max(there, back));
    assertEquals(MEETINGS, Math.min(there, back));
  }
}
