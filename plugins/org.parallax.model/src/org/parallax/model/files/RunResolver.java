package org.parallax.model.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.parallax.model.Run;
import org.parallax.model.Session;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/**
 * Finds the runs that a path stands for. This is the only place that does so; the command line and the
 * IDE both use it.
 *
 * <ul>
 * <li>A trace is one run.
 * <li>A session file is the runs that it names. A run can be a session itself, at any depth: the run
 *     then has all traces of that session. A session must not contain itself, and a session inside
 *     another one must not be a comparison.
 * <li>A directory with session files, as a launch writes it, stands for the one that no other names.
 * <li>A directory of traces without a session file is a run for each trace, in the order of names.
 * </ul>
 *
 * <p>Reads session files and lists directories; no trace is opened. A path that is none of these counts
 * as a trace, so that opening it tells why it cannot be read. Each session file is read once, so the
 * cost is linear in their number and in the number of traces that they name.
 */
public final class RunResolver {
  private final List<TraceException> faults = new ArrayList<>();
  /** The traces of a nested session file, and whether none of its runs is missing. */
  private record Known(List<Path> traces, boolean whole) {}

  /** The nested session files that were read, by the absolute path of each. */
  private final Map<Path, Known> known = new HashMap<>();
  /** Whether nothing was missing up to now in the run that is resolved. */
  private boolean whole;
  /** The session files around the one that is read, from the outermost on. */
  private final Set<Path> around = new LinkedHashSet<>();

  private RunResolver() {}

  /**
   * @return the runs that the path stands for; {@link ResolvedRuns#faults} tells which of them could not
   *     be found
   */
  public static ResolvedRuns resolve(Path path) {
    RunResolver resolver = new RunResolver();
    try {
      Path file = sessionFile(path);
      if (file != null) {
        return resolver.resolve(SessionFile.read(file), file);
      }
      List<ResolvedRuns.Entry> runs = traces(path).stream()
          .map(trace -> new ResolvedRuns.Entry(trace, null, List.of(trace), true)).toList();
      return new ResolvedRuns(path, null, runs, List.of());
    } catch (TraceException e) {
      return new ResolvedRuns(path, null, List.of(), List.of(e));
    }
  }

  /**
   * @param document a session that need not be written
   * @param file to which the paths in the session are relative; it need not exist
   * @return the runs of the session
   */
  public static ResolvedRuns of(Session document, Path file) {
    return new RunResolver().resolve(document, file);
  }

  private ResolvedRuns resolve(Session document, Path file) {
    around.add(key(file));
    List<ResolvedRuns.Entry> runs = new ArrayList<>();
    for (Run run : document.getRuns()) {
      Path source = SessionFile.trace(file, run);
      whole = true;
      List<Path> traces = nested(source);
      runs.add(new ResolvedRuns.Entry(source, run, traces, whole));
    }
    return new ResolvedRuns(file, document, runs, faults);
  }

  /** The traces of a run, each once; what cannot be found is left out and is a fault. */
  private List<Path> nested(Path path) {
    try {
      Path file = sessionFile(path);
      return file == null ? traces(path) : nestedSession(file);
    } catch (TraceException e) {
      faults.add(e);
      whole = false;
      return List.of();
    }
  }

  private List<Path> nestedSession(Path file) throws TraceException {
    Path key = key(file);
    if (around.contains(key)) {
      throw new TraceException("the session " + file + " contains itself: " + Stream.concat(
          around.stream().dropWhile(each -> !each.equals(key)), Stream.of(key))
          .map(each -> String.valueOf(each.getFileName())).collect(Collectors.joining(" > ")),
          "Remove one of these runs: parallax session FILE --remove NAME");
    }
    if (known.containsKey(key)) {
      whole &= known.get(key).whole;
      return known.get(key).traces;
    }
    Session document = SessionFile.read(file);
    if (ResolvedRuns.isComparison(document.getRuns())) {
      throw new TraceException(file + " is itself a comparison",
          "Name its traces, or sessions without a base");
    }
    Set<Path> traces = new LinkedHashSet<>();
    boolean wholeBefore = whole;
    whole = true;
    around.add(key);
    document.getRuns().forEach(run -> traces.addAll(nested(SessionFile.trace(file, run))));
    around.remove(key);
    known.put(key, new Known(List.copyOf(traces), whole));
    whole &= wholeBefore;
    return known.get(key).traces;
  }

  /**
   * @return the session file that a path stands for, itself or one in the directory of a launch; null
   *     if it stands for none
   * @throws TraceException when there are several in the directory, and none of them names the others
   */
  private static Path sessionFile(Path path) throws TraceException {
    if (!Files.isDirectory(path)) {
      return SessionFile.isNamed(path) ? path : null;
    }
    if (Trace.mayBeTrace(path)) {
      return null;
    }
    List<Path> files = entries(path).stream()
        .filter(each -> SessionFile.isNamed(each) && Files.isRegularFile(each)).toList();
    Set<Path> named = new HashSet<>();
    files.forEach(each -> named.addAll(named(each)));
    List<Path> outermost = files.stream().filter(each -> !named.contains(each)).toList();
    if (files.isEmpty() || outermost.size() == 1) {
      return files.isEmpty() ? null : outermost.get(0);
    }
    throw new TraceException(path + " is not a trace, and none of its session files contains all "
        + "the others: "
        + files.stream().map(each -> String.valueOf(each.getFileName()))
            .collect(Collectors.joining(", ")), "Name one of these files");
  }

  /** What a session file names itself; nothing if it cannot be read, which is told when it is opened. */
  private static List<Path> named(Path file) {
    try {
      return SessionFile.read(file).getRuns().stream().map(run -> SessionFile.trace(file, run))
          .toList();
    } catch (TraceException e) {
      return List.of();
    }
  }

  /** A trace, or those in a directory that is none. */
  private static List<Path> traces(Path path) {
    if (!Files.isDirectory(path) || Trace.mayBeTrace(path)) {
      return List.of(path);
    }
    List<Path> inside = entries(path).stream().filter(Trace::isTrace).toList();
    return inside.isEmpty() ? List.of(path) : inside;
  }

  /** What is in a directory, in the order of names; nothing if it cannot be read. */
  private static List<Path> entries(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(Path::normalize).sorted().toList();
    } catch (IOException e) {
      // Opening the directory as a trace tells why.
      return List.of();
    }
  }

  /** Equal for one file, however it is named. */
  private static Path key(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file.toAbsolutePath().normalize();
    }
  }
}
