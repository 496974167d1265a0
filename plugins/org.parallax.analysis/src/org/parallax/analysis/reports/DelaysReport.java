package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.MergedPaths;
import org.parallax.analysis.calls.OwnFunctions;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.waits.DelayCosts;
import org.parallax.analysis.waits.WaitStates;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Delay costs: by which work threads came late, and how much time others lost by it. {@code
 * docs/wait-states.md} explains them.
 *
 * <p>Rows add up to the total, the largest first. Without a node the total is the time of all waits. Both
 * sides have the program's own function. Texts are made for rows only.
 */
public final class DelaysReport {
  private static final String UNEXPLAINED = "(unexplained)";
  private static final int TIME = 4;
  // Instead of the number of a call path.
  private static final int ANY_PATH = -1;
  private static final int PATH_NOT_BEGUN = -2;
  private static final int PATH_UNEXPLAINED = -3;

  private static List<Column> columns(Level level) {
    boolean byPath = level == Level.PROCEDURE;
    return List.of(
        byPath ? new Column("where", "machine:process", Unit.TEXT)
            : Column.key("where", "machine:process", Unit.TEXT),
        new Column("caller", "called by", Unit.TEXT),
        new Column("function", "in function", Unit.TEXT),
        byPath ? Column.key("path", "path", Unit.TEXT) : new Column("path", "path", Unit.TEXT),
        new Column("time", "cost", Unit.NANOSECONDS),
        new Column("percent", "%cost", Unit.PERCENT),
        new Column("shortTerm", "short-term", Unit.NANOSECONDS),
        new Column("longTerm", "long-term", Unit.NANOSECONDS),
        new Column("state", "in waits", Unit.TEXT),
        new Column("victim", "of", Unit.TEXT),
        new Column("victimProcedure", "while in", Unit.TEXT),
        new Column("victimFunction", "victim in", Unit.TEXT),
        new Column("victimTime", "victim's", Unit.NANOSECONDS));
  }

  /**
   * What tells rows apart.
   *
   * @param path number of the call path, or one of the negative ones above
   */
  private record Key(String where, int path) {}

  private record Victim(String state, String where, String procedure) {}

  private static final class Harm {
    final OwnFunctions functions = new OwnFunctions();
    long ns;
  }

  private static final class Sum {
    final Key key;
    final String name;
    final Object subject;
    final OwnFunctions functions = new OwnFunctions();
    String where;
    long shortNs;
    long longNs;
    final Map<Victim, Harm> victims = new HashMap<>();

    Sum(Key key, String name, Object subject) {
      this.key = key;
      this.name = name;
      this.subject = subject;
    }

    long ns() {
      return shortNs + longNs;
    }

    Map.Entry<Victim, Harm> largest() {
      return victims.entrySet().stream()
          .min(Comparator.<Map.Entry<Victim, Harm>>comparingLong(e -> -e.getValue().ns)
              .thenComparing(e -> e.getKey().toString())).orElseThrow();
    }
  }

  private final ApplicationAnalysis analysis;
  private final Procedures procedures;
  private final List<ThreadRecord> records;
  private final Level level;
  private final MergedPaths merged;
  private final ThreadPlaces places;
  private final Map<Key, Sum> sums = new LinkedHashMap<>();

  private DelaysReport(ApplicationAnalysis analysis, List<ThreadRecord> records, Level level) {
    this.analysis = analysis;
    this.records = records;
    this.level = level;
    procedures = analysis.procedures();
    merged = new MergedPaths(analysis);
    places = new ThreadPlaces(analysis, records);
  }

