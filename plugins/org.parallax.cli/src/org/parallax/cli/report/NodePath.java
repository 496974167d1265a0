package org.parallax.cli.report;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.CommandFailure;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.TreeNode;

/**
 * Finds nodes of a program tree by the names below the root, separated by slashes, or by colons as
 * tables print them.
 */
final class NodePath {
  private static final String SEPARATORS = "/:";

  private NodePath() {
  }

  /** There is no such node. */
  static final class Missing extends CommandFailure {
    private static final long serialVersionUID = 1L;

    Missing(String message) {
      super(message);
    }
  }

  /**
   * The node with this path.
   *
   * @throws Missing when there is none; the message has the names that are near
   */
  static TreeNode find(TreeNode root, String path) throws Missing {
    TreeNode node = root;
    String rest = path;
    while (!rest.isEmpty()) {
      TreeNode next = null;
      String named = "";
      for (TreeNode child : node.children()) {
        for (String name : names(child)) {
          if (begins(rest, name) && name.length() > named.length()) {
            next = child;
            named = name;
          }
        }
      }
      if (next == null) {
        String name = rest.split("[" + SEPARATORS + "]", 2)[0];
        List<String> names = new ArrayList<>();
        node.children().forEach(child -> names.add(child.name()));
        throw new Missing("there is no \"" + name + "\" in " + node.name()
            + NearNames.hint(name, names));
      }
      rest = rest.equals(named) ? "" : rest.substring(named.length() + 1);
      node = next;
    }
    return node;
  }

  /**
   * The name in the tree; of a process among those of several applications also the one in tables,
   * which have no application where the name begins with it.
   */
  private static List<String> names(TreeNode node) {
    if (node.object() instanceof ProgramProcess process && !process.getName().equals(node.name())
        && process.getName().startsWith(process.getApplication().getName())) {
      return List.of(node.name(), process.getName());
    }
    return List.of(node.name());
  }

  /** Names can have separators in them: of several with which a path begins the longest is meant. */
  private static boolean begins(String path, String name) {
    return path.startsWith(name) && (path.length() == name.length()
        || SEPARATORS.indexOf(path.charAt(name.length())) >= 0);
  }
}
