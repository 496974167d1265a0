package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.path.CriticalPath;
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
 * Critical path profiles: what the longest path through an application consists of (Irvin and
 * Miller 1993, sections 3 and 4.3, Figures 6, 7, 10, 11 and 13).
 *
 * <p>Columns: {@code kind} (CPU, Msg, Coll, Lock, ...), {@code where} ({@code machine:process};
 * {@code ALL:ALL} for a procedure of several processes), {@code time} in nanoseconds, which adds up
 * to the total, {@code percent} of the whole path's length, {@code count} of arcs (0 for work).
 */
public final class CriticalPathReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("kind", "kind", Unit.TEXT),
      new Column("where", "machine:process", Unit.TEXT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("count", "arcs", Unit.COUNT));
  private static final int TIME = 2;

  private CriticalPathReport() {}

  /** What rows are made of while they are summed up. */
  private static final class Sum {
    final String name;
    final Object subject;
    final ArcKind kind;
    String where;
    long ns;
    long count;

    Sum(String name, Object subject, ArcKind kind, String where) {
      this.name = name;
      this.subject = subject;
      this.kind = kind;
      this.where = where;
    }

    void add(long moreNs, long moreCount, String at) {
      ns += moreNs;
      count += moreCount;
      if (!where.equals(at)) {
        where = Names.ALL;
      }
    }
  }

  /**
   * Makes a profile of the critical path in the scope of the analyses.
   *
   * @param level of the rows: machine, process, thread or procedure
   * @param node to which the profile is limited: its work, and the arcs that lead to it; null for
   *     the whole path
   */
  public static Table of(
      ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node, Progress progress) {
    CriticalPath path = analysis.criticalPath(weight, progress);
    Scope scope = new Scope(analysis, node);
    Map<Object, Sum> sums = new LinkedHashMap<>();
    addWork(analysis, path, level, scope, sums);
    addArcs(analysis, path, level, scope, sums);
    long total = sums.values().stream().mapToLong(sum -> sum.ns).sum();
    List<Row> rows = new ArrayList<>();
    sums.values().stream()
        .filter(sum -> sum.ns > 0)
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.ns).thenComparing(sum -> sum.name))
        .forEach(sum -> rows.add(Row.of(sum.name, sum.subject, sum.kind.label(), sum.where, sum.ns,
            percent(sum.ns, path.lengthNs()), sum.count)));
    Map<String, String> parameters = analysis.parameters();
    parameters.put("scope", analysis.pathScope().name().toLowerCase(Locale.ROOT));
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    parameters.put("weight", weight.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    String title = capitalized(level) + "-level " + switch (analysis.pathScope()) {
      case INTRA -> "Intra-Application";
      case INTER -> "Inter-Application";
      case GLOBAL -> "Global";
    } + " Critical Path (" + analysis.name() + ")";
    return new Table("critical-path", title, analysis.traceNames(), parameters,
        "name", Unit.NANOSECONDS, total, TIME, COLUMNS, rows, path.replay().warnings());
  }

  private static String capitalized(Level level) {
    return level.name().charAt(0) + level.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0.0 : 100.0 * part / whole;
  }

  private static void addWork(ApplicationAnalysis analysis, CriticalPath path, Level level,
      Scope scope, Map<Object, Sum> sums) {
    for (ThreadRecord record : path.replay().threads()) {
      long[] work = path.workNs(record.index());
      if (work == null || !scope.has(record)) {
        continue;
      }
      ProgramThread thread = analysis.thread(record);
      String where = Names.where(thread, level);
      for (int callPath = 0; callPath < work.length; callPath++) {
        if (work[callPath] == 0) {
          continue;
        }
        int id = analysis.procedures().leaf(record.process().index(), callPath);
        if (!scope.hasProcedure(id)) {
          continue;
        }
        Sum sum;
        if (level == Level.PROCEDURE) {
          sum = sums.computeIfAbsent(id, k -> new Sum(analysis.procedures().get(id).name(),
              analysis.procedure(id), ArcKind.WORK, where));
        } else {
          sum = sums.computeIfAbsent(where, k -> new Sum(ArcKind.WORK.label() + ": " + where,
              Names.subject(thread, level), ArcKind.WORK, where));
        }
        sum.add(work[callPath], 0, where);
      }
    }
  }

  private static void addArcs(ApplicationAnalysis analysis, CriticalPath path, Level level,
      Scope scope, Map<Object, Sum> sums) {
    List<ThreadRecord> records = path.replay().threads();
    path.arcs().forEach((key, arcs) -> {
      ThreadRecord to = records.get(key.toThread());
      if (!scope.has(to) || !scope.hasAllProcedures()) {
        return;
      }
      ProgramThread target = analysis.thread(to);
      ProgramThread origin = analysis.thread(records.get(key.fromThread()));
      boolean threads = level == Level.THREAD || origin.getProcess() == target.getProcess();
      Level shown = level == Level.MACHINE || level == Level.APPLICATION ? level
          : threads ? Level.THREAD : Level.PROCESS;
      String name = key.kind().label() + ": "
          + Names.where(origin, shown) + "->" + Names.where(target, shown);
      String where = Names.where(target, level);
      sums.computeIfAbsent(name, k -> new Sum(name, null, key.kind(), where))
          .add(arcs.ns(), arcs.count(), where);
    });
  }
}
