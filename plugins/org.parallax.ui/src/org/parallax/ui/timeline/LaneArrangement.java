package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.ProgramThread;
import org.parallax.trace.Progress;

/**
 * Which lanes there are, and how they stand. Immutable.
 *
 * @param order of lanes, and of groups by the sums of their threads
 * @param folded the keys of groups that are one lane
 */
record LaneArrangement(Grouping grouping, Order order, LaneFilter filter, Set<String> folded) {
  /** What is in a group. */
  enum Grouping {
    /** The threads of a process that has several. */
    PROCESS,
    /** The processes of a machine, with their threads. */
    MACHINE,
    /** The threads that do the same: of the same program, with the same name but for its numbers. */
    ROLE,
    /** There are no groups. */
    NONE
  }

  /**
   * How lanes are sorted.
   *
   * @param byName by their names; else by the metric
   * @param metric null for none: as they were recorded
   * @param lowestFirst instead of the highest
   */
  record Order(boolean byName, LaneMetric metric, boolean lowestFirst) {
    static final Order RECORDED = new Order(false, null, false);
    static final Order NAMES = new Order(true, null, false);
  }

  static final LaneArrangement PLAIN =
      new LaneArrangement(Grouping.PROCESS, Order.RECORDED, LaneFilter.NONE, Set.of());

  LaneArrangement with(Grouping wanted) {
    return new LaneArrangement(wanted, order, filter, Set.of());
  }

  LaneArrangement with(Order wanted) {
    return new LaneArrangement(grouping, wanted, filter, folded);
  }

  LaneArrangement with(LaneFilter wanted) {
    return new LaneArrangement(grouping, order, wanted, folded);
  }

  LaneArrangement withFolded(Set<String> groups) {
    return new LaneArrangement(grouping, order, filter, Set.copyOf(groups));
  }

  /** Folds a group that is unfolded, and the other way round. */
  LaneArrangement turned(String group) {
    Set<String> now = new HashSet<>(folded);
    if (!now.remove(group)) {
      now.add(group);
    }
    return withFolded(now);
  }

  /** Whether values of the threads have to be found. */
  boolean needsValues() {
    return order.metric() != null || filter.metric() != null;
  }

  // ----------------------------------------------------------------- lanes

  /** A group or a thread, before it is known in which row it is. */
  private static final class Node {
    final String name;
    final String key;
    final ProgramThread model;
    final int thread;
    final Map<Object, Node> below = new LinkedHashMap<>();

    Node(String name, String key, ProgramThread model, int thread) {
      this.name = name;
      this.key = key;
      this.model = model;
      this.thread = thread;
    }

    /** Keys of groups of one name differ: applications can have processes of the same name. */
    Node group(Object object, String childName) {
      return below.computeIfAbsent(object, each -> {
        long same = below.values().stream().filter(other -> other.name.equals(childName)).count();
        return new Node(childName, key + "\n" + childName + (same == 0 ? "" : " #" + same), null, -1);
      });
    }

    void add(String childName, ProgramThread child, int index) {
      below.put(child, new Node(childName, null, child, index));
    }

    void addThreads(List<Integer> to) {
      if (model != null) {
        to.add(thread);
      }
      below.values().forEach(each -> each.addThreads(to));
    }

    long value(Map<ProgramThread, Long> values) {
      return model != null ? values.getOrDefault(model, 0L)
          : below.values().stream().mapToLong(each -> each.value(values)).sum();
    }
  }

