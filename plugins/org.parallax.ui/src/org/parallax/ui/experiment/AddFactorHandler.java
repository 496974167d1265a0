package org.parallax.ui.experiment;

import java.util.List;
import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.resources.IFile;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.ITextSelection;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.handlers.HandlerUtil;
import org.eclipse.ui.texteditor.ITextEditor;
import org.parallax.ui.platform.UiLog;

/**
 * Adds the line of the ruler at which the menu was opened, or the line or the function at the caret,
 * to an experiment. Works in every editor that follows the platform's text editor framework.
 */
public final class AddFactorHandler extends AbstractHandler {
  /** The parameter that says where: {@code ruler}, {@code line} or {@code function}. */
  public static final String WHERE = "org.parallax.ui.addFactor.where";

  @Override
  public Object execute(ExecutionEvent event) {
    IEditorPart part = HandlerUtil.getActiveEditor(event);
    ITextEditor editor = part == null ? null : part.getAdapter(ITextEditor.class);
    if (editor == null) {
      return null;
    }
    String where = event.getParameter(WHERE);
    String place = place(editor, where == null ? "line" : where);
    if (place != null) {
      IEditorInput input = editor.getEditorInput();
      FactorAdder.add(part, List.of(place), input.getAdapter(IFile.class));
    }
    return null;
  }

  private static String place(ITextEditor editor, String where) {
    ITextSelection selection =
        editor.getSelectionProvider().getSelection() instanceof ITextSelection text ? text : null;
    int line = selection == null ? 0 : selection.getStartLine();
    if (where.equals("function")) {
      IDocument document =
          editor.getDocumentProvider().getDocument(editor.getEditorInput());
      String word = selection == null ? "" : word(document, selection);
      return word.isEmpty() ? null : "entry:" + word;
    }
    if (where.equals("ruler")) {
      IVerticalRulerInfo ruler = editor.getAdapter(IVerticalRulerInfo.class);
      int clicked = ruler == null ? -1 : ruler.getLineOfLastMouseButtonActivity();
      line = clicked < 0 ? line : clicked;
    }
    return editor.getEditorInput().getName() + ":" + (line + 1);
  }

  /** The identifier that is selected, or in which the caret is; empty when there is none. */
  static String word(IDocument document, ITextSelection selection) {
    try {
      int begin = selection.getOffset();
      int end = begin + selection.getLength();
      while (begin > 0 && isPart(document.getChar(begin - 1))) {
        begin--;
      }
      while (end < document.getLength() && isPart(document.getChar(end))) {
        end++;
      }
      String word = document.get(begin, end - begin);
      return word.matches("[A-Za-z_~][\\w:~]*") ? word : "";
    } catch (BadLocationException e) {
      UiLog.log(e.getMessage(), e);
      return "";
    }
  }

  private static boolean isPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
