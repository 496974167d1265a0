package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.clocks.ClockCheck;
import org.parallax.analysis.clocks.ClockRepair;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.waits.Traffic;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.ProcessTrace;
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
 * there as back, and {@code within}, by how much at most that is wrong; {@code drift}, how fast the
 * second clock gains on the first, and {@code driftWithin} likewise. Where nothing goes one way,
 * within one machine, they are empty. {@code violations} and {@code largest} are of all
 * interactions; {@code left} is what the controlled logical clock ({@link ClockRepair}) leaves of them, and {@code
 * moved} by how much it moves an event of the machines at most. All but the last two are about the times as recorded.
 */
public final class ClocksReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("messages", "messages", Unit.COUNT),
      new Column("early", "early", Unit.COUNT),
      new Column("there", "shortest there", Unit.NANOSECONDS),
      new Column("back", "shortest back", Unit.NANOSECONDS),
      new Column("ahead", "ahead", Unit.NANOSECONDS),
      new Column("within", "+-", Unit.NANOSECONDS),
      new Column("drift", "drift ns/s", Unit.NUMBER),
      new Column("driftWithin", "+- ns/s", Unit.NUMBER),
      new Column("violations", "violations", Unit.COUNT),
      new Column("largest", "largest", Unit.NANOSECONDS),
      new Column("left", "left", Unit.COUNT),
      new Column("moved", "moved", Unit.NANOSECONDS));

  private static final int MESSAGES = 0;
  private static final long NONE = Long.MAX_VALUE;

  private ClocksReport() {}

  private static final class Pair {
    final String first;
    final String second;
    final String name;
    final boolean same;
    long messages;
    long early;
    long thereNs = NONE;
    long backNs = NONE;

    Pair(String first, String second) {
      this.first = first;
      this.second = second;
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

    boolean isShown(ClockRepair repair) {
      return messages > 0 || repair.before().violations(first, second) > 0
          || !same && repair.before().interactions(first, second) > 0;
    }

    Row row(ClockRepair repair) {
      boolean known = !same && thereNs != NONE && backNs != NONE;
      ClockCheck.Drift drift = repair.before().drift(first, second);
      return Row.of(name, null, messages, early, thereNs == NONE ? "" : (Object) thereNs,
          backNs == NONE ? "" : (Object) backNs,
          known ? (Object) ((thereNs - backNs) / 2) : "",
          known ? (Object) ((thereNs + backNs + 1) / 2) : "",
          drift == null ? "" : (Object) drift.nsPerSecond(), drift == null ? "" : (Object) drift.within(),
          repair.before().violations(first, second), repair.before().largestNs(first, second),
          repair.after().violations(first, second),
          Math.max(repair.largestMoveNs(first), repair.largestMoveNs(second)));
    }
  }

  private static List<ProcessTrace> recorded(List<ProcessTrace> processes) {
    return processes.stream().map(process -> process.corrected(Map.of())).toList();
  }

  /**
   * Makes the table of the machines on which threads sent each other anything.
   *
   * @param node whose threads send or receive; null for all
   */
  public static Table of(ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    List<ProcessTrace> processes = analysis.workload().processes();
    ClockRepair repair = ClockRepair.of(processes, analysis.window(), progress);
    Traffic traffic = processes.stream().noneMatch(ProcessTrace::isCorrected) ? analysis.traffic(progress)
        : Traffic.of(recorded(processes), analysis.window(), progress);
    Scope scope = new Scope(analysis, node);
    Map<String, Pair> pairs = new TreeMap<>();
    Set<String> machines = new HashSet<>();
    for (ThreadRecord record : traffic.threads()) {
      ProgramThread thread = analysis.thread(record);
      if (scope.has(thread)) {
        machines.add(record.process().host());
      }
    }
    for (ClockCheck.Pair pair : repair.before().pairs()) {
      if (machines.contains(pair.first()) || machines.contains(pair.second())) {
        pairs.put(pair.first() + "\n" + pair.second(), new Pair(pair.first(), pair.second()));
      }
    }
    for (Traffic.Flow flow : traffic.flows()) {
      ThreadRecord sender = traffic.threads().get(flow.from());
      ThreadRecord receiver = traffic.threads().get(flow.to());
      if (scope.has(analysis.thread(sender)) || scope.has(analysis.thread(receiver))) {
        String from = sender.process().host();
        String to = receiver.process().host();
        boolean there = from.compareTo(to) <= 0;
        String first = there ? from : to;
        String second = there ? to : from;
        pairs.computeIfAbsent(first + "\n" + second, k -> new Pair(first, second))
            .add(flow, there);
      }
    }
    List<Row> rows = new ArrayList<>();
    pairs.values().stream().filter(pair -> pair.isShown(repair)).map(pair -> pair.row(repair)).forEach(rows::add);
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
