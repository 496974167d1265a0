package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.MergedPaths;
import org.parallax.analysis.calls.OwnFunctions;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.waits.WaitStates;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Stream;
import org.parallax.trace.SyncObject;

/**
 * Wait states: in what ways the threads of an application lost time to each other, where, and who
 * caused it. {@code docs/wait-states.md} defines each, and the columns.
 *
 * <p>Rows add up to the total, the largest first. With {@code causes} there is one for each cause;
 * else one for each place, with the largest of its causes. Both sides have the call path of most of
 * the time, and the program's own function on it. Texts are made for rows only.
 */
public final class WaitsReport {
  static final String NOT_BEGUN = CallTree.NOT_BEGUN;
  private static final String SEVERAL = "(several)";
  private static final int ANY_PATH = -1;

  private static final List<Column> COLUMNS = List.of(
      new Column("where", "machine:process", Unit.TEXT),
      new Column("procedure", "procedure", Unit.TEXT),
      new Column("caller", "called by", Unit.TEXT),
      new Column("function", "in function", Unit.TEXT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("count", "count", Unit.COUNT),
      new Column("object", "object", Unit.TEXT),
      new Column("indirect", "indirect", Unit.NANOSECONDS),
      new Column("origin", "origin", Unit.TEXT),
      new Column("originProcedure", "while it did", Unit.TEXT),
      new Column("originFunction", "origin in", Unit.TEXT),
      new Column("originTime", "origin's", Unit.NANOSECONDS),
      new Column("path", "path", Unit.TEXT),
      new Column("originPath", "origin's path", Unit.TEXT));
  private static final int TIME = 4;

  /** Places tell rows apart, and where there is a row for each cause, causes too. */
  private static List<Column> columns(Level level, boolean causes) {
    Set<String> keys = new HashSet<>(Set.of(level == Level.PROCEDURE ? "path" : "where"));
    if (causes) {
      keys.addAll(List.of("origin", "originPath"));
    }
    return COLUMNS.stream().map(column -> !keys.contains(column.key()) ? column
        : Column.key(column.key(), column.label(), column.unit())).toList();
  }

  /**
   * A place as a row shows it.
   *
   * @param path number of the call path, {@value #ANY_PATH} of rows for all of them
   */
  private record RowKey(WaitState state, String where, int path) {}

  /**
   * A cause as a row shows it.
   *
   * @param path number of the call path, {@link WaitStates#NOT_BEGUN} before the thread's begin
   */
  private record Origin(String where, int path) {}

  private static final class Caused {
    long directNs;
    long indirectNs;
    long count;

    long ns() {
      return directNs + indirectNs;
    }
  }

  private static final class Sum {
    final RowKey key;
    final Object subject;
    final OwnFunctions functions = new OwnFunctions();
    /** The time of each call path. */
    final TimeSums<Integer> paths = new TimeSums<>();
    String where;
    String object;
    long ns;
    long count;
    final Map<Origin, Caused> causes = new HashMap<>();

    Sum(RowKey key, Object subject) {
      this.key = key;
      this.subject = subject;
    }

    List<Map.Entry<Origin, Caused>> largestFirst() {
      return causes.entrySet().stream()
          .sorted(Comparator.<Map.Entry<Origin, Caused>>comparingLong(e -> -e.getValue().ns())
              .thenComparing(e -> e.getKey().where()).thenComparing(e -> e.getKey().path()))
          .toList();
    }
  }

  private final ApplicationAnalysis analysis;
  private final Procedures procedures;
  private final List<ThreadRecord> records;
  private final Level level;
  private final MergedPaths merged;
  private final ThreadPlaces places;
  private final Map<RowKey, Sum> sums = new LinkedHashMap<>();

  private WaitsReport(ApplicationAnalysis analysis, List<ThreadRecord> records, Level level) {
    this.analysis = analysis;
    this.records = records;
    this.level = level;
    procedures = analysis.procedures();
    merged = new MergedPaths(analysis);
    places = new ThreadPlaces(analysis, records);
  }

  /**
   * Makes a table of wait states.
   *
   * @param level of the rows: application, machine, process, thread, or procedure for the call
   *     paths that waited
   * @param causes true for a row for each cause of each place
   * @param node to which the table is limited, by where time was lost; null for all
   */
  public static Table of(ApplicationAnalysis analysis, Level level, boolean causes, TreeNode node,
      Progress progress) {
    WaitStates states = analysis.waitStates(progress);
    Scope scope = new Scope(analysis, node);
    List<ThreadRecord> records = states.replay().threads();
    WaitsReport report = new WaitsReport(analysis, records, level);
    long total = 0;
    long waitNs = 0;
    for (Map.Entry<WaitStates.Place, WaitStates.Loss> entry : states.losses().entrySet()) {
      WaitStates.Place place = entry.getKey();
      ThreadRecord record = records.get(place.thread());
      if (scope.has(record) && scope.hasProcedure(
          analysis.procedures().leaf(record.process().index(), place.path()))) {
        report.add(place, entry.getValue());
        total += entry.getValue().ns();
        waitNs += place.state().isMetric() ? entry.getValue().ns() : 0;
      }
    }
    long threadsNs = records.stream().filter(scope::has)
        .mapToLong(record -> record.metrics().elapsedNs).sum();
    List<Row> rows = new ArrayList<>();
    report.sums.values().stream()
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.ns).thenComparing(sum -> sum.key.state)
            .thenComparing(sum -> sum.key.where).thenComparing(sum -> sum.key.path))
        .forEach(sum -> report.addRows(sum, causes, threadsNs, rows));
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    parameters.put("causes", Boolean.toString(causes));
    parameters.put("threadsNs", Long.toString(threadsNs));
    parameters.put("waitNs", Long.toString(waitNs));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("waits", "Wait states (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "wait state", Unit.NANOSECONDS, total, TIME, columns(level, causes), rows,
        states.replay().warnings());
  }

  private void addRows(Sum sum, boolean all, long threadsNs, List<Row> rows) {
    List<Map.Entry<Origin, Caused>> causes = sum.largestFirst();
    if (all && !causes.isEmpty()) {
      causes.forEach(cause -> rows.add(row(sum, cause, cause.getValue().ns(),
          cause.getValue().count, cause.getValue().indirectNs, threadsNs)));
    } else {
      long indirectNs = causes.stream().mapToLong(cause -> cause.getValue().indirectNs).sum();
      rows.add(row(sum, causes.isEmpty() ? null : causes.get(0), sum.ns, sum.count, indirectNs,
          threadsNs));
    }
  }

  private Row row(Sum sum, Map.Entry<Origin, Caused> cause, long ns, long count, long indirectNs,
      long threadsNs) {
    int path = sum.paths.most(0);
    int origin = cause == null ? 0 : cause.getKey().path();
    boolean begun = cause != null && origin != WaitStates.NOT_BEGUN;
    String unknown = cause == null ? "" : NOT_BEGUN;
    return Row.of(sum.key.state.label(), sum.subject, sum.where,
        procedures.get(merged.leaf(path)).name(), merged.caller(path), sum.functions.text(procedures), ns,
        threadsNs == 0 ? 0.0 : 100.0 * ns / threadsNs, count, sum.object, indirectNs,
        cause == null ? "" : cause.getKey().where(),
        begun ? procedures.get(merged.leaf(origin)).name() : unknown,
        begun && merged.own(origin) != Procedures.NONE
            ? procedures.get(merged.own(origin)).name() : "",
        cause == null ? 0L : cause.getValue().ns(), merged.text(path),
        begun ? merged.text(origin) : unknown);
  }

  private void add(WaitStates.Place place, WaitStates.Loss loss) {
    ThreadRecord record = records.get(place.thread());
    int process = record.process().index();
    boolean byPath = level == Level.PROCEDURE;
    String where = places.of(record, level);
    int path = merged.of(process, place.path());
    RowKey key = new RowKey(place.state(), byPath ? "" : where, byPath ? path : ANY_PATH);
    Sum sum = sums.computeIfAbsent(key, k -> new Sum(key,
        byPath ? analysis.procedure(procedures.leaf(process, place.path()))
            : Names.subject(analysis.thread(record), level)));
    sum.where = sum.where == null || sum.where.equals(where) ? where : Names.ALL;
    String object = object(record.process(), place);
    sum.object = sum.object == null || sum.object.equals(object) ? object : SEVERAL;
    sum.ns += loss.ns();
    sum.count += loss.count();
    sum.paths.add(path, loss.ns());
    sum.functions.add(merged.own(path), loss.ns());
    Level originLevel = level == Level.MACHINE ? level : Level.THREAD;
    Caused largest = null;
    for (Map.Entry<WaitStates.Cause, Long> entry : loss.causes().entrySet()) {
      WaitStates.Cause cause = entry.getKey();
      ThreadRecord other = records.get(cause.thread());
      Origin origin = new Origin(places.of(other, originLevel), cause.path() == WaitStates.NOT_BEGUN
          ? WaitStates.NOT_BEGUN : merged.of(other.process().index(), cause.path()));
      Caused caused = sum.causes.computeIfAbsent(origin, k -> new Caused());
      caused.directNs += cause.indirect() ? 0 : entry.getValue();
      caused.indirectNs += cause.indirect() ? entry.getValue() : 0;
      if (largest == null || caused.ns() > largest.ns()) {
        largest = caused;
      }
    }
    if (largest != null) {
      largest.count += loss.count();
    }
  }

  /** @return the lock, condition, semaphore, barrier, stream or window that was waited for, or nothing */
  private static String object(ProcessTrace process, WaitStates.Place place) {
    if (place.detail() == 0) {
      return "";
    }
    return switch (place.state()) {
      case LATE_POST, EARLY_WAIT, LATE_COMPLETE, WINDOW_LOCK_CONTENTION, WAIT_FOR_PROGRESS ->
          "window " + place.detail();
      case STREAM_WAIT, STREAM_FULL -> {
        Stream stream = process.stream(place.detail());
        yield stream == null ? "" : stream.name();
      }
      default -> {
        SyncObject object = process.syncObject(place.detail());
        if (object == null) {
          yield "";
        }
        yield Names.object(object);
      }
    };
  }
}
