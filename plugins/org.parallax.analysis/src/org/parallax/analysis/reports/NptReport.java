package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.OwnFunctions;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.NormalizedTimes;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * NPT profiles: the time of each procedure, thread, process or machine, normalized by the number of
 * threads that execute at each moment (Anderson and Lazowska 1990; Irvin and Miller 1993, section 3).
 * What is large here is executed while little else is: see {@link NormalizedTimes}.
 *
 * <p>Columns: {@code time}, the normalized time in nanoseconds, which adds up to the total, and
 * {@code percent} of it; {@code executing}, the same time before it is normalized; {@code parallelism},
 * one by the other: how many threads execute while this does; {@code function}, the program's own one
 * in which it is executed. The total of all rows of an
 * application is the time during which at least one of its threads executes, the parameter {@code
 * executingNs}; that of a node is the node's part of it, as all threads of the application count.
 * Times are rounded down to nanoseconds, and what is missing to the total is given to the rows that
 * lost most, at most 1 ns each.
 */
public final class NptReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("time", "NPT", Unit.NANOSECONDS),
      new Column("percent", "%NPT", Unit.PERCENT),
      new Column("executing", "executing", Unit.NANOSECONDS),
      Column.mean("parallelism", "parallelism", Unit.NUMBER),
      new Column("function", "in function", Unit.TEXT));

  private NptReport() {}

  private static final class Sum {
    final String name;
    final Object subject;
    final OwnFunctions functions = new OwnFunctions();
    long share;
    long executingNs;
    long ns;

    Sum(String name, Object subject) {
      this.name = name;
      this.subject = subject;
    }
  }

  /**
   * Makes an NPT profile.
   *
   * @param level of the rows: application, machine, process, thread or procedure
   * @param weight CPU for the time that threads have a processor, wall for all time in which they do
   *     not wait for others
   * @param node to whose rows the table is limited; null for all
   */
  public static Table of(ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node,
      Progress progress) {
    NormalizedTimes times = analysis.normalizedTimes(weight, progress);
    Scope scope = new Scope(analysis, node);
    Map<Object, Sum> sums = new HashMap<>();
    for (ThreadRecord record : times.threads()) {
      if (scope.has(record)) {
        Function<Integer, Sum> rows = level == Level.PROCEDURE
            ? id -> sums.computeIfAbsent(id, k -> new Sum(
                analysis.procedures().get(id).name(), analysis.procedure(id)))
            : id -> ofThread(analysis.thread(record), level, sums);
        add(analysis, record, times, scope, rows);
      }
    }
    List<Sum> parts = sums.values().stream().filter(sum -> sum.executingNs > 0)
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.share).thenComparing(sum -> sum.name, NaturalOrder.INSTANCE))
        .toList();
    boolean whole = scope.name().isEmpty();
    long total = whole ? times.busyNs() : rounded(parts, times.shift());
    round(parts, times.shift(), total);
    List<Row> rows = new ArrayList<>();
    for (Sum sum : parts) {
      rows.add(Row.of(sum.name, sum.subject, sum.ns, total == 0 ? 0.0 : 100.0 * sum.ns / total,
          sum.executingNs, parallelism(sum, times.shift()),
          sum.functions.text(analysis.procedures())));
    }
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    parameters.put("weight", weight.name().toLowerCase(Locale.ROOT));
    if (!whole) {
      parameters.put("node", scope.name());
    }
    parameters.put("executingNs", Long.toString(times.busyNs()));
    return new Table("npt", "NPT profile (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "name", Unit.NANOSECONDS, total, 0, COLUMNS, rows,
        warnings(times, weight));
  }

  private static Sum ofThread(ProgramThread thread, Level level, Map<Object, Sum> sums) {
    String where = Names.where(thread, level);
    return sums.computeIfAbsent(where, k -> new Sum(where, Names.subject(thread, level)));
  }

  private static void add(ApplicationAnalysis analysis, ThreadRecord record, NormalizedTimes times,
      Scope scope, Function<Integer, Sum> rows) {
    long[] shares = times.shares(record.index());
    long[] executingNs = times.executingNs(record.index());
    for (int path = 0; path < shares.length; path++) {
      if (executingNs[path] == 0) {
        continue;
      }
      int id = analysis.procedures().leaf(record.process().index(), path);
      if (scope.hasProcedure(id)) {
        Sum sum = rows.apply(id);
        sum.share += shares[path];
        sum.executingNs += executingNs[path];
        sum.functions.add(
            analysis.procedures().own(record.process().index(), path), executingNs[path]);
      }
    }
  }

  private static double parallelism(Sum sum, int shift) {
    double ns = (double) sum.share / (1L << shift);
    return ns == 0 ? 0.0 : sum.executingNs / ns;
  }

  private static long rounded(List<Sum> parts, int shift) {
    long share = parts.stream().mapToLong(part -> part.share).sum();
    return shift == 0 ? share : (share + (1L << shift - 1)) >> shift;
  }

  /** Rounds so that the parts add up to the total: those that lose most get what is missing. */
  private static void round(List<Sum> parts, int shift, long total) {
    long missing = total;
    for (Sum part : parts) {
      part.ns = part.share >> shift;
      missing -= part.ns;
    }
    long fraction = (1L << shift) - 1;
    List<Sum> byLoss = parts.stream()
        .sorted(Comparator.<Sum>comparingLong(part -> -(part.share & fraction))).toList();
    for (Sum part : byLoss) {
      if (missing > 0) {
        part.ns++;
        missing--;
      }
    }
    if (!parts.isEmpty()) {
      // Nothing, as long as shares are off by less than 1 ns together.
      parts.get(0).ns += missing;
    }
  }

  private static List<String> warnings(NormalizedTimes times, Weight weight) {
    List<String> warnings = new ArrayList<>(times.warnings());
    long unknown = weight == Weight.WALL ? 0 : times.threads().stream().map(ThreadRecord::process)
        .distinct().filter(process -> process.cpuClock() == ProcessTrace.CpuClock.NONE).count();
    if (unknown > 0) {
      warnings.add(unknown + (unknown == 1 ? " process has" : " processes have")
          + " no CPU clock in the trace: their time without a processor counts as execution");
    }
    return warnings;
  }
}
