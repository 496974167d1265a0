package org.parallax.analysis.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadMetrics;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.ThreadMetric;
import org.parallax.analysis.time.ThreadTimes;
import org.parallax.analysis.time.TimeBins;
import org.parallax.analysis.time.TimeIndex;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.model.program.Workload.PlacedData;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Time histograms: metrics over the time of a run, in bins of equal width, as one curve for each
 * application, machine, process or thread (Irvin and Miller 1993, section 3 and Figures 5 and 9).
 *
 * <p>Columns: {@code from} and {@code to} of the bin in nanoseconds on the time base of what is
 * analysed, then one for each metric and part, with the key {@code METRIC PART}. The values of times
 * and counts add up to what {@link MetricsReport} says of the same part, exactly. Those of monitors are
 * of the machine, process or application that they measured: means of gauges, and of counters the
 * growth in a second, over as much of the bin as is known, and empty where nothing is.
 */
public final class HistogramReport {
  /** The most bins of a histogram. */
  public static final int MOST_BINS = 2_000;

  private static final int FIRST_SERIES = 2;

  private HistogramReport() {}

  /**
   * Makes a histogram. Events are read when the first one is made of the analysis; later ones of any
   * metrics, nodes and phases are made from {@link TimeIndex}.
   *
   * @param metrics of {@link HistogramMetric#all}
   * @param level of the curves: application, machine, process or thread
   * @param node to which it is limited; null for all
   * @param count how many bins, at most {@link #MOST_BINS}
   */
  public static Table of(ApplicationAnalysis analysis, List<HistogramMetric> metrics, Level level,
      TreeNode node, int count, Progress progress) {
    return of(analysis, metrics, level, node, count, 0, progress);
  }

  /** @return how long what {@link #of} shows lasts */
  public static long spanNs(ApplicationAnalysis analysis, TreeNode node) {
    List<ThreadTrace> threads = threads(analysis, new Scope(analysis, node), node);
    return threads.isEmpty() ? 0 : bins(analysis, threads, 1, 0).spanNs();
  }

  /** @return from the first begin to the last end of what {@link #of} shows; null of nothing */
  public static Window lifeOf(ApplicationAnalysis analysis, TreeNode node) {
    List<ThreadTrace> threads = threads(analysis, new Scope(analysis, node), node);
    return threads.isEmpty() ? null
        : new Window(threads.stream().mapToLong(ThreadTrace::beginNs).min().orElseThrow(),
            threads.stream().mapToLong(ThreadTrace::endNs).max().orElseThrow());
  }

  /** From whose first begin to whose last end time is shown; without reading events. */
  private static List<ThreadTrace> threads(ApplicationAnalysis analysis, Scope scope,
      TreeNode node) {
    boolean isOfMonitor = node != null && node.level() == Level.EXTERNAL;
    return analysis.threads().stream().filter(record -> isOfMonitor || scope.has(record))
        .map(ThreadRecord::thread).toList();
  }

  private static TimeBins bins(ApplicationAnalysis analysis, List<ThreadTrace> threads, int count,
      long spanNs) {
    return new TimeBins(analysis.window(),
        threads.stream().mapToLong(ThreadTrace::beginNs).min().orElse(0),
        threads.stream().mapToLong(ThreadTrace::endNs).max().orElse(0), count, spanNs);
  }

  /**
   * The same with bins that divide so many nanoseconds from the begin on, which is 0 then: those of
   * runs that did not last equally long are beside each other (section 4.2).
   *
   * @param spanNs from {@link #spanNs} of the longest; 0 for what this one lasted, on its time base
   */
  public static Table of(ApplicationAnalysis analysis, List<HistogramMetric> metrics, Level level,
      TreeNode node, int count, long spanNs, Progress progress) {
    Scope scope = new Scope(analysis, node);
    TimeBins bins = bins(analysis, threads(analysis, scope, node),
        Math.min(count, MOST_BINS), spanNs);
    return of(analysis, metrics, level, node, bins, spanNs == 0 ? 0 : bins.border(0), progress);
  }

  /** @param originNs the moment that is 0 in the table */
  static Table of(ApplicationAnalysis analysis, List<HistogramMetric> metrics, Level level,
      TreeNode node, TimeBins bins, long originNs, Progress progress) {
    Scope scope = new Scope(analysis, node);
    Level shown = level == Level.PROCEDURE ? Level.THREAD : level;
    TimeIndex index = analysis.timeIndex();
    Map<String, List<ThreadTimes>> groups = new LinkedHashMap<>();
    List<HistogramMetric> own =
        metrics.stream().filter(metric -> metric.external() == null).toList();
    if (!own.isEmpty()) {
      for (ThreadTimes times : index.threads(progress)) {
        ProgramThread thread = analysis.workload().thread(times.process(), times.thread().id());
        if (scope.has(thread)) {
          groups.computeIfAbsent(Names.where(thread, shown), name -> new ArrayList<>()).add(times);
        }
      }
    }
    List<Column> columns = new ArrayList<>(List.of(Column.key("from", "from", Unit.NANOSECONDS),
        Column.key("to", "to", Unit.NANOSECONDS)));
    List<List<Object>> series = new ArrayList<>();
    TimeIndex.Waits waits = !groups.isEmpty() && own.stream().anyMatch(HistogramMetric::isWait)
        ? index.waits(progress) : null;
    groups.forEach((name, threads) -> {
      Group group = new Group(threads, bins, own, waits, progress);
      for (HistogramMetric metric : own) {
        columns.add(new Column(metric.key() + " " + name,
            metrics.size() == 1 ? name : metric.label() + ", " + name, metric.unit()));
        series.add(group.series(metric));
      }
    });
    List<String> warnings = new ArrayList<>(waits == null ? List.of() : waits.warnings());
    warnings.addAll(own.isEmpty() ? List.of() : index.warnings());
    List<PlacedData> externals = own.size() == metrics.size() ? List.of()
        : analysis.workload().externals();
    for (HistogramMetric metric : metrics) {
      if (metric.external() == null) {
        continue;
      }
      List<ExternalCurves.Curve> curves =
          ExternalCurves.of(externals, metric.external(), shown, node);
      for (ExternalCurves.Curve curve : curves) {
        columns.add(new Column(metric.key() + " " + curve.name(),
            metrics.size() == 1 ? curve.name() : metric.label() + ", " + curve.name(),
            metric.unit()));
        series.add(Arrays.stream(curve.means(bins))
            .mapToObj(mean -> Double.isNaN(mean) ? (Object) "" : (Object) mean).toList());
      }
      if (curves.isEmpty()) {
        warnings.add(metric.key() + " was not measured for " + scope.name() + " or its parts, but "
            + "for: "
            + String.join(", ", ExternalCurves.of(externals, metric.external(), shown, null)
                .stream().map(ExternalCurves.Curve::name).toList()));
      }
    }
    return table(analysis, metrics, shown, scope, bins, originNs, columns, series, warnings);
  }

