package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.parallax.analysis.Phase;
import org.parallax.model.Application;
import org.parallax.model.LoadedSession;
import org.parallax.model.Procedure;
import org.parallax.model.ProgramTree;
import org.parallax.model.SessionBuilder;
import org.parallax.model.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.UiThread;

/**
 * The session that the views show: which traces are open, their program trees and the selected
 * scope. Traces are opened and closed by jobs, one at a time.
 *
 * <p>The state is replaced as a whole, on the UI thread only; it can be read from any thread.
 * Listeners are told on the UI thread: at once, but of other traces each in an event of its own, as views
 * that let go of a result, or ask for one, take their time. Traces that leave are closed after that.
 */
public final class OpenSession {
  /** Is told that another state holds. */
  public interface Listener {
    void stateChanged(SessionState before, SessionState now);
  }

  /** The code of the status of an opening in which some traces could not be read, and others were. */
  public static final int SOME_OPENED = 2;

  /** The UI thread may be waiting for the job that waits for it. */
  private static final int MOST_TO_TELL_S = 5;

  private static final OpenSession CURRENT = new OpenSession();

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final OpenRuns runs = new OpenRuns();
  private volatile SessionState state = SessionState.EMPTY;
  /** Who has not been told yet of other traces; on the UI thread. */
  private final Deque<Runnable> untold = new ArrayDeque<>();

  /** The session that this workbench has open. */
  public static OpenSession current() {
    return CURRENT;
  }

