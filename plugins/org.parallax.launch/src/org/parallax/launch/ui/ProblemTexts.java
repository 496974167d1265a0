package org.parallax.launch.ui;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;

/** What the handlers of statuses have in common. */
final class ProblemTexts {
  private ProblemTexts() {
  }

  /** All problems, one a paragraph. */
  static String of(IStatus status) {
    return !status.isMultiStatus() ? status.getMessage() : status.getMessage() + ":\n\n"
        + Arrays.stream(status.getChildren()).map(IStatus::getMessage)
            .collect(Collectors.joining("\n\n"));
  }

  static Shell shell() {
    IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
    return window == null ? null : window.getShell();
  }
}
