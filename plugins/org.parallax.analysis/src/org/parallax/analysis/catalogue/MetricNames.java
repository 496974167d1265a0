package org.parallax.analysis.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.metrics.HistogramMetric;
import org.parallax.analysis.text.NearNames;

/** The metrics that {@code --metric NAME[,NAME...]} names. */
final class MetricNames {
  private static final String EXTERNAL = "external:";

  private MetricNames() {
  }

  /**
   * The metrics.
   *
   * @throws ReportException when there is none of a name; the message has those that are near
   */
  static List<HistogramMetric> of(String names, ApplicationAnalysis analysis)
      throws ReportException {
    Map<String, HistogramMetric> all = HistogramMetric.all(analysis);
    List<HistogramMetric> metrics = new ArrayList<>();
    for (String name : all.containsKey(names) ? List.of(names) : List.of(names.split(",", -1))) {
      HistogramMetric metric = all.get(name.strip());
      if (metric == null) {
        String external = EXTERNAL + name.strip();
        throw new ReportException("there is no metric \"" + name.strip() + "\""
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
