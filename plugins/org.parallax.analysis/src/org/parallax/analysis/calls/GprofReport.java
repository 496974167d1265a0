package org.parallax.analysis.calls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.ProcedureKind;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Gprof tables: an entry for each procedure and each cycle, with its callers above and what it calls
 * below (Graham, Kessler and McKusick 1982; Irvin and Miller 1993, Figure 12). What is passed to a
 * caller is the time that was spent below its calls, not a share by their number: see
 * {@link CallGraph}.
 *
 * <p>Entries stand by falling time, with the index {@code entry} from 1, which is that {@code of} a
 * procedure or cycle. The rows of one are, by
 * {@code role}: {@code parent}, callers by rising time; then {@code self}, the procedure, or
 * {@code cycle} with a {@code member} row for each of its procedures; then {@code child}, what is
 * called by falling time. Columns: {@code index} of the entry of the row's own procedure (0 for none);
 * {@code cycle}, the number of the cycle that it is in (0 for none); {@code percent} of the total
 * time; {@code self} and {@code descendants}, in nanoseconds: of the procedure, of the cycle, or what
 * is passed along the arc between parent and child; {@code called}: its calls by others, or along the
 * arc; {@code calledExact}, false where it is a lower bound; {@code selfCalls}: calls by itself, in a
 * cycle those among its members; {@code total} for parents and children: all calls of the callee, or
 * of its cycle from outside, that {@code called} is a part of, and 0 within a cycle, where no time is
 * passed; {@code totalExact}; {@code throttled} as in profiles; {@code function}, of {@code self} rows,
 * the program's own one in which the procedure's own time is. The {@code self} of the rows whose
 * role is {@code self} adds up to the parameter {@code totalNs}.
 */
public final class GprofReport {
  /** The caller of what nothing called: the start of a thread, or where a call stack is cut off. */
  public static final String SPONTANEOUS = "<spontaneous>";
  public static final String PARENT = "parent";
  public static final String SELF = "self";
  public static final String CYCLE = "cycle";
  public static final String MEMBER = "member";
  public static final String CHILD = "child";

  private static final List<Column> COLUMNS = List.of(
      Column.info("entry", "entry", Unit.COUNT),
      Column.key("of", "of", Unit.TEXT),
      Column.key("role", "role", Unit.TEXT),
      Column.info("index", "index", Unit.COUNT),
      Column.info("cycle", "cycle", Unit.COUNT),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("self", "self", Unit.NANOSECONDS),
      new Column("descendants", "descendants", Unit.NANOSECONDS),
      new Column("called", "called", Unit.COUNT),
      new Column("calledExact", "exact", Unit.FLAG),
      new Column("selfCalls", "+self", Unit.COUNT),
      new Column("total", "/total", Unit.COUNT),
      new Column("totalExact", "exact", Unit.FLAG),
      new Column("throttled", "throttled", Unit.FLAG),
      new Column("function", "in function", Unit.TEXT));

  private final ApplicationAnalysis analysis;
  private final CallGraph graph;
  private final long totalNs;
  private final Map<CallGraph.Entry, Long> indices = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private int leftOut;

  private GprofReport(ApplicationAnalysis analysis, CallGraph graph) {
    this.analysis = analysis;
    this.graph = graph;
    totalNs = graph.procedures().stream().mapToLong(entry -> entry.selfNs).sum();
  }

  /**
   * Makes a gprof table.
   *
   * @param weight the clock: CPU or wall time
   * @param node to which it is limited: threads, or one procedure, whose entry is shown alone; null
   *     for all
   * @param minPercent of the total time, below which an entry is left out
   */
  public static Table of(ApplicationAnalysis analysis, Weight weight, TreeNode node,
      double minPercent, Progress progress) {
    List<CallPathProfile> profiles = analysis.profiles(progress);
    List<ThreadRecord> records = analysis.threads();
    Scope scope = new Scope(analysis, node);
    CallGraph graph = new CallGraph(analysis.procedures(), weight);
    for (int i = 0; i < profiles.size(); i++) {
      if (scope.has(records.get(i))) {
        graph.add(records.get(i).process(), profiles.get(i));
      }
    }
    graph.finish();
    GprofReport report = new GprofReport(analysis, graph);
    report.addEntries(scope, minPercent);
    return report.table(weight, scope);
  }

