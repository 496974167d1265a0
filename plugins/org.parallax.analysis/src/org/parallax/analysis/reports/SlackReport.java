package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.path.ActivityGraph;
import org.parallax.analysis.path.NearPaths;
import org.parallax.analysis.path.NearPaths.NearPath;
import org.parallax.analysis.path.Slack;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * By how much work and interactions could be longer without making the run longer, and the paths that
 * come next after the critical one.
 *
 * <p>Columns of slack: {@code kind}; {@code slack}, the least of the row's arcs in nanoseconds, 0 for
 * what is on the critical path; {@code percent} of the path's length; {@code arcs}; {@code critical},
 * how many of them have no slack; {@code time}, the weight of all; {@code through}, what the heaviest of the arcs with the
 * least slack does ({@link ArcPlaces}). Columns of paths: {@code length};
 * {@code less} than the critical path; {@code percent} of its length; {@code apart}, the weight of what
 * no longer path has, of paths with at least a hundredth of such; {@code arcs} of that; {@code
 * through}, its heaviest part.
 *
 * <p>They need the whole graph in memory: about 60 bytes for each arc.
 */
public final class SlackReport {
  private static final int LEAST_NEW = 100;
  private static final List<Column> SLACK = List.of(
      new Column("kind", "kind", Unit.TEXT),
      new Column("slack", "least slack", Unit.NANOSECONDS),
      new Column("percent", "%path", Unit.PERCENT),
      new Column("arcs", "arcs", Unit.COUNT),
      new Column("critical", "critical", Unit.COUNT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("through", "through", Unit.TEXT));
  private static final List<Column> PATHS = List.of(
      new Column("length", "length", Unit.NANOSECONDS),
      new Column("less", "less", Unit.NANOSECONDS),
      new Column("percent", "%path", Unit.PERCENT),
      new Column("apart", "new in it", Unit.NANOSECONDS),
      new Column("arcs", "arcs", Unit.COUNT),
      new Column("through", "through", Unit.TEXT));

  private SlackReport() {}

  private static final class Sum {
    final String name;
    final Object subject;
    final ArcKind kind;
    long slackNs = Long.MAX_VALUE;
    /** The heaviest of those with the least slack. */
    int arc;
    long count;
    long critical;
    long ns;

    Sum(String name, Object subject, ArcKind kind) {
      this.name = name;
      this.subject = subject;
      this.kind = kind;
    }
  }

  /**
   * Makes the table of slack.
   *
   * @param level of the rows: application, machine, process or thread
   * @param node to which it is limited: its work, and the arcs that lead to it; null for all
   */
  public static Table slack(ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node,
      Progress progress) {
    Scope scope = new Scope(analysis, node);
    ActivityGraph graph = graph(analysis, weight, progress);
    Slack slack = new Slack(graph);
    Map<String, Sum> sums = new LinkedHashMap<>();
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      long ns = slack.slackNs(arc);
      ProgramThread to = thread(analysis, graph, graph.to(arc));
      if (ns < 0 || to == null || !scope.has(to)) {
        continue;
      }
      ArcKind kind = graph.kind(arc);
      Sum sum = sums.computeIfAbsent(name(analysis, graph, arc, level),
          name -> new Sum(name, Names.subject(to, level), kind));
      if (ns < sum.slackNs
          || ns == sum.slackNs && graph.weightNs(arc) > graph.weightNs(sum.arc)) {
        sum.slackNs = ns;
        sum.arc = arc;
      }
      sum.count++;
      sum.critical += ns == 0 ? 1 : 0;
      sum.ns += graph.weightNs(arc);
    }
    List<Row> rows = new ArrayList<>();
    ArcPlaces places = new ArcPlaces(analysis, graph);
    sums.values().stream().filter(sum -> sum.ns > 0)
        .sorted(Comparator.<Sum>comparingLong(sum -> sum.slackNs)
            .thenComparing(sum -> -sum.ns).thenComparing(sum -> sum.name))
        .forEach(sum -> rows.add(Row.of(sum.name, sum.subject, sum.kind.label(), sum.slackNs,
            percent(sum.slackNs, slack.lengthNs()), sum.count, sum.critical, sum.ns,
            places.text(sum.arc))));
    return table(
        analysis, graph, "slack", "Slack", weight, level, scope, slack.lengthNs(), SLACK, rows);
  }

  /** Makes the table of the critical path and those that come next, {@code count} in all. */
  public static Table paths(ApplicationAnalysis analysis, Level level, Weight weight, int count,
      Progress progress) {
    ActivityGraph graph = graph(analysis, weight, progress);
    Slack slack = new Slack(graph);
    List<Row> rows = new ArrayList<>();
    long leastNs = Math.max(1, slack.lengthNs() / LEAST_NEW);
    ArcPlaces places = new ArcPlaces(analysis, graph);
    for (NearPath path : NearPaths.of(graph, slack, count, leastNs)) {
      int heaviest = IntStream.of(path.arcs()).boxed()
          .max(Comparator.comparingLong(graph::weightNs)).orElseThrow();
      String place = places.text(heaviest);
      rows.add(Row.of(Integer.toString(rows.size() + 1), null, path.lengthNs(),
          slack.lengthNs() - path.lengthNs(), percent(path.lengthNs(), slack.lengthNs()),
          path.weightNs(), (long) path.arcs().length,
          name(analysis, graph, heaviest, level)
              + (place.isEmpty() ? "" : " in " + place)));
    }
    return table(analysis, graph, "paths", "Longest paths", weight, level,
        new Scope(analysis, null), slack.lengthNs(), PATHS, rows);
  }

  private static Table table(ApplicationAnalysis analysis, ActivityGraph graph, String report,
      String title, Weight weight, Level level, Scope scope, long length, List<Column> columns,
      List<Row> rows) {
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    parameters.put("weight", weight.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    parameters.put("lengthNs", Long.toString(length));
    return new Table(report, title + " (" + analysis.name() + ")", analysis.traceNames(),
        parameters, report.equals("paths") ? "path" : "name", Unit.NANOSECONDS, length, -1,
        columns, rows, graph.warnings());
  }

  private static ActivityGraph graph(
      ApplicationAnalysis analysis, Weight weight, Progress progress) {
    return ActivityGraph.of(analysis.workload().processes(), analysis.setup(weight), progress);
  }

  /** Of a vertex; null where it is none's. */
  private static ProgramThread thread(ApplicationAnalysis analysis, ActivityGraph graph, int vertex) {
    List<ThreadRecord> records = analysis.threads();
    return graph.thread(vertex) < 0 ? null : analysis.thread(records.get(graph.thread(vertex)));
  }

  /** As critical path profiles name their rows. */
  private static String name(
      ApplicationAnalysis analysis, ActivityGraph graph, int arc, Level level) {
    ProgramThread from = thread(analysis, graph, graph.from(arc));
    ProgramThread to = thread(analysis, graph, graph.to(arc));
    String label = graph.kind(arc).label() + ": ";
    if (to == null) {
      return label + "all";
    }
    String target = Names.where(to, level);
    return from == to ? label + target
        : label + (from == null ? "" : Names.where(from, level) + "->") + target;
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0.0 : 100.0 * part / whole;
  }
}
