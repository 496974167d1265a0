package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.planted.PlantedStates.State;
import org.parallax.testing.QuietMachine;

/**
 * Waits in collective MPI-IO and the bytes of all of it, and the same waits in the mirror, which waits in barriers
 * and then reads and writes.
 */
class PlantedFilesTest {
  /** Two ranks, four times 4 KiB each. */
  private static final long BYTES = 2 * 4 * 4096;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"openmpi, files", "mpich, files", "openmpi5, files", "mpich5, files", "mpiabi, files",
      "openmpi, barriers", "mpich, barriers"})
  void eachWaitIsFoundWithItsOrigin(String mpi, String way) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    String name = way.equals("files") ? "wait at collective I/O" : "wait at barrier";
    List<State> states = Stream.of("open", "write", "sync", "read", "close")
        .map(call -> new State(call, name, "delay_" + call)).toList();
    QuietMachine.measure(attempt -> {
      Path file = directory.resolve("file" + attempt);
      try (Recording run = PlantedStates.record(directory.resolve("attempt" + attempt), mpi, 2,
          "file_waits", file.toString(), "60", way)) {
        PlantedStates.check(run, states);
        // What the program prints goes to a terminal of Open MPI, which counts as a file.
        long printed = bytes(run, "File bytes written") - BYTES;
        assertTrue(printed >= 0 && printed <= run.output().length(), "beside the file: " + printed);
        assertTrue(bytes(run, "File bytes read") >= BYTES);
      }
    });
  }

  private static long bytes(Recording run, String name) {
    Table metrics = run.metrics(Level.APPLICATION);
    return (Long) metrics.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow(() -> new AssertionError(metrics.toString())).values().get(0);
  }
}
