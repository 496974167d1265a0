package org.eclipse.cdt.ui.text.c.hover;

import org.eclipse.jface.text.ITextHover;
import org.eclipse.ui.IEditorPart;

/** Declares what CDT's interface of this name declares; CDT's user interface is in no registry. */
public interface ICEditorTextHover extends ITextHover {
  void setEditor(IEditorPart editor);
}