  /** Which traces belong together. */
  public OpenRuns runs() {
    return runs;
  }

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
   * Opens traces, and those of session files or directories of launches, beside those that are open;
   * one that is open already is read anew. Those that cannot be read are left out:
   * {@link SessionState#error} tells why. Returns at once; called on the UI thread.
   *
   * @return the job that does it, already scheduled
   */
  public Job open(Collection<Path> paths) {
    return open(paths, OpenRun.Series.NONE);
  }

  /** As {@link #open(Collection)}; what was run before in the series is closed but for some runs. */
  public Job open(Collection<Path> paths, OpenRun.Series series) {
    List<Path> each = paths.stream().distinct().toList();
    OpenTracesJob job = new OpenTracesJob(this, each, series);
    List<Path> opening = new ArrayList<>(state.opening());
    opening.addAll(each);
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
    return close(traces, error -> "");
  }

  private Job close(Collection<Trace> traces, UnaryOperator<String> error) {
    Job job = new CloseTracesJob(this, List.copyOf(traces), error);
    job.schedule();
    return job;
  }

  /**
   * Selects what the views show; called on the UI thread. Nodes that are of no tree are left out, and
   * without any that is, nothing happens.
   */
  public void select(Selection selection) {
    List<TreeNode> nodes = selection.nodes().stream()
        .filter(node -> state.trees().stream().anyMatch(tree -> tree.contains(node))).toList();
    Selection possible = selection.withNodes(nodes);
    if (!nodes.isEmpty() && !possible.equals(state.selection())) {
      set(state.withSelection(possible));
    }
  }

  /** Selects one node of the trees; called on the UI thread. */
  public void setScope(TreeNode node) {
    select(state.selection().withNodes(List.of(node)));
  }

  /** @param phase null for all of the time */
  public void setPhase(Phase phase) {
    select(state.selection().withPhase(phase));
  }

  /** @param procedure null for none */
  public void setProcedure(Procedure procedure) {
    select(state.selection().withProcedure(procedure));
  }

  /** Keeps a phase under its name, in place of another of that name; called on the UI thread. */
  public void definePhase(Phase phase) {
    List<Phase> phases = new ArrayList<>(state.phases());
    phases.removeIf(other -> other.name().equals(phase.name()));
    phases.add(phase);
    set(state.withPhases(phases));
  }

  /** Forgets a phase; if it is selected, all of the time is. Called on the UI thread. */
  public void removePhase(Phase phase) {
    List<Phase> phases = new ArrayList<>(state.phases());
    if (phases.remove(phase)) {
      SessionState now = state.withPhases(phases);
      set(phase.equals(now.selection().phase())
          ? now.withSelection(now.selection().withPhase(null)) : now);
    }
  }

  /** Reads what a trace warns of once more: analyses find damage that opening does not. */
  public void updateWarnings(Trace trace) {
    List<String> warnings = trace.warnings();
    if (!warnings.equals(state.warnings().get(trace))) {
      UiThread.now(() -> {
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
   * Changes which traces are open. The applications that stay are the same, so that what was computed
   * of them remains. Called by one job at a time.
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
    SessionBuilder builder =
        before.isOpen() ? new SessionBuilder(without(before.session(), leave)) : new SessionBuilder();
    for (Trace trace : enter) {
      builder.add(trace, Progress.NONE);
    }
    LoadedSession session = builder.build();
    List<TreeNode> trees = new ArrayList<>();
    TreeNode scope = null;
    for (Application application : session.getApplications()) {
      // Views that are pinned keep their nodes.
      TreeNode tree = before.trees().stream().filter(known -> known.object() == application)
          .findFirst().orElseGet(() -> ProgramTree.logical(application));
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
    List<TreeNode> selected = scope != null ? List.of(scope)
        : before.selection().nodes().stream()
            .filter(node -> trees.stream().anyMatch(tree -> tree.contains(node))).toList();
    // Phases stay: they may be meant for what is opened next to what is there.
    return new SessionState(session, List.copyOf(traces), List.copyOf(trees),
        new Selection(selected.isEmpty() ? List.of(trees.get(0)) : selected, null, null),
        before.phases(),
        List.of(), "", Map.copyOf(warnings),
        new Analyses(session.getApplications(), before.analyses()));
  }

  private static LoadedSession without(LoadedSession session, Collection<Trace> leave) {
    LoadedSession rest = session;
    for (Trace trace : leave) {
      rest = rest.without(trace);
    }
    return rest;
  }

  /**
   * Runs were opened: {@link #replace}, and former ones of the series are closed.
   *
   * @param error why others could not be opened, with a line for each; empty if all were
   */
  void opened(SessionState opened, Collection<Path> finished, List<OpenRun> entered,
      OpenRun.Series series, String error) {
    UiThread.now(() -> runs.opened(entered,
        opened.traces().stream().map(Trace::directory).toList()));
    replace(opened, finished, before -> and(before, error));
    UiThread.now(() -> {
      Set<Path> surplus = runs.takeSurplus(series.id(), series.former());
      List<Trace> leave =
          state.traces().stream().filter(trace -> surplus.contains(trace.directory())).toList();
      if (!leave.isEmpty()) {
        close(leave, UnaryOperator.identity());
      }
    });
  }

  /**
   * Another set of traces is open; {@code finished} are no longer being opened. Returns when all listeners
   * have been told.
   *
   * @param error makes the error that is told of the one that was told until now
   */
  void replace(SessionState opened, Collection<Path> finished, UnaryOperator<String> error) {
    CountDownLatch told = new CountDownLatch(1);
    UiThread.now(() -> {
      List<Path> opening = remove(state.opening(), finished);
      // Phases can have been defined, and warnings found, since the job made the state.
      SessionState next = opened.isOpen() ? opened.withPhases(state.phases()) : opened;
      for (Trace trace : next.traces()) {
        next = next.withWarnings(trace, trace.warnings());
      }
      setAndTellLater(next.withOpening(opening, error.apply(state.error())));
      Display.getCurrent().asyncExec(told::countDown);
    });
    try {
      // What is done on the UI thread for a job that waits can come before other events.
      if (Display.getCurrent() == null) {
        told.await(MOST_TO_TELL_S, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    UiThread.now(this::tellAll);
  }

  /** An opening has ended without a trace. */
  void failed(Collection<Path> finished, String error) {
    UiThread.now(() -> {
      set(state.withOpening(remove(state.opening(), finished), and(state.error(), error)));
    });
  }

  /** The errors of openings that wait for each other are told together, until another is asked for. */
  private static String and(String before, String error) {
    return Stream.concat(before.lines(), error.lines()).distinct()
        .collect(Collectors.joining("\n"));
  }

  private static List<Path> remove(List<Path> opening, Collection<Path> finished) {
    List<Path> rest = new ArrayList<>(opening);
    finished.forEach(rest::remove);
    return List.copyOf(rest);
  }

  private void set(SessionState now) {
    // They are told of one state after the other.
    tellAll();
    SessionState before = state;
    state = now;
    for (Listener listener : listeners) {
      listener.stateChanged(before, now);
    }
  }

  private void setAndTellLater(SessionState now) {
    tellAll();
    SessionState before = state;
    state = now;
    for (Listener listener : listeners) {
      untold.add(() -> {
        if (listeners.contains(listener)) {
          listener.stateChanged(before, now);
        }
      });
      Display.getCurrent().asyncExec(this::tellNext);
    }
  }

  private void tellNext() {
    Runnable next = untold.poll();
    if (next != null) {
      next.run();
    }
  }

  private void tellAll() {
    while (!untold.isEmpty()) {
      tellNext();
    }
  }
}
