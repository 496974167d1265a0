package org.parallax.source;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.handlers.HandlerUtil;
import org.parallax.model.program.Procedure;
import org.parallax.ui.session.OpenSession;

/** Shows the instructions of a line. */
public final class ShowDisassemblyHandler extends AbstractHandler {
  @Override
  public Object execute(ExecutionEvent event) throws ExecutionException {
    EditorLine place = EditorLine.of(event);
    if (place == null) {
      return null;
    }
    EditorNumbers numbers = EditorNumbers.of(place.editor());
    Procedure procedure = numbers == null ? null : numbers.procedureAt(place.line());
    FileNumbers.Entry entry = numbers == null ? null : numbers.entry(place.line());
    if (procedure == null && entry == null) {
      place.tell(numbers == null ? Messages.noNumbers : numbers.reason(place.line()));
      return null;
    }
    if (procedure != null) {
      OpenSession.current().setProcedure(procedure);
    }
    try {
      DisassemblyView view = (DisassemblyView) HandlerUtil.getActiveWorkbenchWindowChecked(event)
          .getActivePage().showView(DisassemblyView.ID, null, IWorkbenchPage.VIEW_ACTIVATE);
      view.showLine(numbers.fileName(), entry == null ? place.line() + 1 : entry.number(),
          procedure);
    } catch (PartInitException e) {
      throw new ExecutionException(e.getMessage(), e);
    }
    return null;
  }
}
