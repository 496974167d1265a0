package org.parallax.analysis.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.replay.Weight;

/**
 * By how much the call paths of a run take longer than those of another, the base. Paths are found by the
 * names of the procedures on them; those that were renamed are found too.
 */
public final class CallTreeDifference {
  private final Map<Node, double[]> base = new IdentityHashMap<>();
  private final CallTree now;
  private final Weight weight;
  private final double scale;
  private double goneNs;

  /** Nodes of the base, or several of one name in different files. */
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
    Map<String, List<Node>> callees = new HashMap<>();
    for (Node each : pair.base()) {
      inclusive += scale * each.inclusiveNs(weight);
      own += scale * each.timeNs(weight);
      each.callees().forEach(callee ->
          callees.computeIfAbsent(callee.name(), name -> new ArrayList<>()).add(callee));
    }
    base.put(pair.now(), new double[] {inclusive, own});
    List<Pair> below = new ArrayList<>();
    for (Node callee : pair.now().callees()) {
      List<Node> same = callees.remove(procedures.before(callee.name()));
      below.add(new Pair(callee, same == null ? List.of() : same));
    }
    callees.values().forEach(gone ->
        gone.forEach(each -> goneNs += scale * each.inclusiveNs(weight)));
    return below;
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
