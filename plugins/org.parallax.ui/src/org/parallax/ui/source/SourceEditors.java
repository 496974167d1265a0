package org.parallax.ui.source;

import org.eclipse.core.filesystem.EFS;
import org.eclipse.core.filesystem.IFileStore;
import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.content.IContentType;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.viewers.IPostSelectionProvider;
import org.eclipse.jface.viewers.ISelectionChangedListener;
import org.eclipse.ui.IEditorDescriptor;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.editors.text.EditorsUI;
import org.eclipse.ui.ide.FileStoreEditorInput;
import org.eclipse.ui.ide.IDE;
import org.eclipse.ui.part.FileEditorInput;
import org.eclipse.ui.texteditor.ITextEditor;

/**
 * Opens source files in the editors in which a person gets them by a double click. For C and C++ this
 * can be a different editor in each project: a plug-in such as CDT LSP overrides the associations.
 */
final class SourceEditors {
  /** Longer than an editor waits until it looks at what is selected. */
  private static final int SETTLED_MS = 1_500;

  private SourceEditors() {
  }

  /**
   * Opens a file at a line, from 1; at its top if it has no such line, and where it is if the line is
   * not positive. An editor that shows the file already is used, whatever its type.
   */
  static IEditorPart open(IWorkbenchPage page, SourceLookup.Found found, int line)
      throws PartInitException {
    IEditorInput input;
    IEditorDescriptor editor;
    if (found.resource() != null) {
      input = new FileEditorInput(found.resource());
      editor = IDE.getDefaultEditor(found.resource(), true);
    } else {
      IFileStore store = EFS.getLocalFileSystem().fromLocalFile(found.file().toFile());
      IContentType type =
          Platform.getContentTypeManager().findContentTypeFor(store.getName());
      input = new FileStoreEditorInput(store);
      editor = IDE.overrideDefaultEditorAssociation(input, type, PlatformUI.getWorkbench()
          .getEditorRegistry().getDefaultEditor(store.getName(), type));
    }
    // Without an editor of its own the type would go to a program outside of the workbench.
    String id = editor == null || !editor.isInternal() ? EditorsUI.DEFAULT_TEXT_EDITOR_ID
        : editor.getId();
    IEditorPart part = page.openEditor(input, id);
    ITextEditor text = part.getAdapter(ITextEditor.class);
    if (text != null && line > 0) {
      select(text, line);
    }
    return part;
  }

  private static void select(ITextEditor text, int line) {
    IDocument document = text.getDocumentProvider().getDocument(text.getEditorInput());
    try {
      IRegion region = document.getLineInformation(line - 1);
      text.selectAndReveal(region.getOffset(), region.getLength());
    } catch (BadLocationException e) {
      // The file is shorter than it was when the program was compiled: it is open at its top.
      text.selectAndReveal(0, 0);
    }
  }

  /**
   * Tells something in the status line of an editor that was just opened at a line. Some editors, such
   * as CDT's, empty the status line half a second after the selection: it is told again then.
   */
  static void tell(IEditorPart part, String note) {
    setMessage(part, note);
    ITextEditor text = part.getAdapter(ITextEditor.class);
    if (text != null
        && text.getSelectionProvider() instanceof IPostSelectionProvider selections) {
      ISelectionChangedListener again = event -> setMessage(part, note);
      selections.addPostSelectionChangedListener(again);
      part.getSite().getShell().getDisplay().timerExec(SETTLED_MS,
          () -> selections.removePostSelectionChangedListener(again));
    }
  }

  private static void setMessage(IEditorPart part, String note) {
    if (part.getEditorSite().getActionBars() != null) {
      part.getEditorSite().getActionBars().getStatusLineManager().setMessage(note);
    }
  }
}
