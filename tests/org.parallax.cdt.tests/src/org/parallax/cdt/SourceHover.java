package org.parallax.cdt;

import org.eclipse.cdt.ui.text.c.hover.ICEditorTextHover;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.text.ITextViewer;
import org.eclipse.ui.IEditorPart;

/** A hover of CDT's that knows of routines of MPI only; another must not hide it. */
public final class SourceHover implements ICEditorTextHover {
  @Override
  public void setEditor(IEditorPart editor) {
  }

  @Override
  public String getHoverInfo(ITextViewer viewer, IRegion region) {
    try {
      IRegion line = viewer.getDocument().getLineInformationOfOffset(region.getOffset());
      String text = viewer.getDocument().get(line.getOffset(), line.getLength());
      return text.contains("MPI_") ? "CDT knows of " + text.strip() : null;
    } catch (BadLocationException e) {
      return null;
    }
  }

  @Override
  public IRegion getHoverRegion(ITextViewer viewer, int offset) {
    return null;
  }
}
