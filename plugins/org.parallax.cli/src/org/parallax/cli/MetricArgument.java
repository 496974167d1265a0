package org.parallax.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.HistogramMetric;

/** The metrics that {@code --metric NAME[,NAME...]} names. */
final class MetricArgument {
  private static final String EXTERNAL = "external:";

  private MetricArgument() {
  }

  /**
   * The metrics.
   *
   * @throws CommandFailure when there is none of a name; the message has those that are near
   */
  static List<HistogramMetric> of(String names, ApplicationAnalysis analysis)
      throws CommandFailure {
    Map<String, HistogramMetric> all = HistogramMetric.all(analysis);
    List<HistogramMetric> metrics = new ArrayList<>();
    for (String name : all.containsKey(names) ? List.of(names) : List.of(names.split(",", -1))) {
      HistogramMetric metric = all.get(name.strip());
      if (metric == null) {
        String external = EXTERNAL + name.strip();
        throw new CommandFailure("there is no metric \"" + name.strip() + "\""
            + (all.containsKey(external) ? "; did you mean " + external + "?"
                : NearNames.hint(name.strip(), all.keySet())));
      }
      if (!metrics.contains(metric)) {
        metrics.add(metric);
      }
    }
    return metrics;
  }
}
