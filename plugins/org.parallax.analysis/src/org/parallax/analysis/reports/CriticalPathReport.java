package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.MergedPaths;
import org.parallax.analysis.calls.OwnFunctions;
import org.parallax.analysis.path.CriticalPath;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.Quantity;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Critical path profiles: what the longest path through an application consists of (Irvin and
 * Miller 1993, sections 3 and 4.3, Figures 6, 7, 10, 11 and 13).
 *
 * <p>Columns: {@code kind} (CPU, Msg, Coll, Lock, ...), {@code where} ({@code machine:process};
 * {@code ALL:ALL} for a procedure of several processes), {@code time} in nanoseconds, which adds up
 * to the total, {@code percent} of the whole path's length, {@code count} of arcs (0 for work);
 * {@code function}, the program's own one in which the work or the wait is, and
 * {@code originFunction}, the one from which an arc comes; {@code path} and {@code originPath}, the
 * call paths of most of the row's time.
 *
 * <p>Cost: the distinct pairs of threads and call paths of the path. Texts are made for rows only.
 */
public final class CriticalPathReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("kind", "kind", Unit.TEXT),
      new Column("where", "machine:process", Unit.TEXT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("count", "arcs", Unit.COUNT),
      new Column("function", "in function", Unit.TEXT),
      new Column("originFunction", "origin in", Unit.TEXT),
      new Column("path", "path", Unit.TEXT),
      new Column("originPath", "origin's path", Unit.TEXT));
  /** Of a path from which the intrusion is removed. */
  private static final List<Column> INTRUSION = List.of(
      new Column("intrusion", "intrusion", Unit.NANOSECONDS),
      new Column("mark", "mark", Unit.TEXT));
  private static final int TIME = 2;
  /** A path of so much of the run has the run's length. */
  private static final double SAME = 0.9;

  private List<Column> columns() {
    List<Column> all = columns(level, grouping);
    return path.isChanged() ? Stream.concat(all.stream(), INTRUSION.stream()).toList() : all;
  }

  /** With a row for each call path, it tells rows apart, and so does where it is if that is not a sum. */
  private static List<Column> columns(Level level, Grouping grouping) {
    if (grouping != Grouping.PATH) {
      return COLUMNS;
    }
    Set<String> keys = level == Level.PROCEDURE ? Set.of("path", "originPath")
        : Set.of("path", "originPath", "where");
    return COLUMNS.stream().map(column -> !keys.contains(column.key()) ? column
        : Column.key(column.key(), column.label(), column.unit())).toList();
  }

  /** Of which arcs of the path there is one row. */
  public enum Grouping {
    /** Of one kind from one part of the program to another. */
    PAIR,
    /** Of one kind. */
    KIND,
    /** Of one kind that end in calls of one routine by one function of the program. */
    OPERATION,
    /** Of one kind from one call path to another; work has a row for each call path, too. */
    PATH
  }

  /** What tells rows apart. */
  private record Key(ArcKind kind, Object first, Object second, Object third) {}

  /** What rows are made of while they are summed up. */
  private static final class Sum {
    final String name;
    final Object subject;
    final ArcKind kind;
    final OwnFunctions functions = new OwnFunctions();
    final OwnFunctions origins = new OwnFunctions();
    /** Time by the numbers of both call paths: that of the origin, 0 for work, in the upper half. */
    private final TimeSums<Long> paths = new TimeSums<>();
    String where;
    long ns;
    long removedNs;
    long count;

    Sum(String name, Object subject, ArcKind kind, String where) {
      this.name = name;
      this.subject = subject;
      this.kind = kind;
      this.where = where;
    }

    void add(long moreNs, long moreCount, String at, int path, int originPath) {
      ns += moreNs;
      count += moreCount;
      if (!where.equals(at)) {
        where = Names.ALL;
      }
      paths.add((long) originPath << 32 | path, moreNs);
    }
  }

  private final ApplicationAnalysis analysis;
  private final Procedures procedures;
  private final CriticalPath path;
  private final Level level;
  private final Grouping grouping;
  private final Scope scope;
  private final MergedPaths merged;
  private final ThreadPlaces places;
  private final Map<Key, Sum> sums = new LinkedHashMap<>();

  private CriticalPathReport(ApplicationAnalysis analysis, CriticalPath path, Level level,
      Grouping grouping, Scope scope) {
    this.analysis = analysis;
    this.path = path;
    this.level = level;
    this.grouping = grouping;
    this.scope = scope;
    procedures = analysis.procedures();
    merged = new MergedPaths(analysis);
    places = new ThreadPlaces(analysis, path.replay().threads());
  }

  /** Makes a profile with arcs by {@link Grouping#PAIR pairs}. */
  public static Table of(
      ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node, Progress progress) {
    return of(analysis, level, Grouping.PAIR, weight, node, progress);
  }

  /**
   * Makes a profile of the critical path in the scope of the analyses.
   *
   * @param level of the rows: machine, process, thread or procedure
   * @param grouping of the arcs
   * @param node to which the profile is limited: its work, and the arcs that lead to it; null for
   *     the whole path
   */
  public static Table of(ApplicationAnalysis analysis, Level level, Grouping grouping, Weight weight,
      TreeNode node, Progress progress) {
    CriticalPath path = analysis.criticalPath(weight, progress);
    Scope scope = new Scope(analysis, node);
    CriticalPathReport report = new CriticalPathReport(analysis, path, level, grouping, scope);
    report.addWork();
    report.addArcs();
    Map<String, String> parameters = analysis.parameters();
    parameters.put("scope", analysis.pathScope().name().toLowerCase(Locale.ROOT));
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    parameters.put("by", grouping.name().toLowerCase(Locale.ROOT));
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
        "name", Unit.NANOSECONDS, report.sums.values().stream().mapToLong(sum -> sum.ns).sum(), TIME,
        report.columns(), report.rows(), report.warnings(weight));
  }

  /** Tells where the length of the path is not that of the run, beside what the replay tells. */
  private List<String> warnings(Weight weight) {
    List<String> warnings = new ArrayList<>(path.replay().warnings());
    long runNs = runNs();
    if (weight == Weight.CPU && path.lengthNs() < SAME * runNs) {
      warnings.add("the path weighs CPU time, " + Quantity.time(path.lengthNs()) + " of the run's "
          + Quantity.time(runNs) + "; weighed by wall time it has the length of the run");
    }
    return warnings;
  }

  /** From the first begin of a thread to the last end, within the window of the analysis. */
  private long runNs() {
    Window window = analysis.window();
    long begin = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (ThreadRecord record : path.replay().threads()) {
      begin = Math.min(begin, Math.max(window.beginNs(), record.thread().beginNs()));
      end = Math.max(end, Math.min(window.endNs(), record.thread().endNs()));
    }
    return window.count() > 1 ? 0 : Math.max(0, end - begin);
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    sums.values().stream()
        .filter(sum -> sum.ns > 0 || sum.removedNs > 0)
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.ns).thenComparing(sum -> sum.name, NaturalOrder.INSTANCE))
        .forEach(sum -> rows.add(row(sum)));
    return rows;
  }

  private Row row(Sum sum) {
    long paths = sum.paths.most(0L);
    List<Object> values = new ArrayList<>(List.of(sum.kind.label(), sum.where, sum.ns,
        percent(sum.ns, path.lengthNs()), sum.count, sum.functions.text(procedures),
        sum.origins.text(procedures), merged.text((int) paths),
        sum.kind == ArcKind.WORK ? "" : merged.text((int) (paths >>> 32))));
    if (path.isChanged()) {
      double measured = percent(sum.removedNs, sum.removedNs + sum.ns);
      values.addAll(List.of(sum.removedNs,
          measured >= IntrusionReport.MOSTLY_PERCENT ? IntrusionReport.MOSTLY : ""));
    }
    return new Row(sum.name, sum.subject, null, List.copyOf(values));
  }

  private static String capitalized(Level level) {
    return level.name().charAt(0) + level.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0.0 : 100.0 * part / whole;
  }

  private void addWork() {
    for (ThreadRecord record : path.replay().threads()) {
      long[] work = path.workNs(record.index());
      if (work == null || !scope.has(record)) {
        continue;
      }
      int process = record.process().index();
      String where = places.of(record, level);
      for (int callPath = 0; callPath < work.length; callPath++) {
        int id = procedures.leaf(process, callPath);
        long removed = path.removedNs(record.index())[callPath];
        if (work[callPath] == 0 && removed == 0 || !scope.hasProcedure(id)) {
          continue;
        }
        int number = merged.of(process, callPath);
        Sum sum = workSum(record, where, id, number);
        sum.add(work[callPath], 0, where, number, 0);
        sum.removedNs += removed;
        sum.functions.add(merged.own(number), work[callPath]);
      }
    }
  }

  private Sum workSum(ThreadRecord record, String where, int id, int number) {
    boolean isProcedure = level == Level.PROCEDURE;
    if (grouping == Grouping.PATH) {
      return sums.computeIfAbsent(new Key(ArcKind.WORK, number, isProcedure ? "" : where, ""),
          key -> new Sum(procedures.get(id).name(), analysis.procedure(id), ArcKind.WORK, where));
    }
    return sums.computeIfAbsent(new Key(ArcKind.WORK, isProcedure ? id : where, "", ""),
        key -> isProcedure
            ? new Sum(procedures.get(id).name(), analysis.procedure(id), ArcKind.WORK, where)
            : new Sum(ArcKind.WORK.label() + ": " + where,
                Names.subject(analysis.thread(record), level), ArcKind.WORK, where));
  }

  private void addArcs() {
    List<ThreadRecord> records = path.replay().threads();
    path.arcs().forEach((key, arcs) -> {
      ThreadRecord to = records.get(key.toThread());
      if (!scope.has(to) || !scope.hasAllProcedures()) {
        return;
      }
      ThreadRecord from = records.get(key.fromThread());
      int number = merged.of(to.process().index(), key.toPath());
      int origin = merged.of(from.process().index(), key.fromPath());
      Sum sum = arcSum(key.kind(), from, to, number, origin);
      sum.add(arcs.ns(), arcs.count(), places.of(to, level), number, origin);
      sum.functions.add(merged.own(number), arcs.ns());
      sum.origins.add(merged.own(origin), arcs.ns());
    });
  }

  private Sum arcSum(ArcKind kind, ThreadRecord from, ThreadRecord to, int number, int origin) {
    String where = places.of(to, level);
    return switch (grouping) {
      case PAIR -> {
        Level shown = shown(from, to);
        String source = places.of(from, shown);
        String target = places.of(to, shown);
        yield sums.computeIfAbsent(new Key(kind, source, target, ""),
            key -> arcSum(kind, source + "->" + target, where));
      }
      case KIND -> sums.computeIfAbsent(
          new Key(kind, "", "", ""), key -> new Sum(kind.label(), null, kind, where));
      case OPERATION -> sums.computeIfAbsent(
          new Key(kind, merged.leaf(number), merged.own(number), ""),
          key -> arcSum(kind, operation(number), where));
      case PATH -> sums.computeIfAbsent(
          new Key(kind, number, origin, level == Level.PROCEDURE ? "" : where),
          key -> arcSum(kind, procedures.get(merged.leaf(number)).name(), where));
    };
  }

  private static Sum arcSum(ArcKind kind, String what, String where) {
    return new Sum(kind.label() + ": " + what, null, kind, where);
  }

  /** Such as {@code MPI_Allreduce in TimeIncrement}. */
  private String operation(int number) {
    int own = merged.own(number);
    String leaf = procedures.get(merged.leaf(number)).name();
    return own == Procedures.NONE || own == merged.leaf(number) ? leaf
        : leaf + " in " + procedures.get(own).name();
  }

  /** The level at which both ends of an arc are named, so that they differ. */
  private Level shown(ThreadRecord from, ThreadRecord to) {
    if (level == Level.MACHINE || level == Level.APPLICATION) {
      return level;
    }
    ProgramThread origin = analysis.thread(from);
    ProgramThread target = analysis.thread(to);
    return level == Level.THREAD || origin.getProcess() == target.getProcess() ? Level.THREAD
        : Level.PROCESS;
  }
}
