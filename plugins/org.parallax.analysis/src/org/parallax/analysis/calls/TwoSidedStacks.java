package org.parallax.analysis.calls;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.path.CriticalPath;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.waits.WaitStates;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * The critical path and waits as stacks with a width each: the call path of a thread, and where it waited
 * for another one, a divider and the call path of that one on top, the innermost procedure first, as
 * off-CPU graphs with wake-ups have it (Gregg, "Linux Wakeup and Off-Wake Profiling", 2016).
 *
 * <p>The widths add up to the length of the path, or to all waits, exactly: in a scope, to those of the
 * tables for the same scope.
 */
public final class TwoSidedStacks {
  private static final int[] NONE = {};

  /** Is told of stacks; the same can come several times. */
  public interface Visitor {
    /**
     * @param own the thread's call path, outermost first; empty where nothing is known of it
     * @param divider names the arc or the wait; null if the stack has one side only
     * @param other the thread that was waited for; null if there is none
     * @param others its call path, innermost first; null before its begin
     * @param count of arcs or waits; 0 for work, and for further causes of a wait
     */
    void stack(ThreadRecord thread, int[] own, String divider, ThreadRecord other, int[] others,
        long ns, long count);
  }

  private final ApplicationAnalysis analysis;
  private final Procedures procedures;
  private final Scope scope;
  private final Visitor visitor;

  private TwoSidedStacks(ApplicationAnalysis analysis, TreeNode node, Visitor visitor) {
    this.analysis = analysis;
    this.visitor = visitor;
    procedures = analysis.procedures();
    scope = new Scope(analysis, node);
  }

  /**
   * Visits the stacks of the critical path or of waits.
   *
   * @param weight of the path; waits have wall time
   * @param node to which it is limited as in the tables; null for all
   */
  public static void visit(ApplicationAnalysis analysis, FlameSubject subject, Weight weight,
      TreeNode node, Visitor visitor, Progress progress) {
    TwoSidedStacks stacks = new TwoSidedStacks(analysis, node, visitor);
    switch (subject) {
      case CRITICAL_PATH -> stacks.path(analysis.criticalPath(weight, progress));
      case WAITS -> stacks.waits(analysis.waitStates(progress));
      case TIME -> throw new IllegalArgumentException("times of threads have one side");
    }
  }

  private void path(CriticalPath path) {
    List<ThreadRecord> records = path.replay().threads();
    for (ThreadRecord record : records) {
      long[] work = path.workNs(record.index());
      int process = record.process().index();
      for (int i = 0; work != null && scope.has(record) && i < work.length; i++) {
        if (work[i] > 0 && scope.hasProcedure(procedures.leaf(process, i))) {
          visitor.stack(record, frames(record, i), null, null, null, work[i], 0);
        }
      }
    }
    path.arcs().forEach((key, arcs) -> {
      ThreadRecord to = records.get(key.toThread());
      if (arcs.ns() > 0 && scope.has(to) && scope.hasAllProcedures()) {
        ThreadRecord from = records.get(key.fromThread());
        visitor.stack(to, frames(to, key.toPath()), FlameSubject.DIVIDER + key.kind().label(), from,
            reversed(frames(from, key.fromPath())), arcs.ns(), arcs.count());
      }
    });
  }

  private void waits(WaitStates states) {
    List<ThreadRecord> records = states.replay().threads();
    states.losses().forEach((place, loss) -> {
      ThreadRecord record = records.get(place.thread());
      if (!scope.has(record) || !scope.hasProcedure(
          procedures.leaf(record.process().index(), place.path()))) {
        return;
      }
      int[] own = place.path() == 0 ? NONE : frames(record, place.path());
      String divider = FlameSubject.DIVIDER + place.state().label();
      long count = loss.count();
      long uncaused = loss.ns();
      for (Map.Entry<WaitStates.Cause, Long> each : loss.causes().entrySet()) {
        ThreadRecord other = records.get(each.getKey().thread());
        int path = each.getKey().path();
        visitor.stack(record, own, divider, other, path == WaitStates.NOT_BEGUN ? null
            : reversed(frames(other, path)), each.getValue(), count);
        uncaused -= each.getValue();
        count = 0;
      }
      if (uncaused > 0) {
        visitor.stack(record, own, divider, null, null, uncaused, count);
      }
    });
  }

  private int[] frames(ThreadRecord record, int path) {
    return path == 0 ? new int[] {Procedures.NOT_SAMPLED}
        : procedures.frames(record.process().index(), path);
  }

  private static int[] reversed(int[] frames) {
    int[] reversed = new int[frames.length];
    Arrays.setAll(reversed, i -> frames[frames.length - 1 - i]);
    return reversed;
  }
}
