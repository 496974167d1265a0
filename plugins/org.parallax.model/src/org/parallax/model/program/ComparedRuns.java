package org.parallax.model.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.parallax.model.Session;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.files.RunResolver;
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
public final class ComparedRuns implements AutoCloseable {
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

  private ComparedRuns(RunSet base, List<RunSet> others) {
    NewNames names = matchNames(base, others);
    this.base = renamed(base, names);
    this.others = others.stream().map(set -> renamed(set, names)).toList();
  }

  private static RunSet renamed(RunSet set, NewNames names) {
    return new RunSet(set.name, set.repetitions.stream()
        .map(each -> new Repetition(each.name, each.session.renamed(names))).toList());
  }

  /**
   * Opens all runs.
   *
   * @param document whose runs are a comparison, see {@link ResolvedRuns#isComparison}
   * @param file to which the paths of its traces are relative
   * @throws TraceException when a trace cannot be read, or there is more than one base; none is left
   *     open then
   */
  public static ComparedRuns open(Session document, Path file, Progress progress)
      throws TraceException {
    List<ResolvedRuns.Group> groups = RunResolver.of(document, file).orThrow().groups();
    List<ResolvedRuns.Group> bases = groups.stream().filter(ResolvedRuns.Group::isBase).toList();
    if (bases.size() > 1) {
      throw new TraceException("the runs of the base belong to several groups: "
          + bases.stream().map(ComparedRuns::name).collect(Collectors.joining(", ")),
          "Give them the same group, or make a comparison for each group");
    }
    List<RunSet> others = new ArrayList<>();
    RunSet base = null;
    boolean done = false;
    try {
      for (ResolvedRuns.Group group : groups) {
        List<Repetition> repetitions = new ArrayList<>();
        RunSet set = new RunSet(name(group), repetitions);
        if (group.isBase()) {
          base = set;
        } else {
          others.add(set);
        }
        open(group, repetitions, progress);
      }
      done = true;
    } finally {
      if (!done) {
        others.forEach(ComparedRuns::close);
        if (base != null) {
          close(base);
        }
      }
    }
    return new ComparedRuns(base, others);
  }

  private static String name(ResolvedRuns.Group group) {
    return group.isRepeated() ? group.name() : group.runNames();
  }

  private static void open(ResolvedRuns.Group group, List<Repetition> repetitions, Progress progress)
      throws TraceException {
    if (!group.isRepeated()) {
      repetitions.add(new Repetition(group.runNames(), SessionBuilder.open(
          group.runs().stream().flatMap(each -> each.traces().stream()).toList(), progress)));
      return;
    }
    for (ResolvedRuns.Entry each : group.runs()) {
      repetitions.add(new Repetition(each.run().getName(),
          SessionBuilder.open(each.traces(), progress)));
    }
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
    sets().forEach(ComparedRuns::close);
  }

  private static void close(RunSet set) {
    set.repetitions().forEach(each -> SessionBuilder.close(each.session()));
  }
}
