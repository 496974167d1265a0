package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.Phase;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Trace;

/**
 * What is open at a moment. Immutable, but for the procedures of trees, which come when needed.
 *
 * @param session null when no trace is open
 * @param traces the open traces in the order of opening
 * @param trees the logical tree of each application, then the physical tree; empty without session
 * @param selection what the views show
 * @param phases those that a person has defined, in the order of their making
 * @param opening the directories that are being opened
 * @param error why traces of the last opening could not be opened, for a person, with a line for
 *        each; empty when all were
 * @param warnings what a person must know of a trace before trusting results
 * @param analyses those of the applications of the session; null without session
 */
public record SessionState(LoadedSession session, List<Trace> traces, List<TreeNode> trees,
    Selection selection, List<Phase> phases, List<Path> opening, String error,
    Map<Trace, List<String>> warnings, Analyses analyses) {

  static final SessionState EMPTY = new SessionState(null, List.of(), List.of(), Selection.NONE,
      List.of(), List.of(), "", Map.of(), null);

  public boolean isOpen() {
    return session != null;
  }

  /** Whether all nodes are of trees that are open. */
  public boolean holds(List<TreeNode> nodes) {
    return nodes.stream().allMatch(node -> trees.stream().anyMatch(tree -> tree.contains(node)));
  }

  /** The selected node that tables show; null without session. */
  public TreeNode scope() {
    return selection.scope();
  }

  SessionState withSelection(Selection selected) {
    return new SessionState(session, traces, trees, selected, phases, opening, error, warnings,
        analyses);
  }

  SessionState withPhases(List<Phase> defined) {
    return new SessionState(session, traces, trees, selection, List.copyOf(defined), opening, error,
        warnings, analyses);
  }

  SessionState withWarnings(Trace trace, List<String> told) {
    Map<Trace, List<String>> all = new HashMap<>(warnings);
    all.put(trace, List.copyOf(told));
    return new SessionState(session, traces, trees, selection, phases, opening, error,
        Map.copyOf(all), analyses);
  }

  SessionState withOpening(List<Path> directories, String newError) {
    return new SessionState(session, traces, trees, selection, phases, directories, newError,
        warnings, analyses);
  }
}
