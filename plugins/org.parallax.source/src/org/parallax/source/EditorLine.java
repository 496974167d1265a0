package org.parallax.source;

import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.action.IStatusLineManager;
import org.eclipse.jface.text.ITextSelection;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.handlers.HandlerUtil;
import org.eclipse.ui.texteditor.ITextEditor;

/**
 * The line of an editor that a command is about.
 *
 * @param line from 0
 */
record EditorLine(ITextEditor editor, int line) {
  /** The parameter that says which: {@code ruler}, where the menu was opened, or else the caret's. */
  static final String WHERE = "org.parallax.source.where";

  /** Null when no text editor is active. */
  static EditorLine of(ExecutionEvent event) {
    IEditorPart part = HandlerUtil.getActiveEditor(event);
    ITextEditor editor = part == null ? null : part.getAdapter(ITextEditor.class);
    if (editor == null) {
      return null;
    }
    if ("ruler".equals(event.getParameter(WHERE))) {
      IVerticalRulerInfo ruler = editor.getAdapter(IVerticalRulerInfo.class);
      int clicked = ruler == null ? -1 : ruler.getLineOfLastMouseButtonActivity();
      if (clicked >= 0) {
        return new EditorLine(editor, clicked);
      }
    }
    return new EditorLine(editor, editor.getSelectionProvider().getSelection()
        instanceof ITextSelection selection ? Math.max(0, selection.getStartLine()) : 0);
  }

  /** Tells something in the status line. */
  void tell(String message) {
    IStatusLineManager status =
        editor.getEditorSite().getActionBars().getStatusLineManager();
    status.setMessage(message);
  }
}
