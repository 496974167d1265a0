package org.parallax.analysis.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.ThreadMetric;
import org.parallax.trace.Metric;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.series.ExternalMetric;

/**
 * What a time histogram can show.
 *
 * @param key the name on command lines and in output
 * @param label for people
 * @param thread what is measured of every thread; null for the others
 * @param program what the program measures; null for the others
 * @param external the name of what a monitor measures; null for the others
 */
public record HistogramMetric(String key, String label, Unit unit, ThreadMetric thread,
    Metric program, String external) {
  /** What the names of metrics of monitors begin with where there are others. */
  public static final String EXTERNAL_PREFIX = "external:";

  /** CPU time by the time that threads had, from their begins to their ends. */
  static final HistogramMetric UTILIZATION =
      new HistogramMetric("utilization", "Part of the threads' time on a CPU", Unit.PERCENT, null, null, null);
  /** CPU time by time. */
  static final HistogramMetric RUNNING =
      new HistogramMetric("running", "Number running", Unit.NUMBER, null, null, null);
  /** The number of threads that have begun and not ended. */
  static final HistogramMetric THREADS =
      new HistogramMetric("threads", "Threads", Unit.NUMBER, null, null, null);

  private static final List<HistogramMetric> DERIVED = List.of(UTILIZATION, RUNNING, THREADS);

  private static HistogramMetric of(ThreadMetric metric) {
    return new HistogramMetric(metric.key(), metric.label(), unitOf(metric), metric, null,
        null);
  }

  /** @return the unit of what is measured of every thread */
  static Unit unitOf(ThreadMetric metric) {
    return switch (metric.kind()) {
      case TIME, WAIT -> Unit.NANOSECONDS;
      case COUNT -> Unit.COUNT;
      case BYTES -> Unit.BYTES;
    };
  }

  private static HistogramMetric of(Metric metric) {
    boolean whole = metric.isCounter() && !metric.isDouble();
    return new HistogramMetric(metric.name(),
        metric.unit().isEmpty() ? metric.name() : metric.name() + " [" + metric.unit() + "]",
        whole ? Unit.COUNT : Unit.NUMBER, null, metric, null);
  }

  private static HistogramMetric of(ExternalMetric metric) {
    return new HistogramMetric(EXTERNAL_PREFIX + metric.name(), label(metric), Unit.NUMBER,
        null, null, metric.name());
  }

  static String label(ExternalMetric metric) {
    String unit = metric.unit() + (metric.isCounter() ? "/s" : "");
    return metric.name() + (unit.isEmpty() ? "" : " [" + unit + "]");
  }

  /**
   * @return all that there are, by their names; those that a program defines and those of monitors are
   *     the last
   */
  public static Map<String, HistogramMetric> all(ApplicationAnalysis analysis) {
    List<HistogramMetric> all = new ArrayList<>(DERIVED);
    Arrays.stream(ThreadMetric.values()).map(HistogramMetric::of).forEach(all::add);
    for (ProcessTrace process : analysis.workload().processes()) {
      for (int id = 1; id < process.metricCount(); id++) {
        Metric metric = process.metric(id);
        if (metric != null) {
          all.add(of(metric));
        }
      }
    }
    ExternalCurves.metrics(analysis.workload().externals()).values()
        .forEach(metric -> all.add(of(metric)));
    Map<String, HistogramMetric> byKey = new LinkedHashMap<>();
    all.forEach(metric -> byKey.putIfAbsent(metric.key(), metric));
    return byKey;
  }

  boolean isWait() {
    return thread != null && thread.kind() == ThreadMetric.Kind.WAIT;
  }
}
