package org.parallax.model.files;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/**
 * The runs that a path stands for, as {@link RunResolver} finds them.
 *
 * @param path the session file, or the path as it was given
 * @param document the session that names the runs, null without one
 * @param runs in the order of the session, or of names
 * @param faults why runs, or parts of them, could not be found
 */
public record ResolvedRuns(Path path, Session document, List<Entry> runs, List<TraceException> faults) {
  public ResolvedRuns {
    runs = List.copyOf(runs);
    faults = List.copyOf(faults);
  }

  /**
   * A run.
   *
   * @param source what names it: a trace, or a session with its traces
   * @param run of the session, null without one
   * @param traces their paths, each once; of a session with faults those that were found
   * @param isWhole whether all traces were found
   */
  public record Entry(Path source, Run run, List<Path> traces, boolean isWhole) {
    public Entry {
      traces = List.copyOf(traces);
    }
  }

  /**
   * Runs of a session that belong together.
   *
   * @param isBase whether others are compared with them
   * @param name the name of the repetitions; empty for parts of one run that were recorded apart
   * @param runs at least one
   */
  public record Group(boolean isBase, String name, List<Entry> runs) {
    /** @return whether the runs are repetitions of each other, rather than parts of one */
    public boolean isRepeated() {
      return !name.isEmpty();
    }

    /** @return the names of the runs, for people */
    public String runNames() {
      return runs.stream().map(each -> each.run().getName()).collect(Collectors.joining(" + "));
    }
  }

  /**
   * @return this
   * @throws TraceException the first of the faults, if there is any
   */
  public ResolvedRuns orThrow() throws TraceException {
    if (!faults.isEmpty()) {
      throw faults.get(0);
    }
    return this;
  }

  /** @return whether there are traces, and all of them are there; reads the manifest of each */
  public boolean isRecorded() {
    List<Path> traces = traces();
    return faults.isEmpty() && !traces.isEmpty() && traces.stream().allMatch(Trace::isTrace);
  }

  /** @return whether the runs of a session are a base and what is compared with it */
  public static boolean isComparison(List<Run> runs) {
    return runs.stream().anyMatch(ResolvedRuns::isBase) && !runs.stream().allMatch(ResolvedRuns::isBase);
  }

  private static boolean isBase(Run run) {
    return run.getMode() == RunMode.COMPARISON;
  }

  /** @return whether the runs are a base and what is compared with it */
  public boolean isComparison() {
    return document != null && isComparison(document.getRuns());
  }

  /** @return the traces of all runs, each once */
  public List<Path> traces() {
    Set<Path> traces = new LinkedHashSet<>();
    runs.forEach(run -> traces.addAll(run.traces()));
    return List.copyOf(traces);
  }

  /** @return the runs of the session by what they are, in its order; empty without a session */
  public List<Group> groups() {
    Map<String, List<Entry>> groups = new LinkedHashMap<>();
    for (Entry each : runs) {
      if (each.run() != null) {
        groups.computeIfAbsent(isBase(each.run()) + groupName(each),
            key -> new ArrayList<>()).add(each);
      }
    }
    return groups.values().stream().map(group -> new Group(isBase(group.get(0).run()),
        groupName(group.get(0)), List.copyOf(group))).toList();
  }

  private static String groupName(Entry entry) {
    return Objects.requireNonNullElse(entry.run().getGroup(), "");
  }
}
