package org.parallax.ui.platform;

import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.PlatformUI;

/** The help book's pages about views. */
public final class ViewHelp {
  private ViewHelp() {
  }

  /**
   * Has F1 open the page of a view.
   *
   * @param view the id of the view; the last part of it names the page
   */
  public static void offer(Control control, String view) {
    PlatformUI.getWorkbench().getHelpSystem().setHelp(control,
        "org.parallax.help." + view.substring(view.lastIndexOf('.') + 1));
  }
}
