package org.parallax.cli.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.parallax.analysis.text.Quantity;
import org.parallax.trace.Trace;
import org.parallax.trace.series.ExternalMetric;
import org.parallax.trace.series.ExternalSeries;

/** What monitors measured, in a line each. */
final class SeriesInfo {
  private static final int MOST_METRICS = 5;

  private SeriesInfo() {
  }

  /** Empty when there is none; begins with an empty line otherwise. */
  static String external(Trace trace, boolean verbose) {
    StringBuilder text = new StringBuilder();
    for (ExternalSeries series : trace.externalSeries()) {
      text.append(String.format("%-14s%s%n", text.isEmpty() ? "external data" : "",
          series(series, verbose ? Integer.MAX_VALUE : MOST_METRICS)));
    }
    return text.isEmpty() ? "" : "\n" + text;
  }

  static String series(ExternalSeries series) {
    return series(series, MOST_METRICS);
  }

  private static String series(ExternalSeries series, int most) {
    int more = series.metrics().size() - most;
    String seconds =
        String.format(Locale.ROOT, "%.3f s", (series.endNs() - series.beginNs()) / 1e9);
    return series + ": " + series.metrics().stream().limit(most).map(ExternalMetric::toString)
        .collect(Collectors.joining(", ")) + (more > 0 ? " and " + more + " more" : "") + "; "
        + Quantity.of(series.readings(), "reading", "readings")
        + (series.readings() > 1 ? " in " + seconds : "")
        + (series.isCut() ? ", 1 incomplete line ignored" : "");
  }

  /** The same for programs. */
  static List<Object> fields(Trace trace) {
    List<Object> all = new ArrayList<>();
    for (ExternalSeries series : trace.externalSeries()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", series.name());
      fields.put("kind", series.subject().kind().name().toLowerCase(Locale.ROOT));
      fields.put("of", series.subject().name());
      fields.put("pid", series.subject().pid() < 0 ? null : series.subject().pid());
      fields.put("readings", series.readings());
      fields.put("beginNs", series.beginNs());
      fields.put("endNs", series.endNs());
      fields.put("incompleteLines", series.isCut() ? 1 : 0);
      List<Object> metrics = new ArrayList<>();
      for (ExternalMetric metric : series.metrics()) {
        Map<String, Object> of = new LinkedHashMap<>();
        of.put("name", metric.name());
        of.put("unit", metric.unit());
        of.put("kind", metric.isCounter() ? "counter" : "gauge");
        metrics.add(of);
      }
      fields.put("metrics", metrics);
      all.add(fields);
    }
    return all;
  }
}