  /** @return the memory that is held so that further histograms need not read all events */
  public static long indexBytes(ApplicationAnalysis analysis) {
    return analysis.timeIndex().sizeBytes();
  }

  private static Table table(ApplicationAnalysis analysis, List<HistogramMetric> metrics,
      Level level, Scope scope, TimeBins bins, long originNs, List<Column> columns,
      List<List<Object>> series, List<String> warnings) {
    List<Row> rows = new ArrayList<>();
    for (int bin = 0; bin < bins.count(); bin++) {
      List<Object> values = new ArrayList<>(
          List.of(bins.border(bin) - originNs, bins.border(bin + 1) - originNs));
      for (List<Object> each : series) {
        values.add(each.get(bin));
      }
      rows.add(new Row(Integer.toString(bin), null, null, values));
    }
    Map<String, String> parameters = analysis.parameters();
    parameters.put("metric", String.join(",", metrics.stream().map(HistogramMetric::key).toList()));
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    parameters.put("bins", Integer.toString(bins.count()));
    boolean adds = series.size() == 1 && series.get(0).stream().allMatch(Long.class::isInstance);
    long total = adds ? series.get(0).stream().mapToLong(value -> (Long) value).sum() : 0;
    String title = String.join(", ", metrics.stream().map(HistogramMetric::label).toList());
    return new Table("histogram", title + " over time (" + analysis.name() + ")",
        analysis.traceNames(), parameters, "bin",
        adds ? columns.get(FIRST_SERIES).unit() : Unit.COUNT, total, adds ? FIRST_SERIES : -1,
        columns, rows, warnings);
  }

  /** What one curve, or one for each metric, is made of. */
  private static final class Group {
    private final List<ThreadTimes> threads;
    private final TimeBins bins;
    private final ThreadMetric[] wanted;
    private final long[][] own;
    private final ThreadMetrics[] waits;

    /** @param known null where no metric is of waits */
    Group(List<ThreadTimes> threads, TimeBins bins, List<HistogramMetric> metrics,
        TimeIndex.Waits known, Progress progress) {
      this.threads = threads;
      this.bins = bins;
      wanted = metrics.stream().filter(metric -> !metric.isWait())
          .map(metric -> metric.thread() != null ? metric.thread() : ThreadMetric.CPU)
          .distinct().toArray(ThreadMetric[]::new);
      own = new long[wanted.length][bins.count()];
      waits = new ThreadMetrics[known != null ? bins.count() : 0];
      Arrays.setAll(waits, bin -> new ThreadMetrics());
      for (ThreadTimes thread : threads) {
        long[][] at = thread.at(bins.moments(), wanted);
        for (int i = 0; i < wanted.length; i++) {
          add(wanted[i].kind() == ThreadMetric.Kind.TIME ? bins.times(at[i]) : bins.counts(at[i]),
              own[i]);
        }
        if (known != null) {
          bins.addWaits(known.of(thread), waits);
        }
        progress.check();
      }
    }

    private static void add(long[] values, long[] sums) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += values[i];
      }
    }

    private long[] own(ThreadMetric metric) {
      return own[Arrays.asList(wanted).indexOf(metric)];
    }

    /** The time of all threads in each bin, from their begins to their ends. */
    private long[] lifeNs() {
      long[] life = new long[bins.count()];
      for (ThreadTimes thread : threads) {
        long begin = thread.thread().beginNs();
        long end = thread.thread().endNs();
        add(bins.times(Arrays.stream(bins.moments())
            .map(moment -> Math.min(end, Math.max(begin, moment)) - begin).toArray()), life);
      }
      return life;
    }

    List<Object> series(HistogramMetric metric) {
      if (metric.program() != null) {
        return ProgramSeries.of(metric.key(), threads, bins);
      }
      List<Object> series = new ArrayList<>();
      long[] life = metric.thread() == null ? lifeNs() : null;
      for (int bin = 0; bin < bins.count(); bin++) {
        if (metric.isWait()) {
          series.add(metric.thread().of(waits[bin]));
        } else if (metric.thread() != null) {
          series.add(own(metric.thread())[bin]);
        } else if (metric == HistogramMetric.UTILIZATION) {
          series.add(ratio(100.0 * own(ThreadMetric.CPU)[bin], life[bin]));
        } else {
          series.add(ratio(metric == HistogramMetric.RUNNING ? own(ThreadMetric.CPU)[bin]
              : life[bin], bins.insideNs(bin)));
        }
      }
      return series;
    }

    private static double ratio(double part, long whole) {
      return whole == 0 ? 0 : part / whole;
    }
  }
}
