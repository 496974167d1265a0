package org.parallax.analysis.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/**
 * Writes what another tool can show. A plug-in adds a format by an implementation with a public constructor without
 * parameters, named in an extension of {@code org.parallax.analysis.exports}. A format has no state: several threads
 * can call it at once.
 */
public interface ExportFormat {
  /**
   * What is written.
   *
   * @param node null for all of the analysis
   */
  record Part(ApplicationAnalysis analysis, TreeNode node) {}

  /** @return the name on the command line: a word of lower-case letters and digits */
  String id();

  /** @return what it writes, for a person: up to 60 characters */
  String summary();

  /** @return the end of names of its files, with the point; empty if it writes a directory */
  String suffix();

  /** @return false if it writes whole traces only: the part is then all of one trace */
  default boolean takesParts() {
    return true;
  }

  /** @return whether it can be written of a profile, which has sums by thread and call path and no events */
  default boolean takesProfiles() {
    return false;
  }

  /**
   * Writes a file or a directory.
   *
   * @param target where nothing is yet, in a directory that exists
   * @param progress told of the work; may cancel
   * @return what is missing in it, as sentences without an end
   * @throws IOException when it cannot be written; the caller removes what is there
   * @throws TraceException when the trace cannot be read, or what writes the format is missing
   */
  List<String> write(Part part, Path target, Progress progress) throws IOException, TraceException;
}
