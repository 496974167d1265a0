package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.waits.Traffic;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * How well the clocks of machines agree, as far as messages tell: none can be received before it is
 * sent. With the shortest message each way the clock of one machine is known against that of the
 * other within the time that the two took together, whatever was done to align them (Duda, Harrus,
 * Haddad and Bernard, "Estimating global time in distributed systems", ICDCS 1987).
 *
 * <p>Rows are pairs of machines that exchange messages, and single machines, within which
 * processors' counters can differ. Columns: {@code messages}; {@code early}, how many seem to be
 * received before they were sent; {@code there} and {@code back}, the shortest each way; {@code
 * ahead}, by how much the second clock is ahead of the first if the shortest message took as long
 * there as back, and {@code within}, by how much at most that is wrong. Where nothing goes one way,
 * within one machine, they are empty.
 */
public final class ClocksReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("messages", "messages", Unit.COUNT),
      new Column("early", "early", Unit.COUNT),
      new Column("there", "shortest there", Unit.NANOSECONDS),
      new Column("back", "shortest back", Unit.NANOSECONDS),
      new Column("ahead", "ahead", Unit.NANOSECONDS),
      new Column("within", "+-", Unit.NANOSECONDS));

  private static final int MESSAGES = 0;
  private static final long NONE = Long.MAX_VALUE;

  private ClocksReport() {}

  private static final class Pair {
    final String name;
    final boolean same;
    long messages;
    long early;
    long thereNs = NONE;
    long backNs = NONE;

    Pair(String first, String second) {
      same = first.equals(second);
      name = same ? first : first + ", " + second;
    }

    void add(Traffic.Flow flow, boolean there) {
      messages += flow.timedMessages();
      early += flow.early();
      if (there) {
        thereNs = Math.min(thereNs, flow.shortestNs());
      } else {
        backNs = Math.min(backNs, flow.shortestNs());
      }
    }

    Row row() {
      boolean known = !same && thereNs != NONE && backNs != NONE;
      return Row.of(name, null, messages, early, thereNs == NONE ? "" : (Object) thereNs,
          backNs == NONE ? "" : (Object) backNs,
          known ? (Object) ((thereNs - backNs) / 2) : "",
          known ? (Object) ((thereNs + backNs + 1) / 2) : "");
    }
  }

  /**
   * Makes the table of the machines on which threads sent each other anything.
   *
   * @param node whose threads send or receive; null for all
   */
  public static Table of(ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    Traffic traffic = analysis.traffic(progress);
    Scope scope = new Scope(analysis, node);
    Map<String, Pair> pairs = new TreeMap<>();
    for (Traffic.Flow flow : traffic.flows()) {
      ProgramThread sender = analysis.thread(traffic.threads().get(flow.from()));
      ProgramThread receiver = analysis.thread(traffic.threads().get(flow.to()));
      if (scope.has(sender) || scope.has(receiver)) {
        String from = Names.where(sender, Level.MACHINE);
        String to = Names.where(receiver, Level.MACHINE);
        boolean there = from.compareTo(to) <= 0;
        String first = there ? from : to;
        String second = there ? to : from;
        pairs.computeIfAbsent(first + "\n" + second, k -> new Pair(first, second))
            .add(flow, there);
      }
    }
    List<Row> rows = new ArrayList<>();
    pairs.values().stream().filter(pair -> pair.messages > 0).map(Pair::row).forEach(rows::add);
    List<String> warnings = new ArrayList<>(traffic.warnings());
    pairs.values().stream().filter(pair -> !pair.same && pair.thereNs != NONE
        && pair.backNs != NONE && pair.thereNs + pair.backNs < 0).forEach(pair -> warnings.add(
            "the clocks of " + pair.name + " drift: no constant offset between them fits all "
            + "messages"));
    Map<String, String> parameters = analysis.parameters();
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("clocks", "Clocks (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "name", Unit.COUNT,
        pairs.values().stream().mapToLong(pair -> pair.messages).sum(), MESSAGES, COLUMNS, rows,
        warnings);
  }
}
