package org.parallax.ui.timeline;

import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/** Reads what a timeline does not know yet, and says so whenever there is more to show. */
final class ReadTimelineJob extends Job {
  private static final long SHOW_EVERY_MS = 250;
  private static final int MOST_PAUSE_MS = 100;

  private final ProgramTimeline timeline;
  private final int[] first;
  private final BooleanSupplier isDrawing;
  private final BiConsumer<ReadTimelineJob, String> listener;
  private long shownMs = System.currentTimeMillis();

  /**
   * @param first threads whose events are read before those of others
   * @param isDrawing whether a picture is being made, for which a person waits
   * @param listener is told on the UI thread when there is more to show, with what is read next:
   *     nothing when all was read
   */
  ReadTimelineJob(ProgramTimeline timeline, int[] first, BooleanSupplier isDrawing,
      BiConsumer<ReadTimelineJob, String> listener) {
    super(NLS.bind(Messages.job, timeline.name()));
    this.timeline = timeline;
    this.first = first;
    this.isDrawing = isDrawing;
    this.listener = listener;
  }

  ProgramTimeline timeline() {
    return timeline;
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    Progress progress = new Polite(getName(), monitor);
    try {
      tell(Messages.reading);
      timeline.read(first, this::threadRead, progress);
      tell(Messages.readingWaits);
      timeline.readInterplay(progress);
      tell(Messages.readingPath);
      timeline.readPath(progress);
      tell("");
      return Status.OK_STATUS;
    } catch (CancellationException | OperationCanceledException e) {
      tell(Messages.stopped);
      return Status.CANCEL_STATUS;
    } catch (OutOfMemoryError e) {
      tell(Messages.outOfMemory);
      return Status.OK_STATUS;
    }
  }

  /** Steps back while a picture is made. */
  private final class Polite implements Progress {
    private final Progress progress;

    Polite(String task, IProgressMonitor monitor) {
      progress = new JobProgress(task, monitor);
    }

    @Override
    public void begin(String task, long total) {
      progress.begin(task, total);
    }

    @Override
    public void worked(long amount) {
      progress.worked(amount);
      for (int ms = 0; ms < MOST_PAUSE_MS && isDrawing.getAsBoolean(); ms++) {
        LockSupport.parkNanos(1_000_000);
      }
    }

    @Override
    public boolean isCancelled() {
      return progress.isCancelled();
    }
  }

  private void threadRead() {
    long now = System.currentTimeMillis();
    if (now - shownMs > SHOW_EVERY_MS) {
      shownMs = now;
      tell(Messages.reading);
    }
  }

  private void tell(String work) {
    UiThread.later(() -> listener.accept(this, work));
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == OpenSession.current();
  }
}
