package org.parallax.trace;

import java.nio.file.Path;

/**
 * Reads traces that another tool has written, by writing them anew in the format of Parallax. Another
 * plug-in adds a format by an implementation with a public constructor without parameters, named in an
 * extension of {@code org.parallax.trace.formats}. A format has no state: several threads can call it at
 * once.
 */
public interface TraceFormat {
  /** @return the name for people */
  String name();

  /**
   * Looks at names and, where these do not tell, at the first bytes. Called for every path that is no
   * trace of Parallax, so it takes a millisecond at most.
   *
   * @param path a file or a directory that exists
   * @return whether this is a trace of the format
   */
  boolean isTrace(Path path);

  /**
   * Writes a trace in the format of Parallax, or finds one that was written before. The format decides
   * where it is, and for how long it stays.
   *
   * @param path of which {@link #isTrace} holds
   * @param progress told of the work; may cancel
   * @return the directory of the trace in the format of Parallax
   * @throws TraceException when the trace cannot be read, or the other one cannot be written
   */
  Path convert(Path path, Progress progress) throws TraceException;
}
