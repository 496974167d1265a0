package org.parallax.fuzz;

import java.nio.file.Path;
import java.util.List;

/**
 * A reader with sound inputs, which are changed.
 *
 * @param name for people
 * @param corpus sound inputs
 * @param isText whether words and lines are changed, too
 * @param anySize bytes of memory that reading an input of any size may allocate, beside {@link #PER_BYTE}
 * @param read reads everything; returns if the input is sound or the reader has told what is wrong
 */
record FuzzedReader(String name, List<Path> corpus, boolean isText, long anySize, Read read) {
  /** Bytes that reading may allocate for each byte of the input, or of the trace that it is in. */
  static final int PER_BYTE = 400;

  /** Reads a file. */
  interface Read {
    /** @throws Exception only if the reader has a defect */
    void all(Path file) throws Exception;
  }

  @Override
  public String toString() {
    return name;
  }
}