  /**
   * Arranges threads; reads events where a metric needs them.
   *
   * @param analysis of the time in which metrics count
   * @param wanted those that can have lanes; null for all
   */
  Lanes lanes(ApplicationAnalysis analysis, ProgramTimeline timeline, List<ProgramThread> wanted,
      Progress progress) {
    Map<ProgramThread, Integer> indexes = new LinkedHashMap<>();
    Set<ProgramThread> some = wanted == null ? null : new HashSet<>(wanted);
    for (int i = 0; i < timeline.threads().size(); i++) {
      ProgramThread model = analysis.thread(timeline.threads().get(i));
      if (some == null || some.contains(model)) {
        indexes.put(model, i);
      }
    }
    List<ProgramThread> all = List.copyOf(indexes.keySet());
    Set<ProgramThread> chosen = filter.isNone() ? Set.copyOf(all)
        : filter.chosen(all, values(filter.metric(), analysis, progress));
    Node root = new Node("", "", null, -1);
    all.stream().filter(chosen::contains).forEach(each -> place(root, each, indexes.get(each)));
    List<Lanes.Lane> rows = new ArrayList<>();
    addRows(root, 0, sorting(values(order.metric(), analysis, progress)), rows);
    return Lanes.of(rows, timeline.threads().size(), all.size() - chosen.size());
  }

  private static Map<ProgramThread, Long> values(
      LaneMetric metric, ApplicationAnalysis analysis, Progress progress) {
    return metric == null ? Map.of() : metric.values(analysis, progress);
  }

  private void place(Node root, ProgramThread thread, int index) {
    ProgramProcess process = thread.getProcess();
    switch (grouping) {
      case PROCESS -> root.group(process, process.getName())
          .add(thread.getName(), thread, index);
      case MACHINE -> root.group(process.getMachine(), process.getMachine().getHost())
          .group(process, process.getName()).add(thread.getName(), thread, index);
      case ROLE -> root.group(role(thread), role(thread)).add(fullName(thread), thread, index);
      case NONE -> root.add(fullName(thread), thread, index);
    }
  }

  private static String fullName(ProgramThread thread) {
    ProgramProcess process = thread.getProcess();
    return process.getThreads().size() == 1 ? process.getName()
        : process.getName() + " " + thread.getName();
  }

  /** What a thread is for, as far as names tell. */
  static String role(ProgramThread thread) {
    String program = thread.getProcess().getName().replaceFirst("\\[[^]]*]$", "");
    if (thread.getId() == 0) {
      return program;
    }
    String name = thread.getName().replaceFirst(" #\\d+$", "").replaceAll("[-_. ]*\\d+", "");
    return program + ": " + (name.isEmpty() ? Messages.laneThreads : name);
  }

  private Comparator<Node> sorting(Map<ProgramThread, Long> values) {
    if (order.byName()) {
      return Comparator.comparing((Node node) -> node.name, NaturalOrder.INSTANCE);
    }
    if (order.metric() == null) {
      return null;
    }
    Map<Node, Long> sums = new HashMap<>();
    Comparator<Node> bySum = Comparator.comparingLong(
        node -> sums.computeIfAbsent(node, each -> each.value(values)));
    return order.lowestFirst() ? bySum : bySum.reversed();
  }

  private void addRows(Node of, int depth, Comparator<Node> sorting, List<Lanes.Lane> rows) {
    List<Node> nodes = new ArrayList<>(of.below.values());
    if (sorting != null) {
      nodes.sort(sorting);
    }
    for (Node node : nodes) {
      boolean isAlone = grouping != Grouping.ROLE && node.below.size() == 1
          && node.below.values().iterator().next().model != null;
      if (node.model != null) {
        rows.add(new Lanes.Lane(node.name, node.model, List.of(node.thread), null, depth));
      } else if (isAlone) {
        Node only = node.below.values().iterator().next();
        rows.add(new Lanes.Lane(
            fullName(only.model), only.model, List.of(only.thread), null, depth));
      } else {
        List<Integer> threads = new ArrayList<>();
        boolean isFolded = folded.contains(node.key);
        if (isFolded) {
          node.addThreads(threads);
        }
        rows.add(new Lanes.Lane(node.name, null, List.copyOf(threads), node.key, depth));
        if (!isFolded) {
          addRows(node, depth + 1, sorting, rows);
        }
      }
    }
  }
}
