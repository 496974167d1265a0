package org.parallax.analysis.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
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
import org.parallax.analysis.time.TimeBins;
import org.parallax.model.program.ExternalData;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.model.program.Workload.PlacedData;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.series.ExternalMetric;

/**
 * Metric tables: a row for each metric and a column for each application, machine, process or
 * thread, after Figure 8 of Irvin and Miller 1993.
 */
public final class MetricsReport {
  private static final double NS_PER_SECOND = 1e9;

  private MetricsReport() {}

  private static final class Group {
    final String name;
    long beginNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    final List<ThreadMetrics> threads = new ArrayList<>();

    Group(String name) {
      this.name = name;
    }

    void addTime(ThreadTrace thread) {
      beginNs = Math.min(beginNs, thread.beginNs());
      endNs = Math.max(endNs, thread.endNs());
    }

    long sum(ThreadMetric metric) {
      return threads.stream().mapToLong(metric::of).sum();
    }

    long elapsedNs(Window window) {
      return threads.isEmpty() ? 0 : window.overlapNs(beginNs, endNs);
    }
  }

  /**
   * Makes a metric table.
   *
   * @param level of the columns: application, machine, process or thread
   * @param node to which the table is limited; null for the whole application. Of a monitor's there is
   *     what it measured
   */
  public static Table of(
      ApplicationAnalysis analysis, Level level, TreeNode node, Progress progress) {
    Scope scope = new Scope(analysis, node);
    Level shown = level == Level.PROCEDURE ? Level.THREAD : level;
    Map<String, Group> groups = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    boolean isOfMonitor = node != null && node.object() instanceof ExternalData;
    if (isOfMonitor) {
      Group group = new Group(ExternalCurves.name((ExternalData) node.object(), shown));
      analysis.threads().forEach(record -> group.addTime(record.thread()));
      groups.put(group.name, group);
    } else {
      warnings.addAll(analysis.replay(progress).warnings());
    }
    for (ThreadRecord record : isOfMonitor ? List.<ThreadRecord>of()
        : analysis.replay(progress).threads()) {
      if (scope.has(record)) {
        ProgramThread thread = analysis.thread(record);
        Group group = groups.computeIfAbsent(Names.where(thread, shown), Group::new);
        group.addTime(record.thread());
        group.threads.add(record.metrics());
      }
    }
    List<Column> columns = new ArrayList<>();
    groups.values().forEach(g -> columns.add(new Column(g.name, g.name, Unit.OF_ROW)));
    List<Row> rows = new ArrayList<>();
    if (!isOfMonitor) {
      addThreads(groups, analysis.window(), rows);
    }
    addExternals(analysis, shown, node, groups, rows);
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", shown.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("metrics", "Metrics (" + analysis.name() + ")",
        analysis.traceNames(), parameters, "metric", Unit.OF_ROW, 0, -1, columns,
        rows, warnings);
  }

  private static void addThreads(Map<String, Group> groups, Window window, List<Row> rows) {
    rows.add(row("Elapsed time", Unit.NANOSECONDS, groups, g -> g.elapsedNs(window)));
    rows.add(row("Threads", Unit.COUNT, groups, g -> g.threads.size()));
    for (ThreadMetric metric : ThreadMetric.values()) {
      rows.add(row(metric.label(), HistogramMetric.unitOf(metric), groups, g -> g.sum(metric)));
    }
    rows.add(row("Wait time per barrier", Unit.NANOSECONDS, groups,
        g -> g.sum(ThreadMetric.BARRIER_WAIT) / Math.max(1, g.sum(ThreadMetric.BARRIERS))));
  }

  /**
   * Adds what monitors measured of the columns' machines, processes or applications, from the begin of
   * their first thread to the end of the last one: of gauges the mean, of counters the growth.
   */
  private static void addExternals(ApplicationAnalysis analysis, Level level, TreeNode node,
      Map<String, Group> groups, List<Row> rows) {
    List<PlacedData> externals = analysis.workload().externals();
    ExternalCurves.metrics(externals).forEach((name, metric) -> {
      Map<String, Double> found = new HashMap<>();
      for (ExternalCurves.Curve curve : ExternalCurves.of(externals, name, level, node)) {
        Group group = groups.get(curve.name());
        double value = group == null ? Double.NaN
            : curve.whole(new TimeBins(analysis.window(), group.beginNs, group.endNs, 1));
        if (!Double.isNaN(value)) {
          found.put(curve.name(), value);
        }
      }
      if (!found.isEmpty()) {
        Unit unit = unit(metric);
        List<Object> values = new ArrayList<>();
        for (Group group : groups.values()) {
          Double value = found.get(group.name);
          values.add(value == null ? "" : unit == Unit.NUMBER ? (Object) value
              : (Object) Math.round(unit == Unit.NANOSECONDS ? value * NS_PER_SECOND : value));
        }
        boolean shows = unit != Unit.NUMBER || metric.unit().isEmpty();
        rows.add(new Row(HistogramMetric.EXTERNAL_PREFIX + metric.name()
            + (shows ? "" : " [" + metric.unit() + "]"), null, unit, values));
      }
    });
  }

  private static Unit unit(ExternalMetric metric) {
    return switch (metric.unit()) {
      case "bytes" -> Unit.BYTES;
      case "s" -> Unit.NANOSECONDS;
      default -> Unit.NUMBER;
    };
  }

  /** Puts the columns of metric tables of several applications beside each other (Figure 8). */
  public static Table join(List<Table> tables) {
    Table first = tables.get(0);
    List<Column> columns = new ArrayList<>();
    Set<String> warnings = new LinkedHashSet<>();
    for (Table table : tables) {
      columns.addAll(table.columns());
      warnings.addAll(table.warnings());
    }
    // Monitors need not have measured the same of all.
    Map<String, Row> named = new LinkedHashMap<>();
    tables.forEach(table -> table.rows().forEach(row -> named.putIfAbsent(row.name(), row)));
    List<Row> rows = new ArrayList<>();
    named.forEach((name, like) -> {
      List<Object> values = new ArrayList<>();
      for (Table table : tables) {
        values.addAll(table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
            .map(Row::values).orElse(Collections.nCopies(table.columns().size(), "")));
      }
      rows.add(new Row(name, null, like.unit(), values));
    });
    Map<String, String> parameters = new LinkedHashMap<>(first.parameters());
    parameters.put("application", tables.stream().map(table -> table.parameters().get("application"))
        .collect(Collectors.joining(" + ")));
    return new Table("metrics", "Metrics (" + parameters.get("application") + ")",
        tables.stream().map(Table::trace).distinct().collect(Collectors.joining(", ")), parameters,
        first.nameLabel(), first.unit(), 0, -1, columns, rows, List.copyOf(warnings));
  }

  private static Row row(
      String name, Unit unit, Map<String, Group> groups, ToLongFunction<Group> value) {
    List<Object> values = new ArrayList<>();
    groups.values().forEach(group -> values.add(value.applyAsLong(group)));
    return new Row(name, null, unit, List.copyOf(values));
  }
}
