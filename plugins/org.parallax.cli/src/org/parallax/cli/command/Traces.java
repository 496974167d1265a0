package org.parallax.cli.command;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.parallax.analysis.text.JsonWriter;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.files.RunResolver;
import org.parallax.trace.Absence;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** The traces that a command line names. */
public final class Traces {
  private static final int MAX_ABSENCES = 3;

  private Traces() {
  }

  /** @return the paths that were given, at least one */
  public static List<Path> paths(List<String> names) throws UsageException {
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

  /**
   * The session in which there is a comparison, which stands by itself; null when none is named.
   */
  public static ResolvedRuns comparison(List<Path> paths) throws TraceException, UsageException {
    for (Path path : paths) {
      ResolvedRuns resolved = RunResolver.resolve(path);
      if (resolved.isComparison()) {
        if (paths.size() > 1) {
          throw new UsageException(path + " is a comparison and cannot be combined with other "
              + "runs; add runs to it with: parallax session " + resolved.path() + " --replay "
              + "TRACE");
        }
        return resolved.orThrow();
      }
    }
    return null;
  }

  /**
   * What a person must read before a result: which processes and threads have no events.
   *
   * @return lines that end with an empty one; empty if the traces are whole
   */
  public static String absences(Collection<Trace> traces) {
    List<Absence> all = traces.stream().distinct().flatMap(trace -> trace.absences().stream()).toList();
    if (all.isEmpty()) {
      return "";
    }
    int more = all.size() - MAX_ABSENCES;
    return "incomplete: " + all.stream().limit(MAX_ABSENCES).map(Absence::text)
        .collect(Collectors.joining("; ")) + (more > 0 ? "; and " + more + " more" : "") + ". "
        + Absence.MEANING + ".\n\n";
  }

  /** The JSON of one trace, or an array when several were asked for. */
  public static String json(boolean several, List<Object> documents) {
    if (several) {
      return JsonWriter.write(documents);
    }
    return documents.isEmpty() ? "" : JsonWriter.write(documents.get(0));
  }
}
