package org.parallax.analysis.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProcedureName;

/**
 * By how much the call paths of a run take longer than those of another, the base. Paths are found by the
 * names of the procedures on them, and by their files where only these tell them from others of the name;
 * those that were renamed are found too. Several of one name and file are found in the order of their lines.
 */
public final class CallTreeDifference {
  private final Map<Node, double[]> base = new IdentityHashMap<>();
  private final CallTree now;
  private final Weight weight;
  private final double scale;
  private double goneNs;

  /** A node with those of the base: one, none, or several that nothing tells apart. */
  private record Pair(Node now, List<Node> base) {}

  /**
   * Compares two trees, in time linear in both.
   *
   * @param procedures of the run with those of the base
   * @param normalized whether the base is taken to have lasted as long as the run: shares of time are
   *     compared then
   */
  public CallTreeDifference(CallTree now, CallTree base, ProcedureMatching procedures,
      Weight weight, boolean normalized) {
    this.now = now;
    this.weight = weight;
    scale = scale(now.totalNs(weight), base.totalNs(weight), normalized);
    Deque<Pair> pairs = new ArrayDeque<>();
    pairs.add(new Pair(now.root(), List.of(base.root())));
    while (!pairs.isEmpty()) {
      pairs.addAll(compare(pairs.poll(), procedures));
    }
  }

  /** @return what times of the base are multiplied with */
  public static double scale(long totalNs, long baseNs, boolean normalized) {
    return normalized && baseNs > 0 ? (double) totalNs / baseNs : 1;
  }

  private List<Pair> compare(Pair pair, ProcedureMatching procedures) {
    double inclusive = 0;
    double own = 0;
    Map<ProcedureName, List<Node>> callees = new HashMap<>();
    for (Node each : pair.base()) {
      inclusive += scale * each.inclusiveNs(weight);
      own += scale * each.timeNs(weight);
      each.callees().forEach(callee -> add(callees, name(callee, procedures, true), callee));
    }
    base.put(pair.now(), new double[] {inclusive, own});
    Map<ProcedureName, List<Node>> here = new LinkedHashMap<>();
    pair.now().callees().forEach(callee -> add(here, name(callee, procedures, false), callee));
    List<Pair> below = new ArrayList<>();
    here.forEach((name, nodes) -> {
      List<Node> same = callees.remove(name);
      addPairs(nodes, same == null ? List.of() : same, below);
    });
    callees.values().forEach(gone ->
        gone.forEach(each -> goneNs += scale * each.inclusiveNs(weight)));
    return below;
  }

  private static void add(Map<ProcedureName, List<Node>> byName, ProcedureName name, Node node) {
    byName.computeIfAbsent(name, first -> new ArrayList<>()).add(node);
  }

  /** Each with the one at its place; what more there is in the base belongs to the last one. */
  private static void addPairs(List<Node> now, List<Node> base, List<Pair> pairs) {
    if (now.size() > 1) {
      now.sort(Comparator.comparingInt(CallTreeDifference::line));
      base = new ArrayList<>(base);
      base.sort(Comparator.comparingInt(CallTreeDifference::line));
    }
    for (int i = 0; i < now.size(); i++) {
      int from = Math.min(i, base.size());
      int to = i + 1 == now.size() ? base.size() : Math.min(i + 1, base.size());
      pairs.add(new Pair(now.get(i), base.subList(from, to)));
    }
  }

  private static int line(Node node) {
    return node.procedure() == null ? 0 : node.procedure().getLine();
  }

  /** What a node is called in the base. */
  private static ProcedureName name(Node node, ProcedureMatching procedures, boolean isOfBase) {
    Procedure procedure = node.procedure();
    ProcedureName name = procedure == null ? new ProcedureName(node.name(), "")
        : procedures.distinct(procedure, isOfBase);
    return isOfBase ? name : new ProcedureName(procedures.before(name.name()), name.file());
  }

  /** @return the time of a path in the base, with what is called; 0 where there is none */
  public double baseNs(Node node) {
    return base.get(node)[0];
  }

  /** @return the time of a path in the base, without what is called */
  public double baseTimeNs(Node node) {
    return base.get(node)[1];
  }

  /** @return by how much a path takes longer, with what is called */
  public double changeNs(Node node) {
    return node.inclusiveNs(weight) - baseNs(node);
  }

  /** @return by how much a path takes longer, by the share of all time, -1 to 1 */
  public double change(Node node) {
    return changeNs(node) / Math.max(1, now.totalNs(weight));
  }

  /** @return the time of the base in paths that this run does not have */
  public double goneNs() {
    return goneNs;
  }

  public Weight weight() {
    return weight;
  }
}
