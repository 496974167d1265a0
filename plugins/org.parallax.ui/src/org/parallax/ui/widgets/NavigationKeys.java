package org.parallax.ui.widgets;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.commands.ActionHandler;
import org.eclipse.ui.IWorkbenchPartSite;
import org.eclipse.ui.handlers.IHandlerService;

/** The workbench's keys for going back and forward, Alt+Left and Alt+Right, in a view. */
public final class NavigationKeys {
  private static final String BACK = "org.eclipse.ui.navigate.backwardHistory";
  private static final String FORWARD = "org.eclipse.ui.navigate.forwardHistory";

  private NavigationKeys() {
  }

  /** While the part is active, the keys run these actions. */
  public static void register(IWorkbenchPartSite site, IAction back, IAction forward) {
    IHandlerService handlers = site.getService(IHandlerService.class);
    back.setActionDefinitionId(BACK);
    forward.setActionDefinitionId(FORWARD);
    handlers.activateHandler(BACK, new ActionHandler(back));
    handlers.activateHandler(FORWARD, new ActionHandler(forward));
  }
}
