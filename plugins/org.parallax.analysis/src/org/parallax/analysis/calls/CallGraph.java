package org.parallax.analysis.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgrapht.alg.connectivity.KosarajuStrongConnectivityInspector;
import org.jgrapht.graph.DefaultDirectedGraph;
import org.jgrapht.graph.DefaultEdge;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Procedures;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;

/**
 * Which procedures call which, how often, and how much time is spent below each call, after Graham,
 * Kessler and McKusick, "gprof: a Call Graph Execution Profiler", 1982, sections 3 to 5: procedures
 * that call each other are one <em>cycle</em> (a strongly connected component), time is passed along
 * the arcs between cycles and procedures outside of them, and none between members of a cycle.
 *
 * <p>Unlike gprof, which divides the time of a procedure among its callers in proportion to their
 * calls, this takes what was spent: each call path tells which arcs its time was passed along. With
 * its procedures replaced by their cycles, a call path passes no arc twice, so that recursion counts
 * once.
 *
 * <p>What was inlined is called by the function that holds it, unless the procedures are folded.
 * Cost: linear in the frames of call paths, for each thread.
 */
final class CallGraph {
  /** A procedure or cycle. */
  static final class Entry {
    /** The procedure; -1 for a cycle. */
    final int procedure;
    /** The cycle itself, or the one in which the procedure is; null for none. */
    Entry cycle;
    /** Of a cycle: its number, from 1. */
    int cycleNumber;
    /** Of a cycle: its procedures, those with the most time first. */
    final List<Entry> members = new ArrayList<>();
    /** Of the program itself, in which the procedure's own time was spent. */
    final OwnFunctions functions = new OwnFunctions();
    final Map<Entry, Arc> callers = new LinkedHashMap<>();
    final List<Arc> callees = new ArrayList<>();
    long selfNs;
    long descendantsNs;
    /** Calls by others; of a cycle, from outside. */
    long calls;
    /** Calls by itself; of a cycle, of its members by each other. */
    long selfCalls;
    boolean exact = true;
    boolean throttled;

    private Entry(int procedure) {
      this.procedure = procedure;
    }

    boolean isCycle() {
      return procedure < 0;
    }

    /** Where the time of the entry counts: its cycle, or the entry itself. */
    Entry head() {
      return cycle == null ? this : cycle;
    }

    long totalNs() {
      return selfNs + descendantsNs;
    }
  }

  /** The calls of a procedure by another, or by itself. */
  static final class Arc {
    /** Null where nothing called it: the start of a thread, or a call stack that is not whole. */
    final Entry from;
    final Entry to;
    long calls;
    boolean exact = true;
    /** Time that passed along the arc: in the callee or its cycle, and in what that called. */
    long selfNs;
    long descendantsNs;

    private Arc(Entry from, Entry to) {
      this.from = from;
      this.to = to;
    }

    /** @return true for calls of itself and of members of the same cycle: no time is passed */
    boolean isWithin() {
      return from != null && from.head() == to.head();
    }

    long totalNs() {
      return selfNs + descendantsNs;
    }
  }

  /** What threads of one process did in the frames of its call paths. */
  private final class ProcessFrames {
    final ProcessTrace process;
    final CallPaths paths;
    /** Of each path its innermost frame. Frame 0 has none above it; others come after theirs. */
    final int[] leaves;
    final int[] parents;
    final int[] ids;
    final long[] ns;
    final boolean[] used;
    /** Of frames that are intercepted routines or instrumented functions. */
    final boolean[] known;

    ProcessFrames(ProcessTrace process) {
      this.process = process;
      paths = process.callPaths();
      int[][] own = new int[paths.count()][];
      Arrays.setAll(own, path -> procedures.ownFrames(process.index(), path));
      int count = 1 + Arrays.stream(own).mapToInt(frames -> frames.length).sum();
      leaves = new int[own.length];
      parents = new int[count];
      ids = new int[count];
      known = new boolean[count];
      ns = new long[count];
      used = new boolean[count];
      int next = 1;
      for (int path = 1; path < own.length; path++) {
        int above = leaves[paths.parent(path)];
        for (int id : own[path]) {
          ids[next] = id;
          parents[next] = above;
          above = next++;
        }
        leaves[path] = above;
        known[above] = paths.kind(path) == CallPaths.REGION
            || paths.kind(path) == CallPaths.FUNCTION;
      }
    }

    void add(CallPathProfile profile) {
      long[] times = weight == Weight.CPU ? profile.cpuNs() : profile.wallNs();
      // A visit of a function can show at several of its call sites; of those below one caller the
      // one that tells of the most counts.
      Map<Long, Long> least = new HashMap<>();
      for (int path = 0; path < leaves.length; path++) {
        int frame = leaves[path];
        long visits = profile.visits()[path];
        ns[frame] += times[path];
        if (path > 0 && times[path] > 0) {
          entry(ids[frame]).functions.add(procedures.own(process.index(), path), times[path]);
        }
        if (profile.wallNs()[path] == 0 && visits == 0 && profile.samples()[path] == 0) {
          continue;
        }
        used[frame] = true;
        if (path == 0 || visits == 0) {
          continue;
        }
        if (profile.isExact(path)) {
          arc(frame).calls += visits;
        } else {
          least.merge((long) leaves[paths.parent(path)] << 32
              | procedures.function(process.index(), path), visits, Math::max);
        }
        entry(ids[frame]).throttled |= profile.isThrottled(path);
      }
      least.forEach((key, most) -> arc((int) (key >>> 32), (int) (long) key).calls += most);
    }

