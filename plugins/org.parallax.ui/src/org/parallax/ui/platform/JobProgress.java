package org.parallax.ui.platform;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.SubMonitor;
import org.parallax.trace.Progress;

/**
 * Shows the progress of the core's work in a job. The core announces steps one after another
 * without telling how many will come, so each step takes half of what is left of the bar.
 */
public final class JobProgress implements Progress {
  private static final int TICKS = 1000;

  private final SubMonitor monitor;
  private SubMonitor step;
  private long total;
  private long done;
  private int shown;

  public JobProgress(String task, IProgressMonitor monitor) {
    this.monitor = SubMonitor.convert(monitor, task, TICKS);
  }

  @Override
  public void begin(String task, long workTotal) {
    if (step != null) {
      step.done();
    }
    monitor.setWorkRemaining(2 * TICKS);
    step = monitor.split(TICKS, SubMonitor.SUPPRESS_NONE | SubMonitor.SUPPRESS_BEGINTASK);
    step.setWorkRemaining(TICKS);
    monitor.subTask(task);
    total = workTotal;
    done = 0;
    shown = 0;
  }

  @Override
  public void worked(long amount) {
    if (step == null || total <= 0) {
      return;
    }
    done = Math.min(total, done + amount);
    int reached = (int) (done * (double) TICKS / total);
    if (reached > shown) {
      step.worked(reached - shown);
      shown = reached;
    }
  }

  @Override
  public boolean isCancelled() {
    return monitor.isCanceled();
  }
}
