package org.parallax.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.parallax.analysis.graph.CallPathProfile;
import org.parallax.analysis.graph.ThreadRecord;
import org.parallax.model.Procedures;
import org.parallax.model.TreeNode;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Progress;

/**
 * Call trees: the call paths of all threads in scope, merged by the procedures on them, inlined ones
 * included.
 *
 * <p>Rows stand in the order of the tree, the callees of a procedure by falling inclusive time.
 * Columns: {@code depth} from 0; {@code inclusive} time with what is called, in nanoseconds, and
 * {@code percent} of the total; {@code time} without, which adds up to the total; {@code cpu};
 * {@code visits} and {@code visitsExact} as in profiles; {@code samples}; {@code throttled};
 * {@code path}, the names from the root on with {@code ;} between them. What is below the threshold
 * of {@code --min-percent} is summed up in rows {@value #HIDDEN}.
 */
public final class CallTreeReport {
  static final String HIDDEN = "(less)";

  private static final List<Column> COLUMNS = List.of(
      Column.key("depth", "depth", Unit.COUNT),
      new Column("inclusive", "inclusive", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("cpu", "CPU time", Unit.NANOSECONDS),
      new Column("visits", "visits", Unit.COUNT),
      new Column("visitsExact", "exact", Unit.FLAG),
      new Column("samples", "samples", Unit.COUNT),
      new Column("throttled", "throttled", Unit.FLAG),
      Column.key("path", "path", Unit.TEXT));
  private static final int TIME = 3;

  private CallTreeReport() {}

  /** A procedure called on a path. */
  private static final class Node {
    final int procedure;
    final Map<Integer, Node> callees = new LinkedHashMap<>();
    long wallNs;
    long cpuNs;
    long inclusiveNs;
    long samples;
    long exactVisits;
    long leastVisits;
    boolean isExact;
    boolean isThrottled;

    Node(int procedure) {
      this.procedure = procedure;
    }

    Node callee(int id) {
      return callees.computeIfAbsent(id, Node::new);
    }

    long visits() {
      return isExact ? exactVisits : Math.max(leastVisits, inclusiveNs > 0 ? 1 : 0);
    }

    /** What was left out below a threshold. */
    void addHidden(Node hidden) {
      wallNs += hidden.wallNs;
      cpuNs += hidden.cpuNs;
      inclusiveNs += hidden.wallNs;
      samples += hidden.samples;
      for (Node callee : hidden.callees.values()) {
        addHidden(callee);
      }
    }
  }

  /**
   * Makes a call tree.
   *
   * @param node to which it is limited, of a procedure the call paths that it is on; null for the
   *     whole application
   * @param minPercent of the total time, below which a path is left out
   */
  public static Table of(
      ApplicationAnalysis analysis, TreeNode node, double minPercent, Progress progress) {
    List<CallPathProfile> profiles = analysis.profiles(progress);
    List<ThreadRecord> records = analysis.threads();
    Scope scope = new Scope(analysis, node);
    Node root = new Node(-1);
    for (int i = 0; i < profiles.size(); i++) {
      if (scope.has(records.get(i))) {
        add(analysis.procedures(), records.get(i), profiles.get(i), scope, root);
      }
    }
    long total = sumUp(root);
    List<Row> rows = new ArrayList<>();
    new Writer(analysis, total, minPercent, rows).callees(root, 0, "");
    Map<String, String> parameters = analysis.parameters();
    parameters.put("minPercent", Double.toString(minPercent));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("calltree", "Call tree (" + analysis.name() + ")",
        analysis.traceNames(), parameters, "name", Unit.NANOSECONDS, total, TIME,
        COLUMNS, rows, List.of());
  }

  /** Linear in the paths, as each is found below its parent. */
  private static void add(Procedures procedures, ThreadRecord record, CallPathProfile profile,
      Scope scope, Node root) {
    CallPaths paths = record.process().callPaths();
    int process = record.process().index();
    boolean[] isOn = new boolean[paths.count()];
    isOn[0] = scope.hasAllProcedures();
    for (int path = 1; path < isOn.length; path++) {
      isOn[path] = isOn[paths.parent(path)]
          || IntStream.of(procedures.ownFrames(process, path)).anyMatch(scope::hasProcedure);
    }
    boolean[] used = new boolean[paths.count()];
    for (int path = paths.count() - 1; path > 0; path--) {
      used[path] |= (profile.wallNs()[path] > 0 || profile.visits()[path] > 0
          || profile.samples()[path] > 0) && isOn[path];
      used[paths.parent(path)] |= used[path];
    }
    Node[] nodes = new Node[paths.count()];
    nodes[0] = root;
    // Visits of a procedure show at each of its call sites; of siblings the most counts.
    Map<Node, Long> least = new LinkedHashMap<>();
    for (int path = 1; path < nodes.length; path++) {
      if (!used[path]) {
        continue;
      }
      Node node = nodes[paths.parent(path)];
      for (int id : procedures.ownFrames(process, path)) {
        node = node.callee(id);
      }
      nodes[path] = node;
      if (!isOn[path]) {
        continue;
      }
      node.wallNs += profile.wallNs()[path];
      node.cpuNs += profile.cpuNs()[path];
      node.samples += profile.samples()[path];
      node.isThrottled |= profile.isThrottled(path);
      if (profile.isExact(path)) {
        node.isExact = true;
        node.exactVisits += profile.visits()[path];
      } else {
        least.merge(node, profile.visits()[path], Math::max);
      }
    }
    least.forEach((node, visits) -> node.leastVisits += visits);
    if (profile.wallNs()[0] > 0 && scope.hasProcedure(Procedures.NOT_SAMPLED)) {
      Node unknown = root.callee(Procedures.NOT_SAMPLED);
      unknown.wallNs += profile.wallNs()[0];
      unknown.cpuNs += profile.cpuNs()[0];
    }
  }

  /** Recursion is as deep as call paths are: without lambdas, it needs little of a stack. */
  private static long sumUp(Node node) {
    node.inclusiveNs = node.wallNs;
    for (Node callee : node.callees.values()) {
      node.inclusiveNs += sumUp(callee);
    }
    return node.inclusiveNs;
  }

  /** Makes rows of nodes. */
  private record Writer(
      ApplicationAnalysis analysis, long total, double minPercent, List<Row> rows) {
    void callees(Node node, int depth, String path) {
      Node hidden = new Node(-1);
      for (Node callee : sorted(node)) {
        if (percent(callee) < minPercent) {
          hidden.addHidden(callee);
        } else {
          String name = name(callee);
          String below = path.isEmpty() ? name : path + ";" + name;
          row(callee, name, depth, below);
          callees(callee, depth + 1, below);
        }
      }
      if (hidden.inclusiveNs > 0 || hidden.samples > 0) {
        row(hidden, HIDDEN, depth, path.isEmpty() ? HIDDEN : path + ";" + HIDDEN);
      }
    }

    private List<Node> sorted(Node node) {
      return node.callees.values().stream()
          .sorted(Comparator.<Node>comparingLong(callee -> -callee.inclusiveNs)
              .thenComparing(this::name)).toList();
    }

    private void row(Node node, String name, int depth, String path) {
      rows.add(Row.of(name, node.procedure < 0 ? null : analysis.procedure(node.procedure),
          (long) depth, node.inclusiveNs, percent(node), node.wallNs, node.cpuNs, node.visits(),
          node.isExact, node.samples, node.isThrottled, path));
    }

    private String name(Node node) {
      return analysis.procedures().get(node.procedure).name();
    }

    private double percent(Node node) {
      return total == 0 ? 0 : 100.0 * node.inclusiveNs / total;
    }
  }
}
