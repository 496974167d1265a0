package org.parallax.ui.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.SessionFile;
import org.parallax.trace.Manifest;
import org.parallax.trace.TraceException;

/**
 * What ran, once or again and again, and is open together. Immutable.
 *
 * @param source what was opened: a trace, a session file, or the directory of a launch
 * @param series of which launch it is a run; empty for none
 * @param name for people
 * @param isBase whether it is there for others to be compared with it
 * @param repetitions at least one
 */
public record OpenRun(Path source, String series, String name, boolean isBase,
    List<Repetition> repetitions) {
  private static final int DEEPEST = 4;

  /**
   * What ran once.
   *
   * @param source the trace, or the session file that names its traces; null where there is none
   */
  public record Repetition(Path source, List<Path> traces) {
    public Repetition {
      traces = List.copyOf(traces);
    }

    /** What is left of it; the source, if it names more than that, is none of it. */
    private Repetition without(Set<Path> others) {
      List<Path> left = traces.stream().filter(each -> !others.contains(each)).toList();
      return left.size() == traces.size() ? this : of(null, left);
    }

    private static Repetition of(Path source, List<Path> traces) {
      return new Repetition(traces.size() == 1 ? traces.get(0) : source, traces);
    }
  }

  /**
   * A launch of which runs are opened, one after the other.
   *
   * @param id equal for its runs
   * @param name of the run that is opened
   * @param former how many of its runs stay open beside that one
   * @param without traces that are not opened
   * @param isBase whether it is opened for others to be compared with it, without what it was itself
   *     compared with
   */
  public record Series(String id, String name, int former, Set<Path> without, boolean isBase) {
    public static final Series NONE = new Series("", "", Integer.MAX_VALUE, Set.of());
    public static final Series EARLIER = new Series("", "", Integer.MAX_VALUE, Set.of(), true);

    public Series(String id, String name, int former, Set<Path> without) {
      this(id, name, former, without, false);
    }
  }

  /** All traces, in their order. */
  public List<Path> traces() {
    return repetitions.stream().flatMap(each -> each.traces().stream()).distinct().toList();
  }

  private static boolean isSession(Path path) {
    return SessionFile.isNamed(path) && Files.isRegularFile(path);
  }

  /**
   * The session file that a path stands for: itself, or in the directory of a launch the one that no
   * other names. Reads files.
   *
   * @return null for a trace, and for what is neither
   */
  static Path sessionFile(Path path) {
    if (!Files.isDirectory(path) || Files.exists(path.resolve(Manifest.FILE_NAME))) {
      return isSession(path) ? path : null;
    }
    Set<Path> files = new HashSet<>();
    Set<Path> named = new HashSet<>();
    try (Stream<Path> all = Files.list(path)) {
      all.filter(OpenRun::isSession).map(Path::normalize).forEach(files::add);
    } catch (IOException e) {
      // It is told why when the directory is read as a trace.
    }
    files.forEach(each -> named.addAll(named(each)));
    files.removeAll(named);
    return files.size() == 1 ? files.iterator().next() : null;
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

  /** Runs of which only these traces are left out; of those that have no others, nothing is left. */
  static List<OpenRun> without(Set<Path> others, List<OpenRun> runs) {
    return runs.stream()
        .map(run -> new OpenRun(run.source, run.series, run.name, run.isBase,
            run.repetitions.stream().map(each -> each.without(others))
                .filter(each -> !each.traces.isEmpty()).toList()))
        .filter(run -> !run.repetitions.isEmpty()).toList();
  }

  /**
   * The runs of a session file; of a trace, the one that it is. Reads files.
   *
   * @param file the {@link #sessionFile} that the path stands for, or null
   * @param unread is given why for each session file that cannot be read, this one or one that is
   *        named in it; the rest is returned
   */
  static List<OpenRun> of(Path path, Path file, Series series, List<TraceException> unread) {
    if (file == null) {
      return series.id().isEmpty() ? List.of() : List.of(new OpenRun(path, series.id(),
          series.name(), false, List.of(new Repetition(path, List.of(path)))));
    }
    Session document;
    try {
      document = SessionFile.read(file);
    } catch (TraceException e) {
      unread.add(e);
      return List.of();
    }
    Map<String, List<Run>> groups = new LinkedHashMap<>();
    for (Run run : document.getRuns()) {
      boolean isBase = run.getMode() == RunMode.COMPARISON;
      groups.computeIfAbsent(isBase + Objects.requireNonNullElse(run.getGroup(), ""),
          key -> new ArrayList<>()).add(run);
    }
    List<OpenRun> runs = new ArrayList<>();
    for (List<Run> group : groups.values()) {
      List<Repetition> repetitions = repetitions(file, group, unread);
      Run first = group.get(0);
      boolean isNew = group.stream().anyMatch(run -> run.getCommand() != null);
      String own = first.getGroup() == null ? first.getName() : first.getGroup();
      runs.add(new OpenRun(path, isNew ? series.id() : "",
          isNew && !series.name().isEmpty() ? series.name() : own,
          first.getMode() == RunMode.COMPARISON, repetitions));
    }
    if (series.isBase() && !runs.stream().allMatch(OpenRun::isBase)) {
      runs.removeIf(OpenRun::isBase);
      runs.replaceAll(run -> new OpenRun(path, "", run.name, true, run.repetitions));
    }
    return without(series.without(), runs);
  }

  /** Runs of a group are repetitions; without one they are parts of what ran once. */
  private static List<Repetition> repetitions(Path file, List<Run> group,
      List<TraceException> unread) {
    List<Repetition> repetitions = new ArrayList<>();
    List<Path> parts = new ArrayList<>();
    for (Run run : group) {
      Path source = SessionFile.trace(file, run);
      int before = unread.size();
      List<Path> traces = traces(source, 0, unread);
      if (run.getGroup() == null) {
        parts.addAll(traces);
      } else {
        repetitions.add(unread.size() == before ? new Repetition(source, traces)
            : Repetition.of(null, traces));
      }
    }
    repetitions.add(Repetition.of(null, parts));
    return repetitions;
  }

  private static List<Path> traces(Path path, int depth, List<TraceException> unread) {
    List<Path> traces = new ArrayList<>();
    if (!isSession(path)) {
      traces.add(path);
    } else if (depth == DEEPEST) {
      unread.add(new TraceException(path + " is a session in a session in a session",
          "Name its traces instead"));
    } else {
      try {
        for (Run run : SessionFile.read(path).getRuns()) {
          traces.addAll(traces(SessionFile.trace(path, run), depth + 1, unread));
        }
      } catch (TraceException e) {
        unread.add(e);
      }
    }
    return traces;
  }
}
