package org.parallax.model;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/**
 * Runs whose differences are looked for, as a session file with runs in comparison mode names them:
 * these are the base, and the others are compared with it (Irvin and Miller 1993, section 4.2). Runs of
 * one group are repetitions of each other, so that their noise is known; those without a group are
 * parts of one run, such as a server and its client that were recorded apart.
 *
 * <p>Each repetition is a session of its own, with its own time base, in which what is the same as in
 * the first one has the same name: see {@link MatchedNames}.
 */
public final class Comparison implements AutoCloseable {
  /** What ran together, once. */
  public record Repetition(String name, LoadedSession session) {}

  /**
   * Repetitions of a run.
   *
   * @param name the group's, or that of the run
   * @param repetitions at least one
   */
  public record RunSet(String name, List<Repetition> repetitions) {}

  private final RunSet base;
  private final List<RunSet> others;
  private final List<String> notes = new ArrayList<>();

  private Comparison(RunSet base, List<RunSet> others) {
    NewNames names = matchNames(base, others);
    this.base = renamed(base, names);
    this.others = others.stream().map(set -> renamed(set, names)).toList();
  }

  private static RunSet renamed(RunSet set, NewNames names) {
    return new RunSet(set.name, set.repetitions.stream()
        .map(each -> new Repetition(each.name, each.session.renamed(names))).toList());
  }

  /** @return whether the runs of a session are a base and what is compared with it */
  public static boolean isIn(Session document) {
    return isIn(document.getRuns());
  }

  static boolean isIn(List<Run> runs) {
    return runs.stream().anyMatch(Comparison::isBase)
        && !runs.stream().allMatch(Comparison::isBase);
  }

  /** @return whether a path is a session file in which there is a comparison */
  public static boolean isIn(Path path) throws TraceException {
    return SessionFile.isNamed(path) && Files.isRegularFile(path) && isIn(SessionFile.read(path));
  }

  private static boolean isBase(Run run) {
    return run.getMode() == RunMode.COMPARISON;
  }

  /**
   * Opens all runs.
   *
   * @param document for which {@link #isIn} holds
   * @param file to which the paths of its traces are relative
   * @throws TraceException when a trace cannot be read, or there is more than one base; none is left
   *     open then
   */
  public static Comparison open(Session document, Path file, Progress progress)
      throws TraceException {
    List<RunSet> sets = new ArrayList<>();
    boolean done = false;
    try {
      openSets(document.getRuns().stream().filter(Comparison::isBase).toList(), file, sets,
          progress);
      if (sets.size() > 1) {
        throw new TraceException("the runs to compare with are of several groups: "
            + sets.stream().map(RunSet::name).collect(Collectors.joining(", ")),
            "Give them one group, or make a comparison of each");
      }
      openSets(document.getRuns().stream().filter(run -> !isBase(run)).toList(), file, sets,
          progress);
      done = true;
    } finally {
      if (!done) {
        sets.forEach(Comparison::close);
      }
    }
    return new Comparison(sets.get(0), sets.subList(1, sets.size()));
  }

  private static void openSets(List<Run> runs, Path file, List<RunSet> sets, Progress progress)
      throws TraceException {
    Map<String, List<Run>> groups = new LinkedHashMap<>();
    for (Run run : runs) {
      groups.computeIfAbsent(Objects.requireNonNullElse(run.getGroup(), ""),
          group -> new ArrayList<>()).add(run);
    }
    for (Map.Entry<String, List<Run>> group : groups.entrySet()) {
      boolean isRepeated = !group.getKey().isEmpty();
      String names = group.getValue().stream().map(Run::getName).collect(Collectors.joining(" + "));
      List<Repetition> repetitions = new ArrayList<>();
      sets.add(new RunSet(isRepeated ? group.getKey() : names, repetitions));
      for (List<Run> together : isRepeated ? group.getValue().stream().map(List::of).toList()
          : List.of(group.getValue())) {
        List<Path> paths = new ArrayList<>();
        for (Run run : together) {
          paths.add(traces(SessionFile.trace(file, run)));
        }
        repetitions.add(new Repetition(isRepeated ? together.get(0).getName() : names,
            SessionBuilder.open(paths, progress)));
      }
    }
  }

  private static Path traces(Path path) throws TraceException {
    if (isIn(path)) {
      throw new TraceException(path + " is a comparison itself",
          "Name its traces, or sessions without runs to compare with");
    }
    return path;
  }

  private NewNames matchNames(RunSet first, List<RunSet> further) {
    NewNames names = new NewNames();
    List<Repetition> all = new ArrayList<>(first.repetitions);
    further.forEach(set -> all.addAll(set.repetitions));
    LoadedSession model = all.get(0).session;
    MatchedNames.withoutNumbers(model, names);
    for (Repetition each : all.subList(1, all.size())) {
      MatchedNames.withoutNumbers(each.session, names);
      MatchedNames.match(model, each.session, names)
          .forEach(note -> notes.add(each.name + ": " + note));
    }
    MatchedNames.nameThreads(all.stream().map(Repetition::session).toList(), names);
    return names;
  }

  /** @return what the others are compared with */
  public RunSet base() {
    return base;
  }

  /** @return what is compared with the base, at least one */
  public List<RunSet> others() {
    return others;
  }

  /** @return the base, and the others after it */
  public List<RunSet> sets() {
    List<RunSet> sets = new ArrayList<>(List.of(base));
    sets.addAll(others);
    return sets;
  }

  /** @return what a person must know of how runs were matched, as sentences without an end */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    sets().forEach(Comparison::close);
  }

  private static void close(RunSet set) {
    set.repetitions().forEach(each -> SessionBuilder.close(each.session()));
  }
}
