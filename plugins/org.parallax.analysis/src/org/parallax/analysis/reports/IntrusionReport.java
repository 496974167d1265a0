package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.MergedPaths;
import org.parallax.analysis.intrusion.Intrusion;
import org.parallax.analysis.intrusion.SharedProcessors;
import org.parallax.analysis.intrusion.ThreadIntrusion;
import org.parallax.analysis.intrusion.ThreadIntrusion.Part;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * What measuring cost the program: a row for each thread, process, machine or application, or for each call
 * path.
 *
 * <p>Columns: {@code time}, which adds up to the total and is the sum of {@code events}, {@code caches},
 * {@code unwinding}, {@code samples}, {@code flushes} and {@code start}; {@code percent} of {@code ofTime}, the time of the
 * threads, or of the call path, without waits for a processor; {@code cpuPercent} of their CPU time; {@code count} of events; {@code mark} of threads with more than 5 % and
 * of call paths of which half or more is measuring; {@code path} of rows that are call paths. Cost: that of
 * profiles and a second reading of the events.
 */
public final class IntrusionReport {
  /** Of threads with more, percentages of other reports are wrong by as much. */
  public static final double HIGH_PERCENT = 5;
  /** From this on, a part of the program is mostly measurement. */
  public static final double MOSTLY_PERCENT = 50;
  /** The mark of a part that is mostly measurement. */
  public static final String MOSTLY = "mostly measurement";
  private static final String HIGH = "above 5 %";
  private static final String START = "[start and end]";
  private static final Column PATH = Column.key("path", "path", Unit.TEXT);
  private static final List<Column> COLUMNS = List.of(
      new Column("time", "time", Unit.NANOSECONDS),
      Column.mean("percent", "% of its time", Unit.PERCENT),
      Column.mean("cpuPercent", "% of CPU time", Unit.PERCENT),
      new Column("events", "events", Unit.NANOSECONDS),
      new Column("caches", "caches", Unit.NANOSECONDS),
      new Column("unwinding", "unwinding", Unit.NANOSECONDS),
      new Column("samples", "samples", Unit.NANOSECONDS),
      new Column("flushes", "flushes", Unit.NANOSECONDS),
      new Column("start", "start, end", Unit.NANOSECONDS),
      new Column("count", "count", Unit.COUNT),
      new Column("ofTime", "its time", Unit.NANOSECONDS),
      new Column("mark", "mark", Unit.TEXT));
  private static final List<Column> PATH_COLUMNS = new ArrayList<>(COLUMNS);

  static {
    PATH_COLUMNS.add(PATH);
  }

  private static final class Sum {
    final String name;
    final Object subject;
    final String path;
    final long[] parts = new long[Part.values().length];
    long count;
    long ofTimeNs;
    long cpuNs;
    boolean isOversubscribed;

    Sum(String name, Object subject, String path) {
      this.name = name;
      this.subject = subject;
      this.path = path;
    }

    long ns() {
      return Arrays.stream(parts).sum();
    }

    Row row(boolean isPath) {
      long ns = ns();
      double percent = percent(ns, ofTimeNs);
      double cpuPercent = percent(ns, cpuNs);
      List<Object> values = new ArrayList<>(List.of(ns, percent, cpuPercent));
      for (long part : parts) {
        values.add(part);
      }
      String mark = isPath ? percent >= MOSTLY_PERCENT ? MOSTLY : ""
          : percent > HIGH_PERCENT || isOversubscribed && cpuPercent > HIGH_PERCENT ? HIGH : "";
      values.addAll(List.of(count, ofTimeNs, mark));
      if (isPath) {
        values.add(path);
      }
      return new Row(name, subject, null, List.copyOf(values));
    }

    private static double percent(long ns, long ofNs) {
      return ofNs <= 0 ? 0 : Math.min(100, 100.0 * ns / ofNs);
    }
  }

