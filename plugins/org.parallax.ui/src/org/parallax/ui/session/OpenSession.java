package org.parallax.ui.session;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.parallax.model.program.Application;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.UiThread;

/**
 * The session that the views show: which traces are open, their program trees and the selected
 * scope. Traces are opened and closed by jobs, one at a time.
 *
 * <p>The state is immutable and is replaced as a whole, only on the UI thread; any thread can read it.
 * Listeners are called on the UI thread. A change of the selection is reported at once. A change of the
 * open traces is reported to each listener in a separate event, because views need time to release or
 * request results, and the UI must stay responsive. Traces are closed after all listeners were called,
 * because until then views may use them.
 */
public final class OpenSession {
  /** Is called after the state has changed. */
  public interface Listener {
    void stateChanged(SessionState before, SessionState now);
  }

  /** The status code of an opening that could read only some of its traces. */
  public static final int SOME_OPENED = 2;

  /** The longest time that a job waits for the UI thread, which may itself be waiting for this job. */
  private static final int MOST_TO_TELL_S = 5;

  private static final OpenSession CURRENT = new OpenSession();

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final OpenRuns runs = new OpenRuns();
  private final Follow follow = new Follow(this);
  /** The trees that came by the last {@link #update}, as long as they are shown: they hold traces. */
  private volatile WeakReference<List<TreeNode>> updated = new WeakReference<>(null);
  private volatile SessionState state = SessionState.EMPTY;
  /** Listeners that do not know the present traces yet; only on the UI thread. */
  private final Deque<Runnable> untold = new ArrayDeque<>();

  /** The session that this workbench has open. */
  public static OpenSession current() {
    return CURRENT;
  }

  /** Which traces belong together. */
  public OpenRuns runs() {
    return runs;
  }

  /** Reads traces again while their programs run. */
  public Follow follow() {
    return follow;
  }

  /** Whether a state has newer readings of the traces that were open before it. */
  public boolean isUpdate(SessionState now) {
    return now.isOpen() && updated.refersTo(now.trees());
  }

