package org.parallax.launch;

import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;

/** Brings the views of measurements and of live tuning into sight. */
public final class LaunchViews {
  /** The id of the view of measurements. */
  public static final String MEASUREMENTS = "org.parallax.launch.views.measurements";

  /** The id of the view of live tuning. */
  public static final String TUNING = "org.parallax.launch.views.liveTuning";

  private LaunchViews() {
  }

  /** Shows a view, if a person wants that; called on any thread, returns at once. */
  static void show(String view) {
    UiThread.later(() -> {
      IWorkbench workbench = PlatformUI.getWorkbench();
      IWorkbenchWindow window = workbench.getActiveWorkbenchWindow() != null
          || workbench.getWorkbenchWindowCount() == 0 ? workbench.getActiveWorkbenchWindow()
              : workbench.getWorkbenchWindows()[0];
      IWorkbenchPage page = window == null ? null : window.getActivePage();
      if (page != null && LaunchingPreferences.store().getBoolean(LaunchingPreferences.SHOW)) {
        try {
          page.bringToTop(page.showView(view, null, IWorkbenchPage.VIEW_CREATE));
        } catch (PartInitException e) {
          UiLog.log(e.getMessage(), e);
        }
      }
    });
  }
}
