package org.parallax.ui.session;

import java.util.List;
import java.util.function.UnaryOperator;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.parallax.trace.Trace;

/** Takes traces out of the session. */
final class CloseTracesJob extends Job {
  private final OpenSession owner;
  private final List<Trace> traces;
  private final UnaryOperator<String> error;

  /** @param error as of {@link OpenSession#replace} */
  CloseTracesJob(OpenSession owner, List<Trace> traces, UnaryOperator<String> error) {
    super(Messages.closeJob);
    this.owner = owner;
    this.traces = traces;
    this.error = error;
    setRule(SessionRule.INSTANCE);
    setSystem(true);
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    owner.replace(owner.change(traces, List.of()), List.of(), error);
    traces.forEach(Trace::close);
    return Status.OK_STATUS;
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == owner;
  }
}
