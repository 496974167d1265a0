package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.model.Application;
import org.parallax.model.ProgramTree;
import org.parallax.model.Session;
import org.parallax.model.SessionBuilder;
import org.parallax.model.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/**
 * The session that the views show: which traces are open, their program trees and the selected
 * scope. Traces are opened and closed by jobs, one at a time.
 *
 * <p>The state is replaced as a whole, on the UI thread only; it can be read from any thread.
 * Listeners are told on the UI thread.
 */
public final class OpenSession {
  /** Is told that another state holds. */
  public interface Listener {
    void stateChanged(SessionState before, SessionState now);
  }

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile SessionState state = SessionState.EMPTY;

  /** What is open now. */
  public SessionState state() {
    return state;
  }

  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  public void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * Opens traces beside those that are open; one that is open already is read anew. Returns at
   * once; called on the UI thread.
   *
   * @return the job that does it, already scheduled
   */
  public Job open(Collection<Path> directories) {
    OpenTracesJob job = new OpenTracesJob(this, List.copyOf(directories));
    List<Path> opening = new ArrayList<>(state.opening());
    opening.addAll(directories);
    set(state.withOpening(opening, ""));
    job.schedule();
    return job;
  }

  /**
   * Closes traces.
   *
   * @return the job that does it, already scheduled
   */
  public Job close(Collection<Trace> traces) {
    Job job = new CloseTracesJob(this, List.copyOf(traces));
    job.schedule();
    return job;
  }

  /** Selects what the tables show; called on the UI thread. Ignored when the node is of no tree. */
  public void setScope(TreeNode node) {
    if (node != state.scope() && state.trees().stream().anyMatch(tree -> tree.contains(node))) {
      set(state.withScope(node));
    }
  }

  /** Reads what a trace warns of once more: analyses find damage that opening does not. */
  public void updateWarnings(Trace trace) {
    List<String> warnings = trace.warnings();
    if (!warnings.equals(state.warnings().get(trace))) {
      onUiThread(() -> {
        if (state.traces().contains(trace)) {
          set(state.withWarnings(trace, warnings));
        }
      });
    }
  }

  /** Called when the workbench ends. */
  public void dispose() {
    listeners.clear();
    Job.getJobManager().cancel(this);
    state.traces().forEach(Trace::close);
    state = SessionState.EMPTY;
  }

  /**
   * Changes which traces are open and tells the new state. The model keeps the applications that
   * stay, so that what was computed of them remains. Called by one job at a time.
   *
   * @param leave traces to take out; they are not closed
   * @param enter traces to add
   */
  SessionState change(Collection<Trace> leave, List<Trace> enter) {
    SessionState before = state;
    List<Trace> traces = new ArrayList<>(before.traces());
    traces.removeAll(leave);
    traces.addAll(enter);
    if (traces.isEmpty()) {
      return SessionState.EMPTY;
    }
    if (before.isOpen()) {
      leave.forEach(trace -> SessionBuilder.remove(before.session(), trace));
    }
    SessionBuilder builder =
        before.isOpen() ? new SessionBuilder(before.session()) : new SessionBuilder();
    Session session = builder.build();
    for (Trace trace : enter) {
      builder.add(trace, Progress.NONE);
    }
    Map<Application, ApplicationAnalysis> analyses = new HashMap<>();
    List<TreeNode> trees = new ArrayList<>();
    TreeNode scope = null;
    for (Application application : session.getApplications()) {
      ApplicationAnalysis known = before.analyses().get(application);
      analyses.put(application, known == null ? new ApplicationAnalysis(application) : known);
      TreeNode tree = ProgramTree.logical(application);
      trees.add(tree);
      if (scope == null && enter.contains(application.getTrace())) {
        scope = tree;
      }
    }
    trees.add(ProgramTree.physical(session));
    Map<Trace, List<String>> warnings = new HashMap<>();
    for (Trace trace : traces) {
      warnings.put(trace, List.copyOf(trace.warnings()));
    }
    return new SessionState(session, List.copyOf(traces), List.copyOf(trees),
        scope == null ? trees.get(0) : scope, List.of(), "", Map.copyOf(warnings),
        Map.copyOf(analyses));
  }

  /** Another set of traces is open; {@code finished} are no longer being opened. */
  void replace(SessionState opened, Collection<Path> finished) {
    onUiThread(() -> {
      List<Path> opening = remove(state.opening(), finished);
      set(opened.withOpening(opening, ""));
    });
  }

  /** An opening has ended without a trace. */
  void failed(Collection<Path> finished, String error) {
    onUiThread(() -> set(state.withOpening(remove(state.opening(), finished), error)));
  }

  private static List<Path> remove(List<Path> opening, Collection<Path> finished) {
    List<Path> rest = new ArrayList<>(opening);
    finished.forEach(rest::remove);
    return List.copyOf(rest);
  }

  private static void onUiThread(Runnable action) {
    Display display = PlatformUI.isWorkbenchRunning() ? PlatformUI.getWorkbench().getDisplay() : null;
    if (display != null && !display.isDisposed()) {
      display.syncExec(action);
    }
  }

  private void set(SessionState now) {
    SessionState before = state;
    state = now;
    for (Listener listener : listeners) {
      listener.stateChanged(before, now);
    }
  }
}
