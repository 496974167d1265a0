package org.parallax.analysis.replay;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** Traces of random programs, for tests of other packages. */
public final class RandomPrograms {
  private RandomPrograms() {}

  /** Writes the trace of a random program of some ranks and about so many steps. */
  public static Path write(long seed, Path directory, int ranks, int steps) {
    return new RandomProgram(seed, directory, ranks, steps).write();
  }

  /** The same, with machines, node0 and node1, whose clocks show other times. */
  public static Path write(long seed, Path directory, int ranks, int steps, Map<String, LongUnaryOperator> clocks) {
    return new RandomProgram(seed, directory, ranks, steps, clocks).write();
  }
}
