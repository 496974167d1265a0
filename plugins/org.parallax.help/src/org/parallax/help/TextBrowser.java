package org.parallax.help;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.help.browser.IBrowser;
import org.eclipse.help.internal.base.BaseHelpSystem;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.program.Program;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;

/** What the help system opens where SWT has no browser: the desktop's browser, or else our pages as text. */
public final class TextBrowser implements IBrowser {
  private static final Pattern PAGE =
      Pattern.compile("/org\\.parallax\\.help/html/([\\w-]+\\.html)(?:[?&][^#]*)?(#[^&]*)?");
  private static final Pattern TOPIC = Pattern.compile("[?&]topic=([^&#]*)|/topic(/[^?]*)");

  /** Makes the help system use this one from now on; on the UI thread. */
  static void use() {
    // The help system asks here; its extension point is for browsers that a person chooses.
    BaseHelpSystem.getInstance().setBrowserInstance(new TextBrowser());
  }

  /** @return the page of ours that an address of the help system means; the first one for all contents; or null */
  static String pageOf(String url) {
    String plain = URLDecoder.decode(url, StandardCharsets.UTF_8);
    Matcher page = PAGE.matcher(plain);
    if (page.find()) {
      return page.group(1) + (page.group(2) == null ? "" : page.group(2));
    }
    return TOPIC.matcher(plain).find() ? null : HelpPages.FIRST;
  }

  @Override
  public void displayURL(String url) {
    if (Program.findProgram("html") != null && Program.launch(url)) {
      return;
    }
    IWorkbench workbench = PlatformUI.getWorkbench();
    workbench.getDisplay().asyncExec(() -> {
      IWorkbenchWindow window = workbench.getActiveWorkbenchWindow();
      String page = pageOf(url);
      if (window == null) {
        return;
      }
      if (page == null) {
        MessageDialog.openInformation(window.getShell(), Messages.title, NLS.bind(Messages.notOurs, url));
      } else {
        HelpPages.showText(window, page);
      }
    });
  }

  @Override
  public boolean isCloseSupported() {
    return false;
  }

  @Override
  public void close() {
    // A person closes the editor.
  }

  @Override
  public boolean isSetLocationSupported() {
    return false;
  }

  @Override
  public void setLocation(int x, int y) {
    // The workbench places editors.
  }

  @Override
  public boolean isSetSizeSupported() {
    return false;
  }

  @Override
  public void setSize(int width, int height) {
    // The workbench places editors.
  }
}
