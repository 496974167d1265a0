package org.parallax.analysis.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.WithoutProcessor;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Progress;

/**
 * The call paths of all threads in scope, merged by the procedures on them, inlined ones included: a
 * tree of what calls what, or, inverted, of what is called by what.
 *
 * <p>All methods can be called from any thread.
 */
public final class CallTree {
  /** In place of the call path of a thread before its begin. */
  public static final String NOT_BEGUN = "(not begun)";

  private final Node root;

  private CallTree(Node root) {
    this.root = root;
  }

  /** The first moment of a call path that ends somewhere, and how far back it was followed. */
  private record End(Node end, Node at) {}

  /**
   * A procedure that was called on a path. In an inverted tree, one that calls on a path. In a tree of
   * waits or of the critical path also what divides the call paths of two threads.
   */
  public static final class Node {
    private final ApplicationAnalysis analysis;
    private final int id;
    /** Of what is no procedure; else null. */
    private final String label;
    private final Node caller;
    private final int depth;
    private final boolean isOfOther;
    private long wallNs;
    private long cpuNs;
    private long inclusiveWallNs;
    private long inclusiveCpuNs;
    private long samples;
    private long inclusiveSamples;
    private long exactVisits;
    private long leastVisits;
    private boolean isExact;
    private boolean isThrottled;
    private boolean isCpuKnown = true;
    private boolean isInclusiveCpuKnown = true;
    /** While the tree is made. */
    private Map<Object, Node> making = new LinkedHashMap<>();
    /** Of an inverted tree: the call paths that it stands for. */
    private List<End> ends = List.of();
    private List<Node> callees;

    private Node(ApplicationAnalysis analysis, int id, String label, Node caller) {
      this.analysis = analysis;
      this.id = id;
      this.label = label;
      this.caller = caller;
      depth = caller == null ? -1 : caller.depth + 1;
      isOfOther = caller != null && (caller.isOfOther || caller.label != null);
    }

    private Node callee(int procedure) {
      return making.computeIfAbsent(procedure, key -> new Node(analysis, procedure, null, this));
    }

    private Node callee(String divider) {
      return making.computeIfAbsent(divider, key -> new Node(analysis, -1, divider, this));
    }

    /** @return whether it is no procedure, but what divides the call paths of two threads */
    public boolean isDivider() {
      return label != null;
    }

    /** @return whether it is on the call path of a thread that was waited for */
    public boolean isOfOther() {
      return isOfOther;
    }

    /** @return the procedure's name; of the root the application's */
    public String name() {
      return label != null ? label
          : id < 0 ? analysis.name() : analysis.procedures().get(id).name();
    }

    /** @return null for the root and for time of which no sample tells */
    public Procedure procedure() {
      return id < 0 ? null : analysis.procedure(id);
    }

    /** @return the node above; null for the root */
    public Node caller() {
      return caller;
    }

    /** @return from 0; -1 for the root */
    public int depth() {
      return depth;
    }

    /** @return without what it calls, in nanoseconds; in an inverted tree of paths that begin with it */
    public long timeNs(Weight weight) {
      return weight == Weight.CPU ? cpuNs : wallNs;
    }

    /** @return with what it calls, in nanoseconds */
    public long inclusiveNs(Weight weight) {
      return weight == Weight.CPU ? inclusiveCpuNs : inclusiveWallNs;
    }

    /** @return exact if {@link #isExact}, else a lower bound */
    public long visits() {
      return isExact ? exactVisits : Math.max(leastVisits, inclusiveWallNs > 0 ? 1 : 0);
    }

    public boolean isExact() {
      return isExact;
    }

    /** @return whether it was called so often that calls were only counted from some time on */
    public boolean isThrottled() {
      return isThrottled;
    }

    /** @return whether all processes in it, or also in what it calls, tell their CPU time */
    public boolean isCpuKnown(boolean inclusive) {
      return inclusive ? isInclusiveCpuKnown : isCpuKnown;
    }

    /** @return samples in it, without what it calls */
    public long samples() {
      return samples;
    }

