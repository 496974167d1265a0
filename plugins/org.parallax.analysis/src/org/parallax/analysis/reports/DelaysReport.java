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
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Delay costs: by which work threads came late, and how much time others lost by it. {@code
 * docs/wait-states.md} explains them.
 *
 * <p>Rows add up to the total, the largest first. Without a node the total is the time of all waits.
 */
public final class DelaysReport {
  private static final String UNEXPLAINED = "(unexplained)";
  private static final int TIME = 3;

  private DelaysReport() {}

  private static List<Column> columns(Level level) {
    boolean byPath = level == Level.PROCEDURE;
    return List.of(
        byPath ? new Column("where", "machine:process", Unit.TEXT)
            : Column.key("where", "machine:process", Unit.TEXT),
        new Column("caller", "called by", Unit.TEXT),
        byPath ? Column.key("path", "path", Unit.TEXT) : new Column("path", "path", Unit.TEXT),
        new Column("time", "cost", Unit.NANOSECONDS),
        new Column("percent", "%cost", Unit.PERCENT),
        new Column("shortTerm", "short-term", Unit.NANOSECONDS),
        new Column("longTerm", "long-term", Unit.NANOSECONDS),
        new Column("state", "in waits", Unit.TEXT),
        new Column("victim", "of", Unit.TEXT),
        new Column("victimProcedure", "while in", Unit.TEXT),
        new Column("victimTime", "victim's", Unit.NANOSECONDS));
  }

  private record Key(String where, String path) {}

  private record Victim(String state, String where, String procedure) {}

  private static final class Sum {
    final Key key;
    final String name;
    final Object subject;
    final String caller;
    String where;
    long shortNs;
    long longNs;
    final Map<Victim, Long> victims = new HashMap<>();

    Sum(Key key, String name, Object subject, String caller) {
      this.key = key;
      this.name = name;
      this.subject = subject;
      this.caller = caller;
    }

    long ns() {
      return shortNs + longNs;
    }

    Map.Entry<Victim, Long> largest() {
      return victims.entrySet().stream()
          .min(Comparator.<Map.Entry<Victim, Long>>comparingLong(e -> -e.getValue())
              .thenComparing(e -> e.getKey().toString())).orElseThrow();
    }
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
    List<ThreadRecord> records = delays.replay().threads();
    Map<Key, Sum> sums = new LinkedHashMap<>();
    long total = 0;
    long unexplained = 0;
    for (Map.Entry<DelayCosts.Delay, DelayCosts.Cost> entry : delays.costs().entrySet()) {
      DelayCosts.Cost cost = entry.getValue();
      if (entry.getKey().thread() == DelayCosts.UNEXPLAINED ? node == null
          : has(analysis, scope, records, entry.getKey())) {
        add(analysis, records, level, entry.getKey(), cost, sums);
        total += cost.shortNs() + cost.longNs();
        if (entry.getKey().thread() == DelayCosts.UNEXPLAINED) {
          unexplained += cost.shortNs() + cost.longNs();
        }
      }
    }
    long all = total;
    List<Row> rows = new ArrayList<>();
    sums.values().stream()
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.ns())
            .thenComparing(sum -> sum.key.where).thenComparing(sum -> sum.key.path))
        .forEach(sum -> rows.add(row(sum, all)));
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

  private static boolean has(ApplicationAnalysis analysis, Scope scope, List<ThreadRecord> records,
      DelayCosts.Delay delay) {
    ThreadRecord record = records.get(delay.thread());
    return scope.has(record) && (delay.path() == WaitStates.NOT_BEGUN
        ? scope.hasAllProcedures() : scope.hasProcedure(
            analysis.procedures().leaf(record.process().index(), delay.path())));
  }

  private static Row row(Sum sum, long total) {
    Map.Entry<Victim, Long> victim = sum.largest();
    return Row.of(sum.name, sum.subject, sum.where, sum.caller, sum.key.path, sum.ns(),
        total == 0 ? 0.0 : 100.0 * sum.ns() / total, sum.shortNs, sum.longNs,
        victim.getKey().state, victim.getKey().where, victim.getKey().procedure,
        victim.getValue());
  }

  private static void add(ApplicationAnalysis analysis, List<ThreadRecord> records, Level level,
      DelayCosts.Delay delay, DelayCosts.Cost cost, Map<Key, Sum> sums) {
    Sum sum = delay.thread() == DelayCosts.UNEXPLAINED
        ? sums.computeIfAbsent(new Key("", UNEXPLAINED), key -> new Sum(key, UNEXPLAINED, null, ""))
        : sum(analysis, records.get(delay.thread()), level, delay.path(), sums);
    String where = delay.thread() == DelayCosts.UNEXPLAINED ? ""
        : Names.where(analysis.thread(records.get(delay.thread())), level);
    sum.where = sum.where == null || sum.where.equals(where) ? where : Names.ALL;
    sum.shortNs += cost.shortNs();
    sum.longNs += cost.longNs();
    cost.victims().forEach((victim, ns) -> {
      ThreadRecord record = records.get(victim.thread());
      int leaf = analysis.procedures().leaf(record.process().index(), victim.path());
      sum.victims.merge(new Victim(victim.state().label(),
          Names.where(analysis.thread(record), Level.THREAD),
          analysis.procedures().get(leaf).name()), ns, Long::sum);
    });
  }

  private static Sum sum(ApplicationAnalysis analysis, ThreadRecord record, Level level, int path,
      Map<Key, Sum> sums) {
    ProgramThread thread = analysis.thread(record);
    if (level != Level.PROCEDURE) {
      String where = Names.where(thread, level);
      return sums.computeIfAbsent(new Key(where, ""),
          key -> new Sum(key, where, Names.subject(thread, level), ""));
    }
    if (path == WaitStates.NOT_BEGUN) {
      return sums.computeIfAbsent(new Key("", WaitsReport.NOT_BEGUN),
          key -> new Sum(key, WaitsReport.NOT_BEGUN, null, ""));
    }
    Procedures procedures = analysis.procedures();
    int process = record.process().index();
    return sums.computeIfAbsent(new Key("", WaitsReport.path(analysis, process, path)), key -> {
      int leaf = procedures.leaf(process, path);
      return new Sum(key, procedures.get(leaf).name(), analysis.procedure(leaf),
          WaitsReport.caller(analysis, process, path));
    });
  }
}
