package org.parallax.source;

import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.DefaultInformationControl;
import org.eclipse.jface.text.IInformationControlCreator;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.text.ITextHover;
import org.eclipse.jface.text.ITextHoverExtension;
import org.eclipse.jface.text.ITextViewer;
import org.parallax.ui.platform.UiThread;

/**
 * What the ruler tells of a line, when the pointer rests on the text of the line. For editors that take
 * hovers of others: the platform's generic editor, and by way of the bridge CDT's.
 */
public final class LineHover implements ITextHover, ITextHoverExtension {
  /** Whether there is a tool tip on the text, too. */
  static final String SHOWN = "textHover";

  /** The line, if there is anything to tell of it. Called on the UI thread. */
  @Override
  public IRegion getHoverRegion(ITextViewer viewer, int offset) {
    return text(viewer, offset) == null ? null : line(viewer, offset);
  }

  private static IRegion line(ITextViewer viewer, int offset) {
    try {
      return viewer.getDocument().getLineInformationOfOffset(offset);
    } catch (BadLocationException e) {
      return null; // the text is shorter now
    }
  }

  /** Null for a line without numbers. */
  private static String text(ITextViewer viewer, int offset) {
    if (viewer.getDocument() == null || !SourcePreferences.store().getBoolean(SHOWN)) {
      return null;
    }
    EditorNumbers numbers = EditorNumbers.of(viewer.getDocument());
    try {
      int line = viewer.getDocument().getLineOfOffset(offset);
      return numbers == null || numbers.entry(line) == null ? null : numbers.text(line);
    } catch (BadLocationException e) {
      return null; // the text is shorter now
    }
  }

  /** Called on a thread of the viewer, while the numbers belong to the UI thread. */
  @Override
  public String getHoverInfo(ITextViewer viewer, IRegion region) {
    String[] found = {null};
    if (region != null) { // the generic editor asks with no region, too
      UiThread.now(() -> found[0] = text(viewer, region.getOffset()));
    }
    return found[0];
  }

  @Override
  public IInformationControlCreator getHoverControlCreator() {
    return parent -> new DefaultInformationControl(parent, (String) null, null);
  }
}
