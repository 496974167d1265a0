package org.parallax.source;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.util.IPropertyChangeListener;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.source.SourceLines;
import org.parallax.analysis.source.SourceLines.Part;
import org.parallax.model.program.Application;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;

/**
 * What the open session tells of the source, for the selected scope and phase. Computed by a job, and
 * only while an editor shows a file of a program that is open: first the times, then what takes a
 * replay. All methods are called on the UI thread.
 */
final class SourceNumbers implements OpenSession.Listener {
  /** An editor. */
  interface Client {
    /** The name of its file, without folders; empty when it has none. */
    String fileName();

    /** There are other numbers; what is preferred may have changed, too. */
    void numbersChanged();
  }

  /**
   * Numbers, and what they are of.
   *
   * @param source null when there is nothing to show
   * @param parts what was computed besides the profile
   * @param runMs when the first of the programs ran, since 1970
   */
  record Result(SourceLines source, Set<Part> parts, Selection selection, long runMs) {
    static final Result NONE = new Result(null, Set.of(), Selection.NONE, 0);
  }

  private static SourceNumbers current;

  private final OpenSession session;
  private final List<Client> clients = new CopyOnWriteArrayList<>();
  private final IPropertyChangeListener preferences = event -> preferencesChanged();
  private Result result = Result.NONE;
  private Job job;

  private SourceNumbers(OpenSession session) {
    this.session = session;
    session.addListener(this);
    SourcePreferences.store().addPropertyChangeListener(preferences);
  }

  /** What the open session tells of source. */
  static SourceNumbers current() {
    if (current == null) {
      current = new SourceNumbers(OpenSession.current());
    }
    return current;
  }

  /** Called when the workbench ends. */
  static void disposeCurrent() {
    if (current != null) {
      current.dispose();
    }
  }

  private void dispose() {
    session.removeListener(this);
    SourcePreferences.store().removePropertyChangeListener(preferences);
  }

  void add(Client client) {
    clients.add(client);
    compute();
  }

  void remove(Client client) {
    clients.remove(client);
    if (clients.isEmpty() && job != null) {
      job.cancel();
      job = null;
    }
  }

  Result result() {
    return result;
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    if (now.trees() != before.trees() || !now.selection().sameScope(before.selection())) {
      if (now.trees() != before.trees()) {
        set(Result.NONE);
      }
      compute();
    }
  }

  private void preferencesChanged() {
    if (result.source() != null && !result.parts().containsAll(SourceNumber.parts())) {
      compute();
    }
    clients.forEach(Client::numbersChanged);
  }

  /** Source files may be elsewhere now. */
  void mapsChanged() {
    clients.forEach(Client::numbersChanged);
  }

  private void set(Result other) {
    result = other;
    clients.forEach(Client::numbersChanged);
  }

  /** Computes anew for what is selected now. */
  void compute() {
    if (job != null) {
      job.cancel();
      job = null;
    }
    SessionState state = session.state();
    Set<String> names =
        clients.stream().map(Client::fileName).collect(Collectors.toCollection(LinkedHashSet::new));
    names.remove("");
    if (!state.isOpen() || names.isEmpty()) {
      return;
    }
    job = new ComputeJob(state, names);
    job.schedule();
  }

  private final class ComputeJob extends Job {
    private final SessionState state;
    private final Selection selection;
    private final Set<String> names;
    private final Set<Part> parts = SourceNumber.parts();

    ComputeJob(SessionState state, Set<String> names) {
      super(Messages.computeJob);
      this.state = state;
      this.selection = state.selection();
      this.names = names;
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      List<ApplicationAnalysis> analyses = new ArrayList<>();
      Set<Application> applications = new LinkedHashSet<>();
      for (ProgramThread thread : selection.scope().threads()) {
        applications.add(thread.getProcess().getApplication());
      }
      for (Application application : applications) {
        ApplicationAnalysis analysis =
            state.analyses().of(application, PathScope.INTRA, selection.phase());
        if (hasFiles(analysis.procedures())) {
          analyses.add(analysis);
        }
      }
      if (analyses.isEmpty()) {
        finish(Result.NONE);
        return Status.OK_STATUS;
      }
      try {
        JobProgress progress = new JobProgress(getName(), monitor);
        // What is there at once is shown at once.
        publish(analyses, Set.of(), progress);
        if (!parts.isEmpty()) {
          publish(analyses, parts, progress);
        }
        return Status.OK_STATUS;
      } catch (CancellationException | OperationCanceledException e) {
        return Status.CANCEL_STATUS;
      } catch (RuntimeException e) {
        UiLog.log(Messages.computeFailed, e);
        return Status.OK_STATUS;
      }
    }

    /** Whether one of the editors can have a file of the program. */
    private boolean hasFiles(Procedures procedures) {
      for (int id = 0; id < procedures.count(); id++) {
        String file = IPath.fromOSString(procedures.get(id).file()).lastSegment();
        if (file != null && names.contains(file)) {
          return true;
        }
      }
      return false;
    }

    private void publish(
        List<ApplicationAnalysis> analyses, Set<Part> which, JobProgress progress) {
      TreeNode scope = selection.scope();
      List<SourceLines> made = new ArrayList<>();
      long runMs = Long.MAX_VALUE;
      for (ApplicationAnalysis analysis : analyses) {
        made.add(SourceLines.of(analysis, scope, Weight.CPU, which, progress));
        runMs = Math.min(runMs, analysis.application().getTrace().epochNs() / 1_000_000);
      }
      finish(new Result(SourceLines.sum(made), which, selection, runMs));
    }

    private void finish(Result computed) {
      UiThread.later(() -> {
        // Nobody looks at the session any more when it has ended.
        if (job == this && session.state().trees() == state.trees()) {
          set(computed);
        }
      });
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == session;
    }
  }
}
