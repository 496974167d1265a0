package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.parallax.model.files.ResolvedRuns;

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

  /** Runs of which only these traces are left out; of those that have no others, nothing is left. */
  static List<OpenRun> without(Set<Path> others, List<OpenRun> runs) {
    return runs.stream()
        .map(run -> new OpenRun(run.source, run.series, run.name, run.isBase,
            run.repetitions.stream().map(each -> each.without(others))
                .filter(each -> !each.traces.isEmpty()).toList()))
        .filter(run -> !run.repetitions.isEmpty()).toList();
  }

  /**
   * The runs that a path stands for; none for a trace outside of a series.
   *
   * @param path as it was given
   * @param resolved what it stands for; what of it could not be found is left out
   */
  static List<OpenRun> of(Path path, ResolvedRuns resolved, Series series) {
    if (resolved.document() == null) {
      return series.id().isEmpty() ? List.of() : resolved.runs().stream()
          .map(run -> new OpenRun(path, series.id(), series.name(), false,
              List.of(new Repetition(run.source(), run.traces())))).toList();
    }
    List<OpenRun> runs = new ArrayList<>();
    for (ResolvedRuns.Group group : resolved.groups()) {
      boolean isNew = group.runs().stream().anyMatch(each -> each.run().getCommand() != null);
      String own = group.isRepeated() ? group.name() : group.runs().get(0).run().getName();
      runs.add(new OpenRun(path, isNew ? series.id() : "",
          isNew && !series.name().isEmpty() ? series.name() : own, group.isBase(),
          repetitions(group)));
    }
    if (series.isBase() && !runs.stream().allMatch(OpenRun::isBase)) {
      runs.removeIf(OpenRun::isBase);
      runs.replaceAll(run -> new OpenRun(path, "", run.name, true, run.repetitions));
    }
    return without(series.without(), runs);
  }

  private static List<Repetition> repetitions(ResolvedRuns.Group group) {
    if (!group.isRepeated()) {
      return List.of(Repetition.of(null,
          group.runs().stream().flatMap(each -> each.traces().stream()).toList()));
    }
    return group.runs().stream().map(each -> each.isWhole()
        ? new Repetition(each.source(), each.traces()) : Repetition.of(null, each.traces())).toList();
  }
}
