package org.parallax.cli;

import java.util.ArrayList;
import java.util.List;
import org.parallax.model.TreeNode;

/**
 * Finds nodes of a program tree by the names below the root, separated by slashes, or by colons as
 * tables print them.
 */
final class NodePath {
  private static final String SEPARATORS = "/:";

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
        String name = rest.split("[" + SEPARATORS + "]", 2)[0];
        List<String> names = new ArrayList<>();
        node.children().forEach(child -> names.add(child.name()));
        throw new CommandFailure("there is no \"" + name + "\" in " + node.name()
            + NearNames.hint(name, names));
      }
      rest = rest.equals(next.name()) ? ""
          : rest.substring(next.name().length() + 1);
      node = next;
    }
    return node;
  }

  /** Names can have separators in them: the longest child that the path begins with. */
  private static TreeNode child(TreeNode node, String path) {
    TreeNode longest = null;
    for (TreeNode child : node.children()) {
      String name = child.name();
      boolean begins = path.startsWith(name) && (path.length() == name.length()
          || SEPARATORS.indexOf(path.charAt(name.length())) >= 0);
      if (begins && (longest == null || name.length() > longest.name().length())) {
        longest = child;
      }
    }
    return longest;
  }
}
