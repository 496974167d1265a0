package org.parallax.ui.reports;

import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.parallax.analysis.Phase;
import org.parallax.analysis.phases.MpiPhase;
import org.parallax.model.program.Application;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.Analyses;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;

/**
 * The phases between {@code MPI_Init} and {@code MPI_Finalize} of the applications that were selected. Events
 * tell where they are, so a job finds them. On the UI thread only.
 */
final class MpiPhases {
  private final Map<Application, Optional<Phase>> known = new WeakHashMap<>();

  /** @return of the selected application; empty without MPI, and until it is found */
  Optional<Phase> of(SessionState state) {
    return application(state).flatMap(each -> known.getOrDefault(each, Optional.empty()));
  }

  /** Looks for the phase of the selected application, unless it is known. */
  void find(SessionState state) {
    application(state).filter(each -> !known.containsKey(each)).ifPresent(each -> {
      known.put(each, Optional.empty());
      new FindJob(each, state.analyses()).schedule();
    });
  }

  private static Optional<Application> application(SessionState state) {
    return state.scope() == null ? Optional.empty() : state.scope().application();
  }

  private final class FindJob extends Job {
    private final Application application;
    private final Analyses analyses;

    FindJob(Application application, Analyses analyses) {
      super(Messages.mpiPhaseJob);
      this.application = application;
      this.analyses = analyses;
      setSystem(true);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      try {
        Optional<Phase> phase = MpiPhase.of(analyses.of(application))
            .map(found -> new Phase(MpiPhase.NAME, found.window()));
        UiThread.later(() -> known.put(application, phase));
      } catch (CancellationException e) {
        return Status.CANCEL_STATUS;
      } catch (RuntimeException e) {
        // A trace that was closed meanwhile is no fault.
        if (OpenSession.current().state().traces().contains(application.getTrace())) {
          UiLog.log(e.getMessage(), e);
        }
      }
      return Status.OK_STATUS;
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == OpenSession.current();
    }
  }
}
