package org.parallax.ui.open;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.ui.handlers.HandlerUtil;

/** Opens the bundled example. */
public final class OpenExampleHandler extends AbstractHandler {
  @Override
  public Object execute(ExecutionEvent event) throws ExecutionException {
    ExampleTrace.open(HandlerUtil.getActiveWorkbenchWindowChecked(event));
    return null;
  }
}
