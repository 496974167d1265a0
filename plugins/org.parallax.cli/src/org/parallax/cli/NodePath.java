package org.parallax.cli;

import java.util.ArrayList;
import java.util.List;
import org.parallax.model.TreeNode;

/** Finds nodes of a program tree by the names below the root, separated by slashes. */
final class NodePath {
  private static final String SEPARATOR = "/";

  private NodePath() {
  }

  /**
   * The node with this path.
   *
   * @throws CommandFailure when there is none; the message has the names that are near
   */
  static TreeNode find(TreeNode root, String path) throws CommandFailure {
    TreeNode node = root;
    String rest = path;
    while (!rest.isEmpty()) {
      TreeNode next = child(node, rest);
      if (next == null) {
        int end = rest.indexOf(SEPARATOR);
        String name = end < 0 ? rest : rest.substring(0, end);
        List<String> names = new ArrayList<>();
        node.children().forEach(child -> names.add(child.name()));
        throw new CommandFailure("there is no \"" + name + "\" in " + node.name()
            + NearNames.hint(name, names));
      }
      rest = rest.equals(next.name()) ? ""
          : rest.substring(next.name().length() + SEPARATOR.length());
      node = next;
    }
    return node;
  }

  /** Names can have slashes in them: the longest child that the path begins with. */
  private static TreeNode child(TreeNode node, String path) {
    TreeNode longest = null;
    for (TreeNode child : node.children()) {
      String name = child.name();
      if ((path.equals(name) || path.startsWith(name + SEPARATOR))
          && (longest == null || name.length() > longest.name().length())) {
        longest = child;
      }
    }
    return longest;
  }
}
