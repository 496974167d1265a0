package org.parallax.ui.session;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.parallax.model.program.TreeNode;

/** Finds in the trees of a newer reading what was meant in those of an older one: by the names from the root. */
public final class Equivalents {
  private Equivalents() {
  }

  /**
   * A selection of older trees in newer ones; its procedure is of the older ones, and is left out. Reads no events.
   *
   * @return without a node if none is left
   */
  public static Selection of(Selection selection, List<TreeNode> trees) {
    Set<TreeNode> found = new LinkedHashSet<>();
    for (TreeNode node : selection.nodes()) {
      TreeNode same = find(node, trees);
      if (same != null) {
        found.add(same);
      }
    }
    return selection.withNodes(new ArrayList<>(found)).withProcedure(null);
  }

  /**
   * The node that stands where another one stood.
   *
   * @return the lowest node above it if it is not there, or not known yet; null if its tree is not there
   */
  public static TreeNode find(TreeNode wanted, List<TreeNode> trees) {
    if (wanted.parent() == null) {
      return among(trees, wanted);
    }
    TreeNode above = find(wanted.parent(), trees);
    TreeNode same = above == null || !above.areChildrenKnown() ? null : among(above.children(), wanted);
    return same == null ? above : same;
  }

  private static TreeNode among(List<TreeNode> nodes, TreeNode wanted) {
    return nodes.stream().filter(node -> node.level() == wanted.level()
        && Objects.equals(node.name(), wanted.name())).findFirst().orElse(null);
  }
}