  private final ApplicationAnalysis analysis;
  private final Level level;
  private final Scope scope;
  private final MergedPaths merged;
  private final Map<Object, Sum> sums = new LinkedHashMap<>();

  private IntrusionReport(ApplicationAnalysis analysis, Level level, Scope scope) {
    this.analysis = analysis;
    this.level = level;
    this.scope = scope;
    merged = new MergedPaths(analysis);
  }

  /**
   * Makes the report.
   *
   * @param level of the rows; for {@link Level#PROCEDURE}, each call path has a row
   * @param node to which it is limited; null for the whole application
   */
  public static Table of(
      ApplicationAnalysis analysis, Level level, TreeNode node, Progress progress) {
    Intrusion intrusion = analysis.intrusion(progress);
    List<CallPathProfile> profiles = analysis.profiles(progress);
    IntrusionReport report = new IntrusionReport(analysis, level, new Scope(analysis, node));
    Map<String, SharedProcessors> machines = SharedProcessors.of(analysis.threads(), intrusion, profiles);
    for (ThreadRecord record : analysis.threads()) {
      progress.check();
      if (report.scope.has(record)) {
        report.add(record, intrusion.of(record), profiles.get(record.index()),
            machines.get(record.process().host()).isOversubscribed());
      }
    }
    return report.table(intrusion);
  }

  private void add(ThreadRecord record, ThreadIntrusion intrusion, CallPathProfile profile,
      boolean isOversubscribed) {
    int process = record.process().index();
    for (int path = 0; path < profile.wallNs().length; path++) {
      int leaf = analysis.procedures().leaf(process, path);
      double ns = intrusion.causedNs(path);
      if (ns == 0 && profile.wallNs()[path] == 0 || !scope.hasProcedure(leaf)) {
        continue;
      }
      Sum sum = level == Level.PROCEDURE ? pathSum(process, path) : threadSum(record);
      for (Part part : Part.values()) {
        // Rounded here, so that all levels have the same sum.
        long partNs = Math.round(intrusion.causedNs(part)[path]);
        boolean isStart = level == Level.PROCEDURE && part == Part.START;
        if (!isStart) {
          sum.parts[part.ordinal()] += partNs;
        } else if (partNs > 0) {
          sums.computeIfAbsent(START, key -> new Sum(START, null, "")).parts[part.ordinal()] += partNs;
        }
      }
      sum.cpuNs += profile.cpuNs()[path];
      sum.isOversubscribed |= isOversubscribed;
      sum.count += intrusion.events()[path];
      sum.ofTimeNs += Math.max(0, profile.wallNs()[path] - intrusion.waitedNs()[path]);
    }
  }

  private Sum pathSum(int process, int path) {
    int number = merged.of(process, path);
    return sums.computeIfAbsent(number, key -> {
      int leaf = merged.leaf(number);
      return new Sum(analysis.procedures().get(leaf).name(), analysis.procedure(leaf), merged.text(number));
    });
  }

  private Sum threadSum(ThreadRecord record) {
    String where = Names.where(analysis.thread(record), level);
    return sums.computeIfAbsent(
        where, key -> new Sum(where, Names.subject(analysis.thread(record), level), ""));
  }

  private Table table(Intrusion intrusion) {
    boolean isPath = level == Level.PROCEDURE;
    List<Row> rows = new ArrayList<>();
    sums.values().stream().filter(sum -> !isPath || sum.ns() > 0)
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.ns())
            .thenComparing(sum -> sum.name, NaturalOrder.INSTANCE)
            .thenComparing(sum -> sum.path, NaturalOrder.INSTANCE))
        .forEach(sum -> rows.add(sum.row(isPath)));
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("intrusion", "Intrusion (" + analysis.name() + ")", analysis.traceNames(), parameters,
        "name", Unit.NANOSECONDS, sums.values().stream().mapToLong(Sum::ns).sum(), 0,
        isPath ? PATH_COLUMNS : COLUMNS, rows, List.copyOf(intrusion.warnings()));
  }
}
