package org.parallax.cdt;

import org.eclipse.jface.text.source.ISourceViewer;
import org.eclipse.jface.text.source.IVerticalRuler;
import org.eclipse.jface.text.source.projection.ProjectionSupport;
import org.eclipse.jface.text.source.projection.ProjectionViewer;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.editors.text.TextEditor;
import org.eclipse.ui.editors.text.TextFileDocumentProvider;

/**
 * An editor built as CDT's C editor is, which is in no registry: an own provider of documents, a viewer
 * whose text folds, the platform's rulers. It is that of CDT's content types for C and C++.
 */
public final class CdtLikeEditor extends TextEditor {
  public CdtLikeEditor() {
    setDocumentProvider(new TextFileDocumentProvider());
    setEditorContextMenuId("#CEditorContext");
    setRulerContextMenuId("#CEditorRulerContext");
  }

  @Override
  protected ISourceViewer createSourceViewer(Composite parent, IVerticalRuler ruler, int styles) {
    ProjectionViewer viewer = new ProjectionViewer(parent, ruler, getOverviewRuler(),
        isOverviewRulerVisible(), styles);
    getSourceViewerDecorationSupport(viewer);
    return viewer;
  }

  @Override
  public void createPartControl(Composite parent) {
    super.createPartControl(parent);
    ProjectionViewer viewer = (ProjectionViewer) getSourceViewer();
    new ProjectionSupport(viewer, getAnnotationAccess(), getSharedColors()).install();
    viewer.doOperation(ProjectionViewer.TOGGLE);
  }
}
