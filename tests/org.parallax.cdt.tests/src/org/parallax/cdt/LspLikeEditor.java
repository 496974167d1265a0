package org.parallax.cdt;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.ITextHover;
import org.eclipse.jface.text.source.ISourceViewer;
import org.eclipse.jface.text.source.IVerticalRuler;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.internal.genericeditor.ExtensionBasedTextEditor;

/**
 * An editor built as CDT's editor for language servers is, which is in no registry: the platform's generic
 * editor with keys of its own, below a banner.
 */
@SuppressWarnings("restriction") // CDT's extends the same class
public final class LspLikeEditor extends ExtensionBasedTextEditor {
  static final String ID = "org.parallax.cdt.tests.lspEditor";

  @Override
  protected void initializeKeyBindingScopes() {
    setKeyBindingScopes(new String[] {"org.parallax.cdt.tests.lspEditorScope"});
  }

  @Override
  protected ISourceViewer createSourceViewer(Composite parent, IVerticalRuler ruler, int styles) {
    Composite outer = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().applyTo(outer);
    new Label(outer, SWT.NONE).setText("Editor for language servers");
    Composite inner = new Composite(outer, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(inner);
    inner.setLayout(new FillLayout());
    return super.createSourceViewer(inner, ruler, styles);
  }

  /** The hover that the viewer has for its text. */
  ITextHover textHover() {
    return getSourceViewerConfiguration().getTextHover(getSourceViewer(),
        IDocument.DEFAULT_CONTENT_TYPE);
  }
}
