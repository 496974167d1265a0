package org.parallax.help;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.ui.handlers.HandlerUtil;

/** Opens a page of the help book, the first one when none is named. */
public final class OpenHelpHandler extends AbstractHandler {
  @Override
  public Object execute(ExecutionEvent event) throws ExecutionException {
    String page = event.getParameter("page");
    HelpPages.open(HandlerUtil.getActiveWorkbenchWindowChecked(event),
        page == null ? HelpPages.FIRST : page);
    return null;
  }
}