    Arc arc(int frame) {
      return arc(parents[frame], ids[frame]);
    }

    private Arc arc(int parent, int callee) {
      Entry from = parent == 0 ? null : entry(ids[parent]);
      Entry to = entry(callee);
      return to.callers.computeIfAbsent(from, unknown -> {
        Arc arc = new Arc(from, to);
        if (from != null) {
          from.callees.add(arc);
        }
        return arc;
      });
    }

    /** Makes the arcs to all frames in which something was seen. */
    void connect() {
      for (int frame = ns.length - 1; frame > 0; frame--) {
        if (used[frame]) {
          used[parents[frame]] = true;
          arc(frame).exact &= known[frame];
        }
      }
    }

    /** Passes the time of each frame along the arcs above it. */
    void propagate() {
      long[] below = ns.clone();
      // The time below a frame that was spent in the procedure, or its cycle, itself.
      long[] within = ns.clone();
      for (int frame = ns.length - 1; frame > 0; frame--) {
        if (!used[frame]) {
          continue;
        }
        int parent = parents[frame];
        Entry entry = entry(ids[frame]);
        entry.selfNs += ns[frame];
        below[parent] += below[frame];
        Entry caller = parent == 0 ? null : entry(ids[parent]);
        if (caller != null && caller.head() == entry.head()) {
          within[parent] += within[frame];
          continue;
        }
        Arc arc = arc(frame);
        arc.selfNs += within[frame];
        arc.descendantsNs += below[frame] - within[frame];
        if (caller != null) {
          caller.descendantsNs += below[frame];
        }
      }
      if (ns[0] > 0) {
        entry(Procedures.NOT_SAMPLED).selfNs += ns[0];
      }
    }
  }

  private final Procedures procedures;
  private final Weight weight;
  private final Map<Integer, Entry> entries = new LinkedHashMap<>();
  private final Map<Integer, ProcessFrames> processes = new LinkedHashMap<>();
  private final List<Entry> cycles = new ArrayList<>();

  /** An empty graph: add the threads, then {@link #finish}. */
  CallGraph(Procedures procedures, Weight weight) {
    this.procedures = procedures;
    this.weight = weight;
  }

  private Entry entry(int procedure) {
    return entries.computeIfAbsent(procedure, Entry::new);
  }

  void add(ProcessTrace process, CallPathProfile profile) {
    processes.computeIfAbsent(process.index(), unknown -> new ProcessFrames(process)).add(profile);
  }

  /** Finds the cycles and passes on the times. */
  void finish() {
    processes.values().forEach(ProcessFrames::connect);
    findCycles();
    processes.values().forEach(ProcessFrames::propagate);
    for (Entry entry : entries.values()) {
      entry.callers.values().forEach(arc -> count(entry, arc));
    }
    Comparator<Entry> most = Comparator.<Entry>comparingLong(entry -> -entry.totalNs())
        .thenComparing(entry -> procedures.get(entry.procedure).name());
    for (Entry cycle : cycles) {
      for (Entry member : cycle.members) {
        cycle.selfNs += member.selfNs;
        cycle.descendantsNs += member.descendantsNs;
      }
      cycle.members.sort(most);
    }
    cycles.sort(Comparator.<Entry>comparingLong(cycle -> -cycle.totalNs())
        .thenComparing(cycle -> procedures.get(cycle.members.get(0).procedure).name()));
    for (int i = 0; i < cycles.size(); i++) {
      cycles.get(i).cycleNumber = i + 1;
    }
  }

  private void findCycles() {
    DefaultDirectedGraph<Integer, DefaultEdge> graph =
        new DefaultDirectedGraph<>(DefaultEdge.class);
    entries.keySet().forEach(graph::addVertex);
    for (Entry entry : entries.values()) {
      entry.callees.forEach(arc -> graph.addEdge(entry.procedure, arc.to.procedure));
    }
    for (Set<Integer> component
        : new KosarajuStrongConnectivityInspector<>(graph).stronglyConnectedSets()) {
      if (component.size() > 1) {
        Entry cycle = new Entry(-1);
        cycle.cycle = cycle;
        for (int procedure : component) {
          cycle.members.add(entry(procedure));
          entry(procedure).cycle = cycle;
        }
        cycles.add(cycle);
      }
    }
  }

  private static void count(Entry entry, Arc arc) {
    if (!arc.exact) {
      arc.calls = Math.max(1, arc.calls);
    }
    if (arc.from == entry) {
      entry.selfCalls += arc.calls;
    } else {
      entry.calls += arc.calls;
    }
    entry.exact &= arc.exact;
    if (entry.cycle != null && arc.from != entry) {
      if (arc.isWithin()) {
        entry.cycle.selfCalls += arc.calls;
      } else {
        entry.cycle.calls += arc.calls;
        addCaller(entry.cycle, arc);
      }
      entry.cycle.exact &= arc.exact;
    }
  }

  /** The calls of a cycle by one procedure, whichever of its members these are of. */
  private static void addCaller(Entry cycle, Arc arc) {
    Arc sum = cycle.callers.computeIfAbsent(arc.from, from -> new Arc(from, cycle));
    sum.calls += arc.calls;
    sum.exact &= arc.exact;
    sum.selfNs += arc.selfNs;
    sum.descendantsNs += arc.descendantsNs;
  }

  /** @return the procedures that have time or calls, in no order */
  Collection<Entry> procedures() {
    return entries.values();
  }

  /** @return the cycles by falling time */
  List<Entry> cycles() {
    return cycles;
  }
}
