package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.compare.PhaseDifferences.Occurrence;

/**
 * The phases that a program names, in rows in which none lies over another: a phase that holds others is above them.
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
    List<List<Occurrence>> rows = new ArrayList<>();
    for (List<Occurrence> phase : phases) {
      boolean isPlaced = false;
      for (int row = 0; row < MOST && !isPlaced; row++) {
        if (row == rows.size()) {
          rows.add(List.of());
        }
        List<Occurrence> both = new ArrayList<>(rows.get(row));
        both.addAll(phase);
        both.sort(Comparator.comparingLong(each -> each.window().beginNs()));
        isPlaced = !overlap(both);
        if (isPlaced) {
          rows.set(row, List.copyOf(both));
        }
      }
    }
    rows.removeIf(List::isEmpty);
    return new PhaseRows(List.copyOf(rows));
  }

  private static boolean overlap(List<Occurrence> byBegin) {
    for (int i = 1; i < byBegin.size(); i++) {
      if (byBegin.get(i).window().beginNs() < byBegin.get(i - 1).window().endNs(0)) {
        return true;
      }
    }
    return false;
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
