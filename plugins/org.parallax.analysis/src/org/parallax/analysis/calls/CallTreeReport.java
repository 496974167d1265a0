package org.parallax.analysis.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.table.WithoutProcessor;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Call trees: the call paths of all threads in scope, merged by the procedures on them, inlined ones
 * included.
 *
 * <p>Rows stand in the order of the tree, the callees of a procedure by falling inclusive time.
 * Columns: {@code depth} from 0; {@code inclusive} time with what is called, in nanoseconds, and
 * {@code percent} of the total; {@code time} without, which adds up to the total; {@code cpu} and {@code noProcessor} as in profiles;
 * {@code visits} and {@code visitsExact} as in profiles; {@code samples}; {@code throttled};
 * {@code path}, the names from the root on with {@code ;} between them. What is below the threshold
 * of {@code --min-percent} is summed up in rows {@value #HIDDEN}.
 *
 * <p>Inverted, the callers of a procedure stand below it: {@code inclusive} is the part of its own time
 * that is in calls by way of them, {@code time} that of call paths that begin with them.
 */
public final class CallTreeReport {
  static final String HIDDEN = "(less)";

  private static final List<Column> COLUMNS = List.of(
      Column.key("depth", "depth", Unit.COUNT),
      new Column("inclusive", "inclusive", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("cpu", "CPU time", Unit.NANOSECONDS),
      WithoutProcessor.COLUMN,
      new Column("visits", "visits", Unit.COUNT),
      new Column("visitsExact", "exact", Unit.FLAG),
      new Column("samples", "samples", Unit.COUNT),
      new Column("throttled", "throttled", Unit.FLAG),
      Column.key("path", "path", Unit.TEXT));
  private static final int TIME = 3;

  private CallTreeReport() {}

  /**
   * Makes a call tree.
   *
   * @param node to which it is limited, of a procedure the call paths that it is on; null for the
   *     whole application
   * @param minPercent of the total time, below which a path is left out
   */
  public static Table of(
      ApplicationAnalysis analysis, TreeNode node, double minPercent, Progress progress) {
    return of(analysis, node, false, minPercent, progress);
  }

  /** @param inverted whether below procedures stand those that call them, instead of their callees */
  public static Table of(ApplicationAnalysis analysis, TreeNode node, boolean inverted,
      double minPercent, Progress progress) {
    CallTree calls = CallTree.of(analysis, node, progress);
    CallTree tree = inverted ? calls.inverted() : calls;
    List<Row> rows = new ArrayList<>();
    new Writer(tree, minPercent, rows).write();
    Map<String, String> parameters = analysis.parameters();
    parameters.put("minPercent", Double.toString(minPercent));
    if (inverted) {
      parameters.put("inverted", "true");
    }
    String scope = new Scope(analysis, node).name();
    if (!scope.isEmpty()) {
      parameters.put("node", scope);
    }
    return new Table("calltree",
        (inverted ? "Callers (" : "Call tree (") + analysis.name() + ")", analysis.traceNames(),
        parameters, "name", Unit.NANOSECONDS, tree.totalNs(Weight.WALL), TIME, COLUMNS, rows,
        List.of());
  }

  /** @return the columns of a row, as in the report */
  public static List<Column> columns() {
    return COLUMNS;
  }

  /** @return the row of a node, as in the report */
  public static Row row(CallTree tree, Node node) {
    return row(tree, node, node.path());
  }

  private static Row row(CallTree tree, Node node, String path) {
    return Row.of(node.name(), node.procedure(), (long) node.depth(),
        node.inclusiveNs(Weight.WALL), percent(tree, node), node.timeNs(Weight.WALL),
        node.timeNs(Weight.CPU), WithoutProcessor.of(node.timeNs(Weight.WALL),
            node.timeNs(Weight.CPU), node.isCpuKnown(false)), node.visits(), node.isExact(), node.samples(),
        node.isThrottled(), path);
  }

  private static double percent(CallTree tree, Node node) {
    long total = tree.totalNs(Weight.WALL);
    return total == 0 ? 0 : 100.0 * node.inclusiveNs(Weight.WALL) / total;
  }

  /** Makes rows of nodes. Call paths are thousands of calls deep where programs recurse. */
  private record Writer(CallTree tree, double minPercent, List<Row> rows) {
    /** Something whose rows come later: a node with those below it, or what was left out. */
    private record Later(Node node, String path, Row hidden) {}

    void write() {
      Deque<Later> later = new ArrayDeque<>();
      addCallees(tree.root(), "", later);
      while (!later.isEmpty()) {
        Later next = later.pop();
        if (next.hidden != null) {
          rows.add(next.hidden);
        } else {
          rows.add(row(tree, next.node, next.path));
          addCallees(next.node, next.path + ";", later);
        }
      }
    }

    private void addCallees(Node node, String prefix, Deque<Later> later) {
      long wallNs = 0;
      long cpuNs = 0;
      long samples = 0;
      boolean isCpuKnown = true;
      List<Later> shown = new ArrayList<>();
      for (Node callee : node.callees()) {
        if (percent(tree, callee) < minPercent) {
          wallNs += callee.inclusiveNs(Weight.WALL);
          cpuNs += callee.inclusiveNs(Weight.CPU);
          samples += callee.inclusiveSamples();
          isCpuKnown &= callee.isCpuKnown(true);
        } else {
          shown.add(new Later(callee, prefix + callee.name(), null));
        }
      }
      if (wallNs > 0 || samples > 0) {
        long total = tree.totalNs(Weight.WALL);
        shown.add(new Later(null, null, Row.of(HIDDEN, null, node.depth() + 1L, wallNs,
            total == 0 ? 0 : 100.0 * wallNs / total, wallNs, cpuNs,
            WithoutProcessor.of(wallNs, cpuNs, isCpuKnown), wallNs > 0 ? 1L : 0L, false, samples, false, prefix + HIDDEN)));
      }
      for (int i = shown.size() - 1; i >= 0; i--) {
        later.push(shown.get(i));
      }
    }
  }
}
