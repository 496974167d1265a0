package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.osgi.util.NLS;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.JobProgress;

/** Puts newer readings of open traces in their places; views go on showing what they show until they have newer results. */
final class RereadTracesJob extends Job {
  private final OpenSession owner;
  private final Set<Path> directories;

  RereadTracesJob(OpenSession owner, Collection<Path> directories) {
    super(Messages.rereadJob);
    this.owner = owner;
    this.directories = Set.copyOf(directories);
    setRule(SessionRule.INSTANCE);
    setSystem(true);
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    List<Trace> old = new ArrayList<>();
    List<Trace> read = new ArrayList<>();
    for (Trace trace : owner.state().traces()) {
      Path directory = trace.directory();
      if (directories.contains(directory)) {
        try {
          read.add(Trace.open(directory,
              new JobProgress(NLS.bind(Messages.openTask, directory.getFileName()), monitor)));
          old.add(trace);
        } catch (CancellationException | OperationCanceledException e) {
          read.forEach(Trace::close);
          return Status.CANCEL_STATUS;
        } catch (TraceException e) {
          // It was moved or deleted: what is shown of it stays.
        }
      }
    }
    if (!read.isEmpty()) {
      owner.update(owner.change(old, read));
      old.forEach(Trace::close);
    }
    return Status.OK_STATUS;
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == owner;
  }
}
