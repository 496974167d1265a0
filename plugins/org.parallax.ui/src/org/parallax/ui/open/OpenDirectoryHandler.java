package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.jface.dialogs.IDialogSettings;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.handlers.HandlerUtil;
import org.parallax.ui.platform.Settings;

/** Opens the trace in a directory anywhere, without a project; asks for the directory if none is named. */
public final class OpenDirectoryHandler extends AbstractHandler {
  private static final String DIRECTORY = "directory";
  private static final String LAST = "openedDirectory";

  @Override
  public Object execute(ExecutionEvent event) throws ExecutionException {
    IWorkbenchWindow window = HandlerUtil.getActiveWorkbenchWindowChecked(event);
    String named = event.getParameter(DIRECTORY);
    String directory = named == null ? ask(window) : named;
    if (directory != null) {
      TraceOpening.open(window, List.of(Path.of(directory).toAbsolutePath().normalize()));
    }
    return null;
  }

  /** @return null if the person does not want one */
  private static String ask(IWorkbenchWindow window) {
    IDialogSettings settings = Settings.dialogs();
    DirectoryDialog dialog = new DirectoryDialog(window.getShell(), SWT.OPEN);
    dialog.setText(Messages.openDirectory);
    dialog.setMessage(Messages.openDirectoryHint);
    dialog.setFilterPath(settings.get(LAST));
    String directory = dialog.open();
    if (directory != null) {
      Path parent = Path.of(directory).getParent();
      settings.put(LAST, parent == null ? directory : parent.toString());
    }
    return directory;
  }
}
