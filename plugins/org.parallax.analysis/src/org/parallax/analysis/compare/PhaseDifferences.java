package org.parallax.analysis.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.replay.Window;

/** By how much each occurrence of the phases that a program names lasts longer or shorter than in other runs. */
public final class PhaseDifferences {
  private PhaseDifferences() {}

  /**
   * An occurrence of a phase.
   *
   * @param number from 1
   * @param isOnly whether the phase has no other occurrence
   * @param change null if it does not differ, or is not compared
   */
  public record Occurrence(String phase, int number, boolean isOnly, Window window, Change change) {
    /** @return from its first begin to its last end in any thread */
    public long lengthNs() {
      return window.endNs(0) - window.beginNs();
    }
  }

  /** @return the occurrences of a run that is not compared, by their begin */
  public static List<Occurrence> of(ProgramPhases run) {
    return of(run, List.of(), List.of(), 0, Double.POSITIVE_INFINITY);
  }

  /**
   * Compares runs. An occurrence that the base does not have is longer by all that it lasts.
   *
   * @param run the one whose occurrences are told
   * @param repetitions of the run, with itself
   * @param leastNs differences below it are left out
   * @return the occurrences of the run, by their begin
   */
  public static List<Occurrence> of(ProgramPhases run, List<ProgramPhases> base,
      List<ProgramPhases> repetitions, double confidence, double leastNs) {
    List<Occurrence> found = new ArrayList<>();
    for (String name : run.names()) {
      int count = run.occurrences(name);
      for (int number = 1; number <= count; number++) {
        found.add(new Occurrence(name, number, count == 1, run.window(name, number),
            Change.of(lengths(base, name, number), lengths(repetitions, name, number), confidence, leastNs)));
      }
    }
    found.sort(Comparator.comparingLong((Occurrence each) -> each.window().beginNs())
        .thenComparing(Occurrence::phase));
    return found;
  }

  /** Of the runs that have the occurrence. */
  private static double[] lengths(List<ProgramPhases> runs, String name, int number) {
    return runs.stream().filter(run -> run.names().contains(name) && run.occurrences(name) >= number)
        .mapToDouble(run -> run.window(name, number).endNs(0) - run.window(name, number).beginNs())
        .toArray();
  }
}
