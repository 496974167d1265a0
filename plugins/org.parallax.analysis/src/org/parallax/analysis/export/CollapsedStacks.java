package org.parallax.analysis.export;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.calls.TwoSidedStacks;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Call paths with their own times, as text that flame graphs are made of: the names of procedures from
 * the outermost to the innermost.
 */
public final class CollapsedStacks {
  /** By names, callers before what they call. */
  public static final Comparator<List<String>> ORDER = CollapsedStacks::compare;

  private CollapsedStacks() {}

  /**
   * The time of each call path without those below it.
   *
   * @param level machine, process or thread: paths begin with the name of it; null for all together
   * @param node to which it is limited; null for all
   * @return nanoseconds above 0 by names, in their order; they add up to the time of the threads
   */
  public static SortedMap<List<String>, Long> of(ApplicationAnalysis analysis, Level level,
      Weight weight, TreeNode node, Progress progress) {
    SortedMap<List<String>, Long> stacks = new TreeMap<>(ORDER);
    List<CallPathProfile> profiles = analysis.profiles(progress);
    List<ThreadRecord> records = analysis.threads();
    Scope scope = new Scope(analysis, node);
    Procedures procedures = analysis.procedures();
    for (int i = 0; i < profiles.size(); i++) {
      ThreadRecord record = records.get(i);
      if (!scope.has(record)) {
        continue;
      }
      long[] times = weight == Weight.CPU ? profiles.get(i).cpuNs() : profiles.get(i).wallNs();
      for (int path = 0; path < times.length; path++) {
        int process = record.process().index();
        if (times[path] > 0 && scope.hasProcedure(procedures.leaf(process, path))) {
          List<String> stack = new ArrayList<>();
          if (level != null) {
            stack.add(Names.where(analysis.thread(record), level));
          }
          for (int id : path == 0 ? new int[] {Procedures.NOT_SAMPLED}
              : procedures.frames(process, path)) {
            stack.add(procedures.get(id).name());
          }
          stacks.merge(stack, times[path], Long::sum);
        }
      }
    }
    return stacks;
  }

  /**
   * What a flame graph shows: the time of each call path, of the critical path, or of waits. The latter
   * have the paths of two threads, with a name between them that begins with {@link
   * FlameSubject#DIVIDER}.
   *
   * @param level machine, process or thread: paths begin with the name of it, and what divides two paths
   *     names the other thread's; null for all together
   * @return as {@link #of(ApplicationAnalysis, Level, Weight, TreeNode, Progress)}
   */
  public static SortedMap<List<String>, Long> of(ApplicationAnalysis analysis, FlameSubject subject,
      Level level, Weight weight, TreeNode node, Progress progress) {
    if (subject == FlameSubject.TIME) {
      return of(analysis, level, weight, node, progress);
    }
    SortedMap<List<String>, Long> stacks = new TreeMap<>(ORDER);
    TwoSidedStacks.visit(analysis, subject, weight, node,
        (thread, own, divider, other, others, ns, count) -> {
          List<String> stack = new ArrayList<>();
          if (level != null) {
            stack.add(Names.where(analysis.thread(thread), level));
          }
          add(analysis, own, stack);
          if (divider != null) {
            stack.add(level == null || other == null ? divider
                : divider + ", " + Names.where(analysis.thread(other), level));
          }
          if (other != null && others == null) {
            stack.add(CallTree.NOT_BEGUN);
          } else if (other != null) {
            add(analysis, others, stack);
          }
          stacks.merge(stack, ns, Long::sum);
        }, progress);
    return stacks;
  }

  private static void add(ApplicationAnalysis analysis, int[] frames, List<String> stack) {
    for (int id : frames) {
      stack.add(analysis.procedures().get(id).name());
    }
  }

  private static int compare(List<String> a, List<String> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = a.get(i).compareTo(b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }
}
