package org.parallax.trace.code;

import java.util.Collection;
import org.parallax.trace.Progress;

/** Reads the machine code of functions. Can be used by several threads at once. */
public interface CodeReader {
  /** How instructions are written. */
  enum Syntax { INTEL, ATT }

  /**
   * Reads functions.
   *
   * @param path of the program or library
   * @param buildId that the file must have; empty when none was recorded
   * @param offsets from the load bias: each is in a function that is wanted
   * @return the functions, each once
   * @throws CodeException when the file is gone or has another build id, and when the tool that
   *     reads code is missing
   * @throws java.util.concurrent.CancellationException when {@code progress} cancels
   */
  MachineCode read(String path, String buildId, Collection<Long> offsets, Syntax syntax,
      Progress progress) throws CodeException;
}
