package org.parallax.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.parallax.analysis.graph.ThreadMetric;
import org.parallax.analysis.graph.ThreadMetrics;
import org.parallax.analysis.graph.ThreadRecord;
import org.parallax.analysis.graph.Window;
import org.parallax.model.Level;
import org.parallax.model.Thread;
import org.parallax.model.TreeNode;
import org.parallax.trace.Progress;

/**
 * Metric tables: a row for each metric and a column for each application, machine, process or
 * thread, after Figure 8 of Irvin and Miller 1993.
 */
public final class MetricsReport {
  private MetricsReport() {}

  private static final class Group {
    final String name;
    long beginNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    final List<ThreadMetrics> threads = new ArrayList<>();

    Group(String name) {
      this.name = name;
    }

    long elapsedNs(Window window) {
      return threads.isEmpty() ? 0 : window.overlapNs(beginNs, endNs);
    }
  }

  /**
   * Makes a metric table.
   *
   * @param level of the columns: application, machine, process or thread
   * @param node to which the table is limited; null for the whole application
   */
  public static Table of(
      ApplicationAnalysis analysis, Level level, TreeNode node, Progress progress) {
    Scope scope = new Scope(analysis, node);
    Level shown = level == Level.PROCEDURE ? Level.THREAD : level;
    Map<String, Group> groups = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>(analysis.replay(progress).warnings());
    for (ThreadRecord record : analysis.replay(progress).threads()) {
      if (scope.has(record)) {
        Thread thread = analysis.thread(record);
        Group group = groups.computeIfAbsent(Names.where(thread, shown), Group::new);
        group.beginNs = Math.min(group.beginNs, record.thread().beginNs());
        group.endNs = Math.max(group.endNs, record.thread().endNs());
        group.threads.add(record.metrics());
      }
    }
    List<Column> columns = new ArrayList<>();
    groups.values().forEach(g -> columns.add(new Column(g.name, g.name, Unit.OF_ROW)));
    List<Row> rows = new ArrayList<>();
    rows.add(row("Elapsed time", Unit.NANOSECONDS, groups,
        g -> g.elapsedNs(analysis.window())));
    rows.add(row("Threads", Unit.COUNT, groups, g -> g.threads.size()));
    for (ThreadMetric metric : ThreadMetric.values()) {
      rows.add(row(metric.label(), Unit.of(metric.kind()), groups,
          g -> g.threads.stream().mapToLong(metric::of).sum()));
    }
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", shown.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("metrics", "Metrics (" + analysis.name() + ")",
        analysis.traceNames(), parameters, "metric", Unit.OF_ROW, 0, -1, columns,
        rows, warnings);
  }

  private static Row row(
      String name, Unit unit, Map<String, Group> groups, ToLongFunction<Group> value) {
    List<Object> values = new ArrayList<>();
    groups.values().forEach(group -> values.add(value.applyAsLong(group)));
    return new Row(name, null, unit, List.copyOf(values));
  }
}
