package org.parallax.launch.ui;

import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.IStatusHandler;
import org.eclipse.jface.window.Window;
import org.eclipse.ui.PlatformUI;
import org.parallax.record.RunningProgram;
import org.parallax.ui.platform.UiLog;

/** Asks which running programs a launch records; what is changed of its options is saved. */
public final class ProgramsHandler implements IStatusHandler {
  /** @return the programs, none if the person wants none; null where no workbench runs */
  @Override
  public Object handleStatus(IStatus status, Object source) {
    if (!PlatformUI.isWorkbenchRunning()) {
      return null;
    }
    Object[] answer = {List.of()};
    PlatformUI.getWorkbench().getDisplay().syncExec(
        () -> answer[0] = ask((ILaunchConfiguration) source));
    return answer[0];
  }

  private static List<RunningProgram> ask(ILaunchConfiguration configuration) {
    try {
      AttachDialog dialog =
          new AttachDialog(ProblemTexts.shell(), configuration.getWorkingCopy());
      return dialog.open() == Window.OK ? dialog.programs() : List.of();
    } catch (CoreException e) {
      UiLog.log(e.getMessage(), e);
      return List.of();
    }
  }
}
