package org.parallax.source;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.handlers.HandlerUtil;
import org.parallax.model.program.Procedure;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;

/** Selects the function of a line in the session and shows it in the call tree. */
public final class ShowInCallTreeHandler extends AbstractHandler {
  @Override
  public Object execute(ExecutionEvent event) throws ExecutionException {
    EditorLine place = EditorLine.of(event);
    if (place == null) {
      return null;
    }
    EditorNumbers numbers = EditorNumbers.of(place.editor());
    Procedure procedure = numbers == null ? null : numbers.procedureAt(place.line());
    if (procedure == null) {
      place.tell(numbers == null ? Messages.noNumbers : numbers.reason(place.line()));
      return null;
    }
    OpenSession.current().setProcedure(procedure);
    try {
      HandlerUtil.getActiveWorkbenchWindowChecked(event).getActivePage()
          .showView(Ids.CALL_TREE_VIEW, null, IWorkbenchPage.VIEW_ACTIVATE);
    } catch (PartInitException e) {
      throw new ExecutionException(e.getMessage(), e);
    }
    return null;
  }
}
