package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.model.program.Application;
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
 * @param defined the phases that a person has defined
 * @param opening the directories that are being opened
 * @param error why traces of the last opening could not be opened, for a person, with a line for
 *        each; empty when all were
 * @param warnings what a person must know of a trace before trusting results
 * @param analyses those of the applications of the session; null without session
 * @param alignment how runs are shown beside each other
 * @param baseline the traces that a person compares others with; empty if the person has not said so
 */
public record SessionState(LoadedSession session, List<Trace> traces, List<TreeNode> trees,
    Selection selection, DefinedPhases defined, List<Path> opening, String error,
    Map<Trace, List<String>> warnings, Analyses analyses, RunAlignment alignment,
    Set<Path> baseline) {

  static final SessionState EMPTY = new SessionState(null, List.of(), List.of(), Selection.NONE,
      DefinedPhases.NONE, List.of(), "", Map.of(), null, RunAlignment.START, Set.of());

  public boolean isOpen() {
    return session != null;
  }

  /** Whether all nodes are of trees that are open. */
  public boolean holds(List<TreeNode> nodes) {
    return nodes.stream().allMatch(node -> trees.stream().anyMatch(tree -> tree.contains(node)));
  }

  /** The defined phases of the selected time, in the order of their making; all without session. */
  public List<Phase> phases() {
    return isOpen() ? phases(selection.nodes()) : defined.all();
  }

  /** The defined phases of the time of some nodes, in the order of their making. */
  public List<Phase> phases(List<TreeNode> nodes) {
    return defined.of(timeOf(nodes));
  }

  /** The defined phases of the time of an analysis. */
  public List<Phase> phases(ApplicationAnalysis analysis) {
    return defined.of(analyses.timeBase(analysis.application()));
  }

  SessionState withAlignment(RunAlignment other) {
    return new SessionState(session, traces, trees, selection, defined, opening, error, warnings,
        analyses, other, baseline);
  }

  SessionState withBaseline(Set<Path> other) {
    return new SessionState(session, traces, trees, selection, defined, opening, error, warnings,
        analyses, alignment, other);
  }

  /** Whether a moment is the same one for the selected nodes and for others. */
  public boolean isSelectedTime(List<TreeNode> nodes) {
    return !Collections.disjoint(timeOf(selection.nodes()), timeOf(nodes));
  }

  /** The traces on whose common time base the analyses of nodes are. */
  Set<Path> timeOf(List<TreeNode> nodes) {
    Set<Path> traces = new HashSet<>();
    for (Application application : applications(nodes)) {
      traces.addAll(analyses.timeBase(application));
    }
    return traces;
  }

  /** Those that nodes are of. */
  Set<Application> applications(List<TreeNode> nodes) {
    Set<Application> found = new LinkedHashSet<>();
    for (TreeNode node : nodes) {
      if (node.application().isPresent()) {
        found.add(node.application().get());
      } else {
        node.threads().forEach(thread -> found.add(thread.getProcess().getApplication()));
      }
    }
    return found;
  }

  /** The selected node that tables show; null without session. */
  public TreeNode scope() {
    return selection.scope();
  }

  SessionState withSelection(Selection selected) {
    return new SessionState(session, traces, trees, selected, defined, opening, error, warnings,
        analyses, alignment, baseline);
  }

  SessionState withPhases(DefinedPhases phases) {
    return new SessionState(session, traces, trees, selection, phases, opening, error,
        warnings, analyses, alignment, baseline);
  }

  SessionState withWarnings(Trace trace, List<String> told) {
    Map<Trace, List<String>> all = new HashMap<>(warnings);
    all.put(trace, List.copyOf(told));
    return new SessionState(session, traces, trees, selection, defined, opening, error,
        Map.copyOf(all), analyses, alignment, baseline);
  }

  SessionState withOpening(List<Path> directories, String newError) {
    return new SessionState(session, traces, trees, selection, defined, directories, newError,
        warnings, analyses, alignment, baseline);
  }
}
