package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.model.Application;
import org.parallax.model.Session;
import org.parallax.model.TreeNode;
import org.parallax.trace.Trace;

/**
 * What is open at a moment. Immutable, but for the procedures of trees, which come when needed.
 *
 * @param session null when no trace is open
 * @param traces the open traces in the order of opening
 * @param trees the logical tree of each application, then the physical tree; empty without session
 * @param scope the selected node that the tables show; null without session
 * @param opening the directories that are being opened
 * @param error why the last opening failed, for a person; empty when it did not
 * @param warnings what a person must know of a trace before trusting results
 * @param analyses one for each application of the session
 */
public record SessionState(Session session, List<Trace> traces, List<TreeNode> trees,
    TreeNode scope, List<Path> opening, String error, Map<Trace, List<String>> warnings,
    Map<Application, ApplicationAnalysis> analyses) {

  static final SessionState EMPTY =
      new SessionState(null, List.of(), List.of(), null, List.of(), "", Map.of(),
          Map.of());

  public boolean isOpen() {
    return session != null;
  }

  SessionState withScope(TreeNode node) {
    return new SessionState(session, traces, trees, node, opening, error, warnings, analyses);
  }

  SessionState withWarnings(Trace trace, List<String> told) {
    Map<Trace, List<String>> all = new HashMap<>(warnings);
    all.put(trace, List.copyOf(told));
    return new SessionState(session, traces, trees, scope, opening, error, Map.copyOf(all),
        analyses);
  }

  SessionState withOpening(List<Path> directories, String newError) {
    return new SessionState(session, traces, trees, scope, directories, newError, warnings,
        analyses);
  }
}
