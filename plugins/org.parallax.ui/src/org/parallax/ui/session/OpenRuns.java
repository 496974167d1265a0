package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of the open traces belong together, and which were launched after which. On the UI thread
 * only.
 */
public final class OpenRuns {
  private final List<OpenRun> runs = new ArrayList<>();

  /** In the order of their opening; traces of some may be closed by now. */
  public List<OpenRun> all() {
    return List.copyOf(runs);
  }

  /** The traces of a run and of its repetitions. */
  public Set<Path> repetitions(Path trace) {
    Set<Path> found = new HashSet<>(Set.of(trace));
    runs.stream().filter(run -> run.traces().contains(trace))
        .forEach(run -> found.addAll(run.traces()));
    return found;
  }

  /** @param open what is open now: runs without any of these are forgotten */
  void opened(List<OpenRun> opened, Collection<Path> open) {
    runs.removeIf(run -> run.traces().stream().noneMatch(open::contains));
    for (OpenRun each : opened) {
      runs.removeIf(run -> run.traces().equals(each.traces()));
      runs.add(each);
    }
  }

  /**
   * Forgets what is closed for a newer run of a launch.
   *
   * @param former how many of its runs stay open beside the newest
   * @param baseline what a person compares others with: it stays open
   * @return the traces to close
   */
  Set<Path> takeSurplus(String series, int former, Set<Path> baseline) {
    List<OpenRun> ofSeries =
        runs.stream().filter(run -> !series.isEmpty() && run.series().equals(series)).toList();
    int stay = (int) Math.min(ofSeries.size(), former + 1L);
    List<OpenRun> leave = ofSeries.subList(0, ofSeries.size() - stay);
    Set<Path> surplus = new HashSet<>();
    leave.forEach(run -> surplus.addAll(run.traces()));
    runs.stream().filter(run -> !leave.contains(run))
        .forEach(run -> surplus.removeAll(run.traces()));
    surplus.removeAll(baseline);
    runs.removeIf(run -> surplus.containsAll(run.traces()));
    return surplus;
  }
}
