package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.compare.PhaseDifferences.Occurrence;

/**
 * The phases that a program names, in rows in which none lies over another: longer ones are above shorter ones.
 *
 * @param rows from top to bottom, each by the begin of its occurrences
 */
record PhaseRows(List<List<Occurrence>> rows) {
  /** More rows would take too much room from the lanes: phases that need more are left out. */
  static final int MOST = 3;

  /** @param occurrences by their begin */
  static PhaseRows of(List<Occurrence> occurrences) {
    Map<String, List<Occurrence>> byName = new LinkedHashMap<>();
    occurrences.forEach(each ->
        byName.computeIfAbsent(each.phase(), name -> new ArrayList<>()).add(each));
    List<List<Occurrence>> phases = new ArrayList<>(byName.values());
    phases.sort(Comparator.comparingLong(
        (List<Occurrence> phase) -> -phase.stream().mapToLong(Occurrence::lengthNs).max().orElse(0)));
    List<TreeMap<Long, Occurrence>> rows = new ArrayList<>();
    for (List<Occurrence> phase : phases) {
      for (Occurrence each : phase) {
        place(each, rows);
      }
    }
    return new PhaseRows(rows.stream().map(row -> List.copyOf(row.values())).toList());
  }

  /** Into the first row that has room: one that begins before the last thread has left the one before needs another. */
  private static void place(Occurrence phase, List<TreeMap<Long, Occurrence>> rows) {
    for (int row = 0; row < MOST; row++) {
      if (row == rows.size()) {
        rows.add(new TreeMap<>());
      }
      Map.Entry<Long, Occurrence> before = rows.get(row).floorEntry(phase.window().beginNs());
      Map.Entry<Long, Occurrence> after = rows.get(row).ceilingEntry(phase.window().beginNs());
      if ((before == null || before.getValue().window().endNs(0) <= phase.window().beginNs())
          && (after == null || after.getKey() >= phase.window().endNs(0))) {
        rows.get(row).put(phase.window().beginNs(), phase);
        return;
      }
    }
  }

  /**
   * @param row in which a condition holds for all phases from some place on
   * @return this place, the length of the row if there is none
   */
  static int first(List<Occurrence> row, Predicate<Occurrence> condition) {
    int low = 0;
    int high = row.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (condition.test(row.get(middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  int count() {
    return rows.size();
  }

  /** With its number if there are others of this name. */
  static String name(Occurrence phase) {
    return phase.isOnly() ? phase.phase()
        : NLS.bind(Messages.phaseNumbered, phase.phase(), phase.number());
  }
}
