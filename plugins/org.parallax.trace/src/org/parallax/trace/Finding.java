package org.parallax.trace;

import java.util.Locale;

/**
 * Something that {@link TraceChecker} found.
 *
 * @param file the file's name in the trace directory, empty when it concerns several
 * @param block the ordinal of the block in an event file, -1 where there is none
 * @param byteOffset from the file's beginning, -1 when it concerns no single place
 * @param fact what was found, and what was expected
 * @param meaning what it means for a person who reads the trace
 * @param nextStep what can be done; may be empty
 */
public record Finding(Severity severity, String file, long block, long byteOffset, String fact,
    String meaning, String nextStep) {

  /** How bad it is. */
  public enum Severity {
    /** The trace is damaged or against the format: a part of it cannot be used. */
    ERROR,
    /** The trace is sound but not whole: results can mislead. */
    WARNING,
    /** Worth knowing. */
    INFO
  }

  /** File, block and byte offset as far as there are any; empty when it concerns several files. */
  public String place() {
    StringBuilder place = new StringBuilder(file);
    if (block >= 0) {
      place.append(", block ").append(block);
    }
    if (byteOffset >= 0) {
      place.append(", byte ").append(byteOffset);
    }
    return place.toString();
  }

  /** All of it in one line. */
  @Override
  public String toString() {
    String place = place();
    return severity.name().toLowerCase(Locale.ROOT) + ": " + place
        + (place.isEmpty() ? "" : ": ") + fact + ". " + meaning
        + (nextStep.isEmpty() ? "" : ". " + nextStep);
  }
}
