package org.parallax.ui.session;

import java.util.List;
import java.util.Objects;
import org.parallax.analysis.Phase;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.TreeNode;

/**
 * What the views show: which part of the program, in which part of the time, and what of it is
 * looked at. Immutable.
 *
 * @param nodes of the program trees; empty without a session
 * @param phase null for all of the time
 * @param procedure that is looked at, null for none
 * @param cursorNs the moment that is looked at, on the time base of the nodes' application; null for none
 */
public record Selection(List<TreeNode> nodes, Phase phase, Procedure procedure, Long cursorNs) {
  public static final Selection NONE = new Selection(List.of(), null, null);

  /** Without a moment that is looked at. */
  public Selection(List<TreeNode> nodes, Phase phase, Procedure procedure) {
    this(nodes, phase, procedure, null);
  }

  public Selection {
    nodes = List.copyOf(nodes);
  }

  /** What analyses are limited to: the node, or the group of all of them; null without a session. */
  public TreeNode scope() {
    return nodes.isEmpty() ? null : TreeNode.group(nodes);
  }

  public Selection withNodes(List<TreeNode> others) {
    return new Selection(others, phase, procedure, cursorNs);
  }

  public Selection withPhase(Phase other) {
    return new Selection(nodes, other, procedure, cursorNs);
  }

  public Selection withProcedure(Procedure other) {
    return new Selection(nodes, phase, other, cursorNs);
  }

  public Selection withCursor(Long otherNs) {
    return new Selection(nodes, phase, procedure, otherNs);
  }

  /** Whether analyses of both are the same: which procedure and moment are looked at does not matter. */
  public boolean sameScope(Selection other) {
    return nodes.equals(other.nodes) && Objects.equals(phase, other.phase);
  }
}
