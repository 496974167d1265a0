package org.parallax.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.text.JsonWriter;
import org.parallax.model.Comparison;
import org.parallax.model.Run;
import org.parallax.model.Session;
import org.parallax.model.SessionFile;
import org.parallax.trace.TraceException;

/** The traces that a command line names. */
final class Traces {
  /** A run of a session can be a session. */
  private static final int DEEPEST = 1;

  private Traces() {
  }

  static List<Path> paths(List<String> names) throws UsageException {
    if (names.isEmpty()) {
      throw new UsageException("the trace's directory is missing; record one with: "
          + "parallax record -o DIR -- COMMAND");
    }
    List<Path> paths = new ArrayList<>();
    for (String name : names) {
      try {
        paths.add(Path.of(name));
      } catch (InvalidPathException e) {
        throw new UsageException("\"" + name + "\" cannot be the name of a directory");
      }
    }
    return paths;
  }

  /** Whether a path is a session file, or the name of one that is not there. */
  static boolean isSession(Path path) {
    return SessionFile.isNamed(path) && !Files.isDirectory(path);
  }

  /** The trace, or those of the runs of a session file, each once. */
  static List<Path> traces(Path path) throws TraceException {
    return List.copyOf(traces(path, 0));
  }

  private static Set<Path> traces(Path path, int depth) throws TraceException {
    Set<Path> traces = new LinkedHashSet<>();
    if (isSession(path) && depth <= DEEPEST) {
      for (Run run : SessionFile.read(path).getRuns()) {
        traces.addAll(traces(SessionFile.trace(path, run), depth + 1));
      }
    } else {
      traces.add(path);
    }
    return traces;
  }

  /**
   * The session file in which there is a comparison, which stands by itself; null when none is named.
   */
  static Session comparison(List<Path> paths) throws TraceException, UsageException {
    for (Path path : paths) {
      if (Comparison.isIn(path)) {
        if (paths.size() > 1) {
          throw new UsageException(path + " is a comparison, which stands by itself; add runs to it "
              + "with: parallax session " + path + " --replay TRACE");
        }
        return SessionFile.read(path);
      }
    }
    return null;
  }

  /** The JSON of one trace, or an array when several were asked for. */
  static String json(List<Path> asked, List<Object> documents) {
    if (asked.size() > 1) {
      return JsonWriter.write(documents);
    }
    return documents.isEmpty() ? "" : JsonWriter.write(documents.get(0));
  }
}
