package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.Platform;
import org.eclipse.ui.IStartup;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.parallax.ui.preferences.Preferences;
import org.parallax.ui.session.OpenSession;

/**
 * Opens the traces that the workbench was started with, {@code -parallax.open DIR}, repeatable; without
 * any, those that were open when it ended.
 */
public final class CommandLineStartup implements IStartup {
  private static final String OPTION = "-parallax.open";

  @Override
  public void earlyStartup() {
    List<Path> directories = directories(Platform.getCommandLineArgs());
    IWorkbench workbench = PlatformUI.getWorkbench();
    workbench.getDisplay().asyncExec(() -> {
      IWorkbenchWindow window = workbench.getActiveWorkbenchWindow();
      if (window == null && workbench.getWorkbenchWindowCount() > 0) {
        window = workbench.getWorkbenchWindows()[0];
      }
      boolean reopens = directories.isEmpty() && Preferences.reopensTraces();
      if (reopens && window != null) {
        ReopenedTraces.reopen(window.getShell());
      }
      OpenSession.current().addListener(new ReopenedTraces());
      if (!directories.isEmpty() && window != null) {
        TraceOpening.open(window, directories);
      }
    });
  }

  /** The directories among the arguments, absolute. */
  static List<Path> directories(String[] arguments) {
    List<Path> directories = new ArrayList<>();
    for (int i = 0; i + 1 < arguments.length; i++) {
      if (arguments[i].equals(OPTION)) {
        directories.add(Path.of(arguments[++i]).toAbsolutePath().normalize());
      }
    }
    return directories;
  }
}
