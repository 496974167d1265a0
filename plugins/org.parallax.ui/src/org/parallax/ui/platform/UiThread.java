package org.parallax.ui.platform;

import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;

/** Runs actions on the UI thread; drops them when the workbench has ended. */
public final class UiThread {
  private UiThread() {
  }

  /** Runs an action later, and returns at once. */
  public static void later(Runnable action) {
    Display display = display();
    if (display != null) {
      display.asyncExec(action);
    }
  }

  /** Runs an action, and returns when it has ended. */
  public static void now(Runnable action) {
    Display display = display();
    if (display != null) {
      display.syncExec(action);
    }
  }

  private static Display display() {
    Display display = PlatformUI.isWorkbenchRunning() ? PlatformUI.getWorkbench().getDisplay() : null;
    return display == null || display.isDisposed() ? null : display;
  }
}
