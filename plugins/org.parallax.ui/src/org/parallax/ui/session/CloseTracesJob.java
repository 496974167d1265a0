package org.parallax.ui.session;

import java.util.List;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.parallax.trace.Trace;
import org.parallax.ui.Messages;

/** Takes traces out of the session. */
final class CloseTracesJob extends Job {
  private final OpenSession owner;
  private final List<Trace> traces;

  CloseTracesJob(OpenSession owner, List<Trace> traces) {
    super(Messages.closeJob);
    this.owner = owner;
    this.traces = traces;
    setRule(SessionRule.INSTANCE);
    setSystem(true);
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    owner.replace(owner.change(traces, List.of()), List.of());
    traces.forEach(Trace::close);
    return Status.OK_STATUS;
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == owner;
  }
}