  private Table table(Weight weight, Scope scope) {
    Map<String, String> parameters = analysis.parameters();
    parameters.put("weight", weight.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    parameters.put("totalNs", Long.toString(totalNs));
    parameters.put("cycles", Integer.toString(graph.cycles().size()));
    parameters.put("leftOut", Integer.toString(leftOut));
    String where = scope.name().isEmpty() ? analysis.name() : scope.name();
    return new Table("gprof", "Gprof table (" + where + ")",
        analysis.traceNames(), parameters, "name", Unit.NANOSECONDS, 0, -1,
        COLUMNS, rows, warnings());
  }

  private void addEntries(Scope scope, double minPercent) {
    List<CallGraph.Entry> entries = Stream.concat(
        graph.procedures().stream().filter(entry -> entry.totalNs() > 0 || !entry.callers.isEmpty()),
        graph.cycles().stream())
        .sorted(Comparator.<CallGraph.Entry>comparingLong(entry -> -entry.totalNs())
            .thenComparing(this::name)).toList();
    for (int i = 0; i < entries.size(); i++) {
      indices.put(entries.get(i), i + 1L);
    }
    for (CallGraph.Entry entry : entries) {
      if (!scope.hasProcedure(entry.procedure)) {
        continue;
      }
      if (percent(entry.totalNs()) < minPercent) {
        leftOut++;
      } else {
        addEntry(entry);
      }
    }
  }

  private void addEntry(CallGraph.Entry entry) {
    entry.callers.values().stream()
        .sorted(Comparator.comparingLong(CallGraph.Arc::totalNs)
            .thenComparing(arc -> -arc.calls).thenComparing(arc -> name(arc.from)))
        .forEach(arc -> addArc(entry, PARENT, arc, arc.from));
    add(entry, entry.isCycle() ? CYCLE : SELF, entry);
    entry.members.forEach(member -> add(entry, MEMBER, member));
    entry.callees.stream()
        .sorted(Comparator.<CallGraph.Arc>comparingLong(arc -> -arc.totalNs())
            .thenComparing(arc -> -arc.calls).thenComparing(arc -> name(arc.to)))
        .forEach(arc -> addArc(entry, CHILD, arc, arc.to));
  }

  private void add(CallGraph.Entry around, String role, CallGraph.Entry entry) {
    rows.add(row(around, role, entry, entry.selfNs, entry.descendantsNs, entry.calls, entry.exact,
        entry.selfCalls, 0, true));
  }

  private void addArc(
      CallGraph.Entry around, String role, CallGraph.Arc arc, CallGraph.Entry other) {
    boolean passes = !arc.isWithin();
    CallGraph.Entry head = arc.to.head();
    rows.add(row(around, role, other, arc.selfNs, arc.descendantsNs, arc.calls, arc.exact, 0,
        passes ? head.calls : 0, !passes || head.exact));
  }

  private Row row(CallGraph.Entry around, String role, CallGraph.Entry entry, long selfNs,
      long descendantsNs, long called, boolean calledExact, long selfCalls, long total,
      boolean totalExact) {
    return Row.of(name(entry), entry == null || entry.isCycle() ? null
            : analysis.procedure(entry.procedure),
        indices.get(around), name(around), role, entry == null ? 0L : indices.get(entry),
        entry == null || entry.cycle == null ? 0L : (long) entry.cycle.cycleNumber,
        percent(selfNs + descendantsNs), selfNs, descendantsNs, called, calledExact, selfCalls,
        total, totalExact, entry != null && entry.throttled,
        role.equals(SELF) ? entry.functions.text(analysis.procedures()) : "");
  }

  private String name(CallGraph.Entry entry) {
    return entry == null ? SPONTANEOUS : entry.isCycle() ? "<cycle " + entry.cycleNumber + ">"
        : analysis.procedures().get(entry.procedure).name();
  }

  private double percent(long ns) {
    return totalNs == 0 ? 0 : 100.0 * ns / totalNs;
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    long cutOff = graph.procedures().stream().filter(entry -> entry.procedure >= 0
        && analysis.procedures().get(entry.procedure).kind() == ProcedureKind.AGENT)
        .mapToLong(CallGraph.Entry::totalNs).sum();
    if (cutOff > 0) {
      warnings.add(String.format(Locale.ROOT, "%.1f %% of the time is below incomplete call "
          + "stacks, [call stack ...], and is not passed on to their callers", percent(cutOff)));
    }
    long throttled = graph.procedures().stream().filter(entry -> entry.throttled).count();
    if (throttled > 0) {
      warnings.add(throttled + (throttled == 1 ? " procedure was" : " procedures were")
          + " throttled: later calls were only counted, and the time of these calls and of their "
          + "callees is attributed to the callers");
    }
    return warnings;
  }
}