  /**
   * Makes a table of delay costs.
   *
   * @param level of the rows: application, machine, process, thread, or procedure for call paths
   * @param node to which the table is limited, by where the delays were; null for all
   */
  public static Table of(
      ApplicationAnalysis analysis, Level level, TreeNode node, Progress progress) {
    DelayCosts delays = analysis.delayCosts(progress);
    Scope scope = new Scope(analysis, node);
    DelaysReport report = new DelaysReport(analysis, delays.replay().threads(), level);
    long total = 0;
    long unexplained = 0;
    for (Map.Entry<DelayCosts.Delay, DelayCosts.Cost> entry : delays.costs().entrySet()) {
      DelayCosts.Cost cost = entry.getValue();
      boolean isExplained = entry.getKey().thread() != DelayCosts.UNEXPLAINED;
      if (isExplained ? report.has(scope, entry.getKey()) : node == null) {
        report.add(entry.getKey(), cost);
        total += cost.shortNs() + cost.longNs();
        unexplained += isExplained ? 0 : cost.shortNs() + cost.longNs();
      }
    }
    long all = total;
    List<Row> rows = new ArrayList<>();
    report.sums.values().stream()
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.ns())
            .thenComparing(sum -> sum.key.where).thenComparing(report::path))
        .forEach(sum -> rows.add(report.row(sum, all)));
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    parameters.put("unexplainedNs", Long.toString(unexplained));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("delays", "Delay costs (" + analysis.name() + ")", analysis.traceNames(),
        parameters, level == Level.PROCEDURE ? "procedure" : "delay in", Unit.NANOSECONDS, total,
        TIME, columns(level), rows, delays.replay().warnings());
  }

  private boolean has(Scope scope, DelayCosts.Delay delay) {
    ThreadRecord record = records.get(delay.thread());
    return scope.has(record) && (delay.path() == WaitStates.NOT_BEGUN
        ? scope.hasAllProcedures()
        : scope.hasProcedure(procedures.leaf(record.process().index(), delay.path())));
  }

  private Row row(Sum sum, long total) {
    Map.Entry<Victim, Harm> victim = sum.largest();
    return Row.of(sum.name, sum.subject, sum.where, sum.key.path < 0 ? "" : merged.caller(sum.key.path),
        sum.functions.text(procedures), path(sum), sum.ns(),
        total == 0 ? 0.0 : 100.0 * sum.ns() / total, sum.shortNs, sum.longNs,
        victim.getKey().state, victim.getKey().where, victim.getKey().procedure,
        victim.getValue().functions.text(procedures), victim.getValue().ns);
  }

  private String path(Sum sum) {
    return switch (sum.key.path) {
      case ANY_PATH -> "";
      case PATH_NOT_BEGUN -> WaitsReport.NOT_BEGUN;
      case PATH_UNEXPLAINED -> UNEXPLAINED;
      default -> merged.text(sum.key.path);
    };
  }

  private void add(DelayCosts.Delay delay, DelayCosts.Cost cost) {
    boolean isExplained = delay.thread() != DelayCosts.UNEXPLAINED;
    ThreadRecord late = isExplained ? records.get(delay.thread()) : null;
    Sum sum = isExplained ? sum(late, delay.path())
        : sums.computeIfAbsent(new Key("", PATH_UNEXPLAINED), key -> new Sum(key, UNEXPLAINED, null));
    String where = isExplained ? places.of(late, level) : "";
    sum.where = sum.where == null || sum.where.equals(where) ? where : Names.ALL;
    sum.shortNs += cost.shortNs();
    sum.longNs += cost.longNs();
    if (isExplained && delay.path() != WaitStates.NOT_BEGUN) {
      sum.functions.add(merged.own(merged.of(late.process().index(), delay.path())),
          cost.shortNs() + cost.longNs());
    }
    cost.victims().forEach((victim, ns) -> {
      ThreadRecord record = records.get(victim.thread());
      int path = merged.of(record.process().index(), victim.path());
      Harm harm = sum.victims.computeIfAbsent(new Victim(victim.state().label(),
          places.of(record, Level.THREAD), procedures.get(merged.leaf(path)).name()), key -> new Harm());
      harm.ns += ns;
      harm.functions.add(merged.own(path), ns);
    });
  }

  private Sum sum(ThreadRecord record, int path) {
    if (level != Level.PROCEDURE) {
      String where = places.of(record, level);
      return sums.computeIfAbsent(new Key(where, ANY_PATH),
          key -> new Sum(key, where, Names.subject(analysis.thread(record), level)));
    }
    if (path == WaitStates.NOT_BEGUN) {
      return sums.computeIfAbsent(new Key("", PATH_NOT_BEGUN),
          key -> new Sum(key, WaitsReport.NOT_BEGUN, null));
    }
    int process = record.process().index();
    return sums.computeIfAbsent(new Key("", merged.of(process, path)), key -> {
      int leaf = procedures.leaf(process, path);
      return new Sum(key, procedures.get(leaf).name(), analysis.procedure(leaf));
    });
  }
}
