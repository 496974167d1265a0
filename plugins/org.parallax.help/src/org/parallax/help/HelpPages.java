package org.parallax.help;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import org.eclipse.core.filesystem.EFS;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.FileLocator;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.Platform;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.program.Program;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.ide.IDE;

/**
 * Opens the pages of the help book: by the help system where there is one, else in the desktop's
 * browser, else their text in an editor.
 */
public final class HelpPages {
  public static final String BUNDLE = "org.parallax.help";
  public static final String FIRST = "help.html";
  private static final String FOLDER = "html/";

  private HelpPages() {
  }

  /** @param page such as {@code views.html#profile}; shown by the UI thread */
  public static void open(IWorkbenchWindow window, String page) {
    if (PlatformUI.getWorkbench().getHelpSystem().hasHelpUI()) {
      PlatformUI.getWorkbench().getHelpSystem()
          .displayHelpResource("/" + BUNDLE + "/" + FOLDER + page);
    } else if (Program.findProgram("html") == null || !browse(page)) {
      edit(window, page.replaceAll("\\.html.*", ".md"));
    }
  }

  private static boolean browse(String page) {
    try {
      URL folder = Platform.getBundle(BUNDLE).getEntry(FOLDER);
      return folder != null && Program.launch(FileLocator.toFileURL(folder) + page);
    } catch (IOException e) {
      ILog.of(HelpPages.class).error(e.getMessage(), e);
      return false;
    }
  }

  private static void edit(IWorkbenchWindow window, String file) {
    try {
      URL text = Platform.getBundle(BUNDLE).getEntry("text/" + file);
      if (text == null) {
        MessageDialog.openInformation(window.getShell(), Messages.title,
            NLS.bind(Messages.noPage, file));
        return;
      }
      URL local = FileLocator.toFileURL(text);
      URI uri = Path.of(new URI(local.getProtocol(), local.getPath(), null)).toUri();
      IDE.openEditorOnFileStore(window.getActivePage(), EFS.getStore(uri));
    } catch (IOException | URISyntaxException | CoreException e) {
      ILog.of(HelpPages.class).error(e.getMessage(), e);
    }
  }
}
