package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.planted.PlantedStates.State;
import org.parallax.testing.QuietMachine;

/** Waits of programs with the sessions of MPI 4, and in the mirror, which has MPI_Init alone. */
class PlantedSessionTest {
  private static final String BEGIN_AND_END = "wait at init and finalize";
  private static final String NXN = "wait at NxN";
  private static final String SENDER = "late sender";

  private static final State START = new State("start", BEGIN_AND_END, "delay_start");
  private static final State END = new State("end", BEGIN_AND_END, "delay_end");
  private static final List<State> STATES = List.of(
      new State("create", NXN, "delay_create"),
      new State("send", SENDER, "delay_send"),
      new State("barrier", "wait at barrier", "delay_barrier"),
      new State("reduce", NXN, "delay_reduce"),
      new State("groups", NXN, "delay_groups"),
      new State("inter", SENDER, "delay_inter"),
      new State("fence", "wait at fence", "delay_fence"),
      new State("second", NXN, "delay_second"));

  @TempDir Path directory;

  private static boolean isMpich5(String mpi) {
    return mpi.equals("mpich5") || mpi.equals("mpiabi");
  }

  @ParameterizedTest
  @CsvSource({"mpich, sessions", "openmpi5, sessions", "openmpi5, both", "mpich5, sessions", "mpich5, both",
      "mpiabi, sessions", "openmpi, init", "openmpi5, init"})
  void eachWaitIsFoundWithItsOrigin(String mpi, String way) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    List<State> states = new ArrayList<>(STATES);
    if (!way.equals("sessions") || !isMpich5(mpi)) {
      states.add(START);
    }
    if (way.equals("init") || !mpi.equals("openmpi5")) {
      states.add(END);
    }
    QuietMachine.measure(attempt -> {
      try (Recording run = PlantedStates.record(directory.resolve("attempt" + attempt), mpi, 2, "session_waits", "60",
          way)) {
        PlantedStates.check(run, states);
        assertEquals(List.of(0, 1),
            run.analysis().workload().processes().stream().map(each -> each.mpi().worldRank()).sorted().toList());
      }
    });
  }
}
