package org.parallax.ui.timeline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.parallax.analysis.reports.Outliers;
import org.parallax.model.program.ProgramThread;

/**
 * Which threads have lanes.
 *
 * @param text what the name of the process or thread has in it; empty for anything
 * @param choice by the metric
 * @param metric null for none
 * @param number of {@link Choice}
 */
record LaneFilter(String text, Choice choice, LaneMetric metric, double number) {
  /** What a metric must be. */
  enum Choice {
    /** Anything. */
    ALL,
    /** One of the {@code number} highest. */
    HIGHEST,
    /** One of the {@code number} lowest. */
    LOWEST,
    /** At least {@code number} percent of the highest one. */
    ABOVE,
    /** At most {@code number} percent of the highest one. */
    BELOW,
    /** Outside of the fences of Tukey (1977). */
    OUTLIERS
  }

  static final LaneFilter NONE = new LaneFilter("", Choice.ALL, null, 0);

  boolean isNone() {
    return text.isEmpty() && choice == Choice.ALL;
  }

  /** @param values of the metric; empty if there is none */
  Set<ProgramThread> chosen(List<ProgramThread> threads, Map<ProgramThread, Long> values) {
    String wanted = text.toLowerCase(Locale.ROOT);
    List<ProgramThread> named = threads.stream().filter(thread ->
        (thread.getProcess().getName() + " " + thread.getName()).toLowerCase(Locale.ROOT)
            .contains(wanted)).toList();
    long[] of = named.stream().mapToLong(thread -> values.getOrDefault(thread, 0L)).toArray();
    boolean[] chosen = new boolean[of.length];
    if (choice == Choice.OUTLIERS) {
      Outliers.of(of).forEach(i -> chosen[i] = true);
    } else {
      long[] sorted = of.clone();
      Arrays.sort(sorted);
      for (int i = 0; i < of.length; i++) {
        chosen[i] = isChosen(of[i], sorted);
      }
    }
    return IntStream.range(0, of.length).filter(i -> chosen[i])
        .mapToObj(named::get).collect(Collectors.toSet());
  }

  private boolean isChosen(long value, long[] sorted) {
    int last = sorted.length - 1;
    int wanted = (int) Math.max(1, Math.min(sorted.length, number));
    double part = sorted[last] * number / 100;
    return switch (choice) {
      case ALL, OUTLIERS -> true;
      case HIGHEST -> value >= sorted[sorted.length - wanted];
      case LOWEST -> value <= sorted[wanted - 1];
      case ABOVE -> value >= part;
      case BELOW -> value <= part;
    };
  }
}
