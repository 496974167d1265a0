package org.parallax.launch.ui;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.debug.core.IStatusHandler;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.ui.PlatformUI;

/** Tells why nothing was launched; the platform has opened the configuration then. */
public final class ErrorsHandler implements IStatusHandler {
  @Override
  public Object handleStatus(IStatus status, Object source) {
    if (PlatformUI.isWorkbenchRunning()) {
      PlatformUI.getWorkbench().getDisplay().syncExec(() -> MessageDialog.openError(
          ProblemTexts.shell(), Messages.errorsTitle, ProblemTexts.of(status)));
    }
    return null;
  }
}
