package org.parallax.analysis.compare;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;

/** Finds in another run what corresponds to a part of one. */
public final class OtherRun {
  private OtherRun() {}

  /**
   * The node that corresponds to one: at each level the child of the same name, else that at the same
   * place if both have as many.
   *
   * @param node of a logical or physical tree, or a group of such
   * @param tree the logical tree of the other run
   * @return the other run's tree where no single node corresponds
   */
  public static TreeNode node(TreeNode node, TreeNode tree) {
    if (node.members().size() > 1) {
      return TreeNode.group(
          node.members().stream().map(member -> node(member, tree)).distinct().toList());
    }
    Deque<TreeNode> path = new ArrayDeque<>();
    for (TreeNode each = node; each.parent() != null; each = each.parent()) {
      path.push(each);
    }
    TreeNode found = tree;
    for (TreeNode each : path) {
      found = child(each, found);
      if (found == null) {
        return tree;
      }
    }
    return found;
  }

  private static TreeNode child(TreeNode node, TreeNode parent) {
    List<TreeNode> siblings = node.parent().children();
    List<TreeNode> children = parent.children();
    for (TreeNode child : children) {
      if (child.name().equals(node.name())) {
        return child;
      }
    }
    boolean isNamed = node.level() == Level.PROCEDURE || node.level() == Level.EXTERNAL;
    return isNamed || children.size() != siblings.size() ? null
        : children.get(siblings.indexOf(node));
  }

  /**
   * The same part of the time, from the begin of each run on.
   *
   * @param phase null for all of the time
   */
  public static Phase phase(ApplicationAnalysis run, Phase phase, ApplicationAnalysis other) {
    Window life = HistogramReport.lifeOf(run.during(null), null);
    Window otherLife = HistogramReport.lifeOf(other.during(null), null);
    if (phase == null || life == null || otherLife == null) {
      return phase;
    }
    return moved(phase, otherLife.beginNs() - life.beginNs());
  }

  /**
   * The same part of the time, later.
   *
   * @param phase null for all of the time
   */
  public static Phase moved(Phase phase, long byNs) {
    if (phase == null || byNs == 0) {
      return phase;
    }
    long[][] intervals = new long[phase.window().count()][];
    for (int i = 0; i < intervals.length; i++) {
      intervals[i] = new long[] {phase.window().beginNs(i) + byNs, phase.window().endNs(i) + byNs};
    }
    return new Phase(phase.name(), Window.union(intervals));
  }
}
