package org.parallax.help;

import java.io.IOException;
import java.net.URL;
import org.eclipse.core.runtime.FileLocator;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.Platform;
import org.eclipse.swt.program.Program;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;

/**
 * Opens the pages of the help book: by the help system where there is one, else in the desktop's
 * browser, else as text in an editor.
 */
public final class HelpPages {
  public static final String BUNDLE = "org.parallax.help";
  public static final String FIRST = "help.html";
  static final String FOLDER = "html/";

  private HelpPages() {
  }

  /** @param page such as {@code views.html#profile}; shown by the UI thread */
  public static void open(IWorkbenchWindow window, String page) {
    if (PlatformUI.getWorkbench().getHelpSystem().hasHelpUI()) {
      PlatformUI.getWorkbench().getHelpSystem()
          .displayHelpResource("/" + BUNDLE + "/" + FOLDER + page);
    } else if (Program.findProgram("html") == null || !browse(page)) {
      showText(window, page);
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

  /** Shows a page as text, in the one editor for such pages. */
  public static void showText(IWorkbenchWindow window, String page) {
    try {
      PageEditor editor = (PageEditor) window.getActivePage().openEditor(new PageInput(),
          PageEditor.ID, true, IWorkbenchPage.MATCH_ID);
      editor.show(page);
    } catch (PartInitException e) {
      ILog.of(HelpPages.class).error(e.getMessage(), e);
    }
  }
}