    /** @return samples in it and in what it calls */
    public long inclusiveSamples() {
      return inclusiveSamples;
    }

    /** @return the names from the root's callees on, with {@code ;} between them */
    public String path() {
      StringBuilder path = new StringBuilder();
      for (Node node = this; node.caller != null; node = node.caller) {
        path.insert(0, node.name() + (path.isEmpty() ? "" : ";"));
      }
      return path.toString();
    }

    /** @return those below, by falling inclusive time and then by their names; not to be changed */
    public synchronized List<Node> callees() {
      if (callees == null) {
        ends.forEach(each -> {
          if (each.at.caller.caller != null) {
            callee(each.at.caller.id).addEnd(each.end, each.at.caller);
          }
        });
        ends = List.of();
        sort();
      }
      return callees;
    }

    /** In an inverted tree: a call path that this node is on. */
    private void addEnd(Node end, Node at) {
      if (ends.isEmpty()) {
        ends = new ArrayList<>();
        isExact = true;
      }
      ends.add(new End(end, at));
      inclusiveWallNs += end.wallNs;
      inclusiveCpuNs += end.cpuNs;
      inclusiveSamples += end.samples;
      exactVisits += end.visits();
      leastVisits += end.visits();
      isExact &= end.isExact;
      isThrottled |= end.isThrottled;
      isInclusiveCpuKnown &= end.isCpuKnown;
      if (at.caller.caller == null) {
        wallNs += end.wallNs;
        cpuNs += end.cpuNs;
        samples += end.samples;
        isCpuKnown &= end.isCpuKnown;
      }
    }

    private void sort() {
      callees = new ArrayList<>(making.values());
      callees.sort(Comparator.<Node>comparingLong(callee -> -callee.inclusiveWallNs)
          .thenComparing(Node::name));
      making = null;
    }
  }

  /**
   * Makes a call tree.
   *
   * @param node to which it is limited, of a procedure the call paths that it is on; null for the
   *     whole application
   */
  public static CallTree of(ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    List<CallPathProfile> profiles = analysis.profiles(progress);
    List<ThreadRecord> records = analysis.threads();
    Scope scope = new Scope(analysis, node);
    Node root = new Node(analysis, -1, null, null);
    for (int i = 0; i < profiles.size(); i++) {
      if (scope.has(records.get(i))) {
        add(analysis.procedures(), records.get(i), profiles.get(i), scope, root);
      }
    }
    sumUp(root);
    return new CallTree(root);
  }

  /**
   * Makes a tree of what a flame graph shows. In one of waits or of the critical path, both clocks tell
   * the same, and visits are the numbers of waits or arcs.
   *
   * @param weight of the critical path
   */
  public static CallTree of(ApplicationAnalysis analysis, FlameSubject subject, Weight weight,
      TreeNode node, Progress progress) {
    if (subject == FlameSubject.TIME) {
      return of(analysis, node, progress);
    }
    Node root = new Node(analysis, -1, null, null);
    TwoSidedStacks.visit(analysis, subject, weight, node,
        (thread, own, divider, other, others, ns, count) -> {
          Node at = along(root, own);
          if (divider != null) {
            at = at.callee(divider);
            at = other == null ? at : others == null ? at.callee(NOT_BEGUN) : along(at, others);
          }
          at.wallNs += ns;
          at.cpuNs += ns;
          at.exactVisits += count;
          at.isExact = true;
        }, progress);
    sumUp(root);
    return new CallTree(root);
  }

  private static Node along(Node from, int[] frames) {
    Node at = from;
    for (int id : frames) {
      at = at.callee(id);
    }
    return at;
  }

