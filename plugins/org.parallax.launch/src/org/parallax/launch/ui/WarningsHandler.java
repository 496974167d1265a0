package org.parallax.launch.ui;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.debug.core.IStatusHandler;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.dialogs.MessageDialogWithToggle;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.ui.PlatformUI;
import org.parallax.launch.LaunchingPreferences;

/**
 * Asks whether to launch although there will be less to see. Where no workbench runs the answer is
 * yes.
 */
public final class WarningsHandler implements IStatusHandler {
  @Override
  public Object handleStatus(IStatus status, Object source) {
    if (!PlatformUI.isWorkbenchRunning()) {
      return true;
    }
    boolean[] answer = new boolean[1];
    PlatformUI.getWorkbench().getDisplay().syncExec(() -> answer[0] = ask(status));
    return answer[0];
  }

  private static boolean ask(IStatus status) {
    IPreferenceStore preferences = LaunchingPreferences.store();
    if (MessageDialogWithToggle.ALWAYS.equals(preferences.getString(LaunchingPreferences.WARNINGS))) {
      return true;
    }
    MessageDialogWithToggle dialog = MessageDialogWithToggle.open(MessageDialog.CONFIRM,
        ProblemTexts.shell(), Messages.warningsTitle,
        NLS.bind(Messages.warningsQuestion, ProblemTexts.of(status)), Messages.warningsAlways,
        false, preferences, LaunchingPreferences.WARNINGS, SWT.NONE);
    return dialog.getReturnCode() == org.eclipse.jface.dialogs.IDialogConstants.OK_ID;
  }
}
