package org.parallax.ui.platform;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;

/** Failures of the user interface: in the log of the workbench, and as statuses of jobs. */
public final class UiLog {
  private UiLog() {
  }

  /** Writes a failure of the program itself to the workbench's log. */
  public static void log(String message, Throwable failure) {
    ILog.of(UiLog.class).log(new Status(IStatus.ERROR, Ids.BUNDLE, message, failure));
  }

  /** @return a status that shows its message and nothing else */
  public static IStatus error(String message) {
    return new Status(IStatus.ERROR, Ids.BUNDLE, message);
  }
}
