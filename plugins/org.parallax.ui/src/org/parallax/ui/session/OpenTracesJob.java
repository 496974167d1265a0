package org.parallax.ui.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.SubMonitor;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.osgi.util.NLS;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.files.RunResolver;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.Texts;

/**
 * Reads traces and adds them to the session. Those that cannot be read are left out, and why is told;
 * without any that can, the session stays as it is.
 */
final class OpenTracesJob extends Job {
  private final OpenSession owner;
  private final List<Path> directories;
  private final OpenRun.Series series;
  /** Why paths cannot be read, for a person: session files, then traces. */
  private final List<String> reasons = new ArrayList<>();
  /** The first fault of the program itself, null if there was none. */
  private IStatus fault;
  /** Whether the owner knows the outcome. */
  private boolean settled;

  /** @param directories of traces or launches, or session files */
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
    boolean cancelled = false;
    try {
      List<OpenRun> runs = new ArrayList<>();
      Set<Path> traces = new LinkedHashSet<>();
      for (Path each : directories) {
        ResolvedRuns resolved = RunResolver.resolve(each);
        resolved.faults().forEach(this::refuse);
        List<OpenRun> found = OpenRun.of(each, resolved, series);
        runs.addAll(found);
        if (resolved.document() == null) {
          traces.addAll(resolved.traces());
        } else {
          found.forEach(run -> traces.addAll(run.traces()));
        }
      }
      SubMonitor progress = SubMonitor.convert(monitor, traces.size() + 1);
      Set<Path> left = read(traces, opened, progress);
      if (!opened.isEmpty() || reasons.isEmpty()) {
        enter(opened, OpenRun.without(left, runs), progress);
      }
    } catch (CancellationException | OperationCanceledException e) {
      cancelled = true;
      reasons.clear();
    } catch (RuntimeException e) {
      fail(directories, e);
    } finally {
      if (!settled) {
        opened.forEach(Trace::close);
        opened.clear();
        settled = true;
        owner.failed(directories, error());
      }
    }
    // The views show why; an error would also be written to the log.
    int code = opened.isEmpty() ? 0 : OpenSession.SOME_OPENED;
    return cancelled ? Status.CANCEL_STATUS
        : fault != null
            ? new Status(fault.getSeverity(), Ids.BUNDLE, code, fault.getMessage(), fault.getException())
        : reasons.isEmpty() ? Status.OK_STATUS
            : new Status(IStatus.INFO, Ids.BUNDLE, code, error(), null);
  }

  /** @return the traces that cannot be read */
  private Set<Path> read(Set<Path> traces, List<Trace> opened, SubMonitor progress) {
    Set<Path> left = new HashSet<>();
    for (Path directory : traces) {
      try {
        opened.add(Trace.open(directory, new JobProgress(
            NLS.bind(Messages.openTask, directory.getFileName()), progress.split(1))));
      } catch (CancellationException | OperationCanceledException e) {
        throw e;
      } catch (TraceException e) {
        refuse(e);
        left.add(directory);
      } catch (RuntimeException e) {
        fail(List.of(directory), e);
        left.add(directory);
      }
    }
    return left;
  }

  private void enter(List<Trace> opened, List<OpenRun> runs, SubMonitor progress) {
    List<Trace> superseded = owner.state().traces().stream()
        .filter(trace -> isAmong(trace, opened)).toList();
    progress.subTask(Messages.openTrees);
    SessionState state = owner.change(superseded, opened);
    if (series.isBase()) {
      state = state.withBaseline(opened.stream().map(Trace::directory).collect(Collectors.toSet()));
    }
    owner.opened(state, directories, runs, series, error());
    settled = true;
    superseded.forEach(Trace::close);
  }

  private void refuse(TraceException reason) {
    reasons.add(Texts.sentence(reason.getMessage()));
  }

  private void fail(List<Path> paths, RuntimeException failure) {
    String message = NLS.bind(Messages.openFailed, names(paths), failure);
    reasons.add(message);
    if (fault == null) {
      fault = new Status(IStatus.ERROR, Ids.BUNDLE, message, failure);
    } else {
      fault.getException().addSuppressed(failure);
    }
  }

  /** All reasons, each in a line of its own. */
  private String error() {
    return reasons.stream().distinct().collect(Collectors.joining("\n"));
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