  /** The present state. */
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
   * Opens traces, or the traces of session files and launch directories, in addition to those that are
   * open. A trace that is already open is read again. Traces that cannot be read are left out;
   * {@link SessionState#error} has the reason. Returns at once; called on the UI thread.
   *
   * @return the job that does it, already scheduled
   */
  public Job open(Collection<Path> paths) {
    return open(paths, OpenRun.Series.NONE);
  }

  /** As {@link #open(Collection)}, but closes older runs of the same series except the newest ones. */
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
   * Sets the selection of all views; called on the UI thread. Nodes that are in no tree are ignored. If no
   * node is left, nothing happens.
   */
  public void select(Selection selection) {
    List<TreeNode> nodes = selection.nodes().stream()
        .filter(node -> state.trees().stream().anyMatch(tree -> tree.contains(node))).toList();
    Selection possible = inTime(selection.withNodes(nodes));
    if (!nodes.isEmpty() && !possible.equals(state.selection())) {
      set(state.withSelection(possible));
    }
  }

  /** The moment and the phase that were selected in the time of other traces mean nothing in these. */
  private Selection inTime(Selection selection) {
    Selection before = state.selection();
    if (selection.nodes().isEmpty() || state.isSelectedTime(selection.nodes())) {
      return selection;
    }
    Selection here = Objects.equals(selection.cursorNs(), before.cursorNs())
        ? selection.withCursor(null) : selection;
    return Objects.equals(here.phase(), before.phase())
        && !state.phases(here.nodes()).contains(here.phase()) ? here.withPhase(null) : here;
  }

  /** Selects one node of the trees; called on the UI thread. */
  public void setScope(TreeNode node) {
    select(state.selection().withNodes(List.of(node)));
  }

  /** @param phase null for all of the time */
  public void setPhase(Phase phase) {
    select(state.selection().withPhase(phase));
  }

  /** @param ns the moment that all views show, on the time base of the selection; null for none */
  public void setCursor(Long ns) {
    select(state.selection().withCursor(ns));
  }

  /** All of the time is selected, and no moment. */
  public void clearTime() {
    select(state.selection().withPhase(null).withCursor(null));
  }

  /** @param procedure null for none */
  public void setProcedure(Procedure procedure) {
    select(state.selection().withProcedure(procedure));
  }

  /** Keeps a phase of the selected time under its name, in place of another; called on the UI thread. */
  public void definePhase(Phase phase) {
    List<TreeNode> nodes = state.selection().nodes();
    set(state.withPhases(state.defined().with(phase, state.timeOf(nodes),
        state.applications(nodes).stream().map(Application::getName)
            .collect(Collectors.toSet()))));
  }

  /** Shows runs beside each other in another way; called on the UI thread. */
  public void align(RunAlignment alignment) {
    if (!alignment.equals(state.alignment())) {
      set(state.withAlignment(alignment));
    }
  }

  /**
   * Compares others with these traces in all views; they are not closed for newer ones. Called on the UI thread.
   *
   * @param traces empty if the person does not say so any more
   */
  public void setBaseline(Collection<Path> traces) {
    if (!state.baseline().equals(Set.copyOf(traces))) {
      set(state.withBaseline(Set.copyOf(traces)));
    }
  }

  /** Forgets a phase; if it is selected, all of the time is. Called on the UI thread. */
  public void removePhase(Phase phase) {
    if (state.defined().all().contains(phase)) {
      SessionState now = state.withPhases(state.defined().without(phase));
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
    follow.setOn(false);
    listeners.clear();
    Job.getJobManager().cancel(this);
    state.traces().forEach(Trace::close);
    state = SessionState.EMPTY;
  }

  /**
   * Changes the set of open traces. Applications that stay open keep their identity, so that their results
   * remain valid. Called by one job at a time.
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
    // Phases stay: they may be meant for the next run.
    return new SessionState(session, List.copyOf(traces), List.copyOf(trees),
        new Selection(selected.isEmpty() ? List.of(trees.get(0)) : selected, null, null),
        before.defined(),
        List.of(), "", Map.copyOf(warnings),
        new Analyses(session.getApplications(), before.analyses()), before.alignment(),
        before.baseline());
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
   * @param opened with another baseline if that was opened
   * @param error why others could not be opened, with a line for each; empty if all were
   */
  void opened(SessionState opened, Collection<Path> finished, List<OpenRun> entered,
      OpenRun.Series series, String error) {
    UiThread.now(() -> runs.opened(entered,
        opened.traces().stream().map(Trace::directory).toList()));
    replace(opened, finished, before -> and(before, error),
        series.isBase() ? opened.baseline() : null, false);
    UiThread.now(() -> {
      Set<Path> surplus = runs.takeSurplus(series.id(), series.former(), state.baseline());
      List<Trace> leave =
          state.traces().stream().filter(trace -> surplus.contains(trace.directory())).toList();
      if (!leave.isEmpty()) {
        close(leave, UnaryOperator.identity());
      }
    });
  }

  /**
   * Sets another set of open traces; {@code finished} are no longer being opened. Returns after all
   * listeners were called.
   *
   * @param error makes the error that is told of the one that was told until now
   */
  void replace(SessionState opened, Collection<Path> finished, UnaryOperator<String> error) {
    replace(opened, finished, error, null, false);
  }

  /** Sets newer readings of the open traces: what is selected stays. Returns after all listeners were called. */
  void update(SessionState read) {
    updated = new WeakReference<>(read.trees());
    replace(read, List.of(), UnaryOperator.identity(), null, true);
  }

  /**
   * @param baseline the traces with which others are compared from now on; null if they stay the same
   * @param keeps whether what is selected stays
   */
  private void replace(SessionState opened, Collection<Path> finished, UnaryOperator<String> error,
      Set<Path> baseline, boolean keeps) {
    CountDownLatch told = new CountDownLatch(1);
    UiThread.now(() -> {
      List<Path> opening = remove(state.opening(), finished);
      // Since the job made the state, phases may have been defined and warnings found: keep them.
      SessionState next = opened.isOpen()
          ? opened.withPhases(state.defined().opened(opened.session().getApplications()))
          : opened.withPhases(state.defined());
      next = next.withAlignment(state.alignment())
          .withBaseline(baseline == null ? state.baseline() : baseline);
      Selection kept = keeps ? Equivalents.of(state.selection(), next.trees()) : Selection.NONE;
      next = kept.nodes().isEmpty() ? next : next.withSelection(kept);
      for (Trace trace : next.traces()) {
        next = next.withWarnings(trace, trace.warnings());
      }
      setAndTellLater(next.withOpening(opening, error.apply(state.error())));
      Display.getCurrent().asyncExec(told::countDown);
    });
    try {
      // Work that the UI thread does for a waiting job can come before other events.
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