  /** Linear in the paths, as each is found below its parent. */
  private static void add(Procedures procedures, ThreadRecord record, CallPathProfile profile,
      Scope scope, Node root) {
    CallPaths paths = record.process().callPaths();
    int process = record.process().index();
    boolean isCpuKnown = WithoutProcessor.isKnown(record.process());
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
      Node function = null;
      for (int id : procedures.ownFrames(process, path)) {
        node = node.callee(id);
        function = function == null ? node : function;
      }
      nodes[path] = node;
      if (!isOn[path]) {
        continue;
      }
      node.wallNs += profile.wallNs()[path];
      node.cpuNs += profile.cpuNs()[path];
      node.isCpuKnown &= isCpuKnown;
      node.samples += profile.samples()[path];
      node.isThrottled |= profile.isThrottled(path);
      if (profile.isExact(path)) {
        node.isExact = true;
        node.exactVisits += profile.visits()[path];
      } else {
        least.merge(function, profile.visits()[path], Math::max);
      }
    }
    least.forEach((node, visits) -> node.leastVisits += visits);
    if (profile.wallNs()[0] > 0 && scope.hasProcedure(Procedures.NOT_SAMPLED)) {
      Node unknown = root.callee(Procedures.NOT_SAMPLED);
      unknown.wallNs += profile.wallNs()[0];
      unknown.cpuNs += profile.cpuNs()[0];
      unknown.isCpuKnown &= isCpuKnown;
    }
  }

  /** Call paths are thousands of calls deep where programs recurse: without recursion here. */
  private static void sumUp(Node root) {
    List<Node> callersFirst = new ArrayList<>(List.of(root));
    for (int i = 0; i < callersFirst.size(); i++) {
      callersFirst.addAll(callersFirst.get(i).making.values());
    }
    for (int i = callersFirst.size() - 1; i >= 0; i--) {
      Node node = callersFirst.get(i);
      node.inclusiveWallNs += node.wallNs;
      node.inclusiveCpuNs += node.cpuNs;
      node.inclusiveSamples += node.samples;
      node.isInclusiveCpuKnown &= node.isCpuKnown;
      node.sort();
      if (node.caller != null) {
        node.caller.inclusiveWallNs += node.inclusiveWallNs;
        node.caller.inclusiveCpuNs += node.inclusiveCpuNs;
        node.caller.inclusiveSamples += node.inclusiveSamples;
        node.caller.isInclusiveCpuKnown &= node.isInclusiveCpuKnown;
      }
    }
  }

  /** @return the node of no procedure that all others are below */
  public Node root() {
    return root;
  }

  /** @return what the times of all nodes without those below them add up to */
  public long totalNs(Weight weight) {
    return root.inclusiveNs(weight);
  }

  /** @return all nodes, callers before what they call */
  public List<Node> nodes() {
    List<Node> all = new ArrayList<>();
    Deque<Node> next = new ArrayDeque<>(List.of(root));
    while (!next.isEmpty()) {
      Node node = next.pop();
      if (node != root) {
        all.add(node);
      }
      List<Node> callees = node.callees();
      for (int i = callees.size() - 1; i >= 0; i--) {
        next.push(callees.get(i));
      }
    }
    return all;
  }

  /** @return the time of all call paths that a node of a kind is on, each path once */
  public long timeOnNs(Predicate<Node> wanted, Weight weight) {
    long sum = 0;
    Deque<Node> next = new ArrayDeque<>(root.callees());
    while (!next.isEmpty()) {
      Node node = next.pop();
      if (wanted.test(node)) {
        sum += node.inclusiveNs(weight);
      } else {
        next.addAll(node.callees());
      }
    }
    return sum;
  }

  /**
   * @return the tree of callers of a tree that is not inverted: below the root all procedures with the
   *     time of their own, below each those that call it, with the part of that time in calls by them.
   *     Nodes come when they are asked for.
   */
  public CallTree inverted() {
    Node inverted = new Node(root.analysis, -1, null, null);
    for (Node node : nodes()) {
      if (node.wallNs > 0 || node.cpuNs > 0 || node.samples > 0 || node.exactVisits > 0) {
        inverted.callee(node.id).addEnd(node, node);
      }
    }
    inverted.inclusiveWallNs = root.inclusiveWallNs;
    inverted.inclusiveCpuNs = root.inclusiveCpuNs;
    inverted.inclusiveSamples = root.inclusiveSamples;
    inverted.sort();
    return new CallTree(inverted);
  }
}
