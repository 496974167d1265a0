package org.parallax.ui.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.SubMonitor;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.osgi.util.NLS;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.ui.Messages;
import org.parallax.ui.ParallaxUi;

/** Reads traces and adds them to the session. The first that cannot be read fails the job. */
final class OpenTracesJob extends Job {
  private final OpenSession owner;
  private final List<Path> directories;
  private final OpenRun.Series series;
  /** Whether the owner knows the outcome. */
  private boolean settled;

  /** @param directories of traces, or session files */
  OpenTracesJob(OpenSession owner, List<Path> directories, OpenRun.Series series) {
    super(NLS.bind(Messages.openJob, names(directories)));
    this.owner = owner;
    this.directories = directories;
    this.series = series;
    setRule(SessionRule.INSTANCE);
    setUser(true);
    addJobChangeListener(new JobChangeAdapter() {
      @Override
      public void done(IJobChangeEvent event) {
        if (!settled) {
          // Cancelled before it ran.
          owner.failed(directories, "");
        }
      }
    });
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    List<Trace> opened = new ArrayList<>();
    String error = "";
    IStatus result = Status.OK_STATUS;
    try {
      List<OpenRun> runs = new ArrayList<>();
      Set<Path> traces = new LinkedHashSet<>();
      for (Path each : directories) {
        List<OpenRun> found = OpenRun.of(each, series);
        runs.addAll(found);
        if (OpenRun.isSession(each)) {
          found.forEach(run -> traces.addAll(run.traces()));
        } else {
          traces.add(each);
        }
      }
      SubMonitor progress = SubMonitor.convert(monitor, traces.size() + 1);
      for (Path directory : traces) {
        opened.add(Trace.open(directory, new JobProgress(
            NLS.bind(Messages.openTask, directory.getFileName()), progress.split(1))));
      }
      List<Trace> superseded = owner.state().traces().stream()
          .filter(trace -> isAmong(trace, opened)).toList();
      progress.subTask(Messages.openTrees);
      SessionState state = owner.change(superseded, opened);
      owner.opened(state, directories, runs, series);
      settled = true;
      superseded.forEach(Trace::close);
    } catch (TraceException e) {
      error = ParallaxUi.sentence(e.getMessage());
      // The views show it; an error would also be written to the log.
      result = new Status(IStatus.INFO, ParallaxUi.ID, error);
    } catch (CancellationException | OperationCanceledException e) {
      result = Status.CANCEL_STATUS;
    } catch (RuntimeException e) {
      error = NLS.bind(Messages.openFailed, names(directories), e);
      result = new Status(IStatus.ERROR, ParallaxUi.ID, error, e);
    } finally {
      if (!settled) {
        opened.forEach(Trace::close);
        settled = true;
        owner.failed(directories, error);
      }
    }
    return result;
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == owner;
  }

  private static boolean isAmong(Trace trace, List<Trace> others) {
    return others.stream().anyMatch(other -> same(trace.directory(), other.directory()));
  }

  private static boolean same(Path one, Path other) {
    try {
      return one.toRealPath().equals(other.toRealPath());
    } catch (IOException e) {
      return one.equals(other);
    }
  }

  private static String names(List<Path> directories) {
    return String.join(", ",
        directories.stream().map(path -> String.valueOf(path.getFileName())).toList());
  }
}
