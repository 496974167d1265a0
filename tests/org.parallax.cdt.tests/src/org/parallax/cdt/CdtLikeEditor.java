package org.parallax.cdt;

import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.action.GroupMarker;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.ITextHover;
import org.eclipse.jface.text.source.ISourceViewer;
import org.eclipse.jface.text.source.ISourceViewerExtension2;
import org.eclipse.jface.text.source.IVerticalRuler;
import org.eclipse.jface.text.source.projection.ProjectionSupport;
import org.eclipse.jface.text.source.projection.ProjectionViewer;
import org.eclipse.jface.viewers.IPostSelectionProvider;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.editors.text.EditorsUI;
import org.eclipse.ui.editors.text.TextEditor;
import org.eclipse.ui.preferences.ScopedPreferenceStore;
import org.eclipse.ui.texteditor.ChainedPreferenceStore;
import org.eclipse.ui.texteditor.ITextEditorActionConstants;

/**
 * An editor built as CDT's classic C editor is, which is in no registry: documents and configuration of
 * its own, preferences that are chained anew for each input, a viewer whose text folds, menus and keys
 * with names of its own, and a status line that it empties after each selection. It is that of CDT's
 * content types for C and C++.
 */
public final class CdtLikeEditor extends TextEditor {
  private static final CdtLikeDocuments DOCUMENTS = new CdtLikeDocuments();
  private ProjectionSupport folding;

  public CdtLikeEditor() {
    setDocumentProvider(DOCUMENTS);
    setEditorContextMenuId("#CEditorContext");
    setRulerContextMenuId("#CEditorRulerContext");
  }

  @Override
  protected void initializeEditor() {
    // All is set elsewhere.
  }

  @Override
  protected void initializeKeyBindingScopes() {
    setKeyBindingScopes(new String[] {"org.parallax.cdt.tests.cEditorScope"});
  }

  private static IPreferenceStore preferences() {
    return new ChainedPreferenceStore(new IPreferenceStore[] {
        new ScopedPreferenceStore(InstanceScope.INSTANCE, "org.parallax.cdt.tests"),
        EditorsUI.getPreferenceStore()});
  }

  @Override
  protected void setPreferenceStore(IPreferenceStore store) {
    super.setPreferenceStore(store);
    if (!(getSourceViewerConfiguration() instanceof CdtLikeConfiguration)) {
      setSourceViewerConfiguration(new CdtLikeConfiguration(store, this));
    }
  }

  /** A viewer that is there already is configured anew. */
  @Override
  protected void doSetInput(IEditorInput input) throws CoreException {
    ISourceViewer viewer = getSourceViewer();
    if (!(viewer instanceof ISourceViewerExtension2 extension)) {
      setPreferenceStore(preferences());
      super.doSetInput(input);
      return;
    }
    getDocumentProvider().connect(input);
    try {
      getSourceViewerDecorationSupport(viewer).uninstall();
      extension.unconfigure();
      setPreferenceStore(preferences());
      viewer.configure(getSourceViewerConfiguration());
      getSourceViewerDecorationSupport(viewer).install(getPreferenceStore());
      super.doSetInput(input);
    } finally {
      getDocumentProvider().disconnect(input);
    }
  }

  @Override
  protected ISourceViewer createSourceViewer(Composite parent, IVerticalRuler ruler, int styles) {
    ProjectionViewer viewer = new ProjectionViewer(parent, ruler, getOverviewRuler(),
        isOverviewRulerVisible(), styles);
    folding = new ProjectionSupport(viewer, getAnnotationAccess(), getSharedColors());
    folding.install();
    getSourceViewerDecorationSupport(viewer);
    return viewer;
  }

  @Override
  public void createPartControl(Composite parent) {
    super.createPartControl(parent);
    ((ProjectionViewer) getSourceViewer()).doOperation(ProjectionViewer.TOGGLE);
    ((IPostSelectionProvider) getSelectionProvider()).addPostSelectionChangedListener(event -> {
      setStatusLineErrorMessage(null);
      setStatusLineMessage(null);
    });
  }

  @Override
  public <T> T getAdapter(Class<T> type) {
    T found = folding == null ? null : folding.getAdapter(getSourceViewer(), type);
    return found != null ? found : super.getAdapter(type);
  }

  @Override
  public void editorContextMenuAboutToShow(IMenuManager menu) {
    menu.add(new GroupMarker("group.top"));
    menu.add(new Separator("group.debug"));
    super.editorContextMenuAboutToShow(menu);
    menu.remove(ITextEditorActionConstants.SHIFT_LEFT);
    menu.remove(ITextEditorActionConstants.SHIFT_RIGHT);
  }

  @Override
  protected void rulerContextMenuAboutToShow(IMenuManager menu) {
    super.rulerContextMenuAboutToShow(menu);
    menu.appendToGroup(ITextEditorActionConstants.GROUP_RULERS,
        new MenuManager("Folding", "projection"));
  }

  /** The hover that the viewer has for its text. */
  ITextHover textHover() {
    return getSourceViewerConfiguration().getTextHover(getSourceViewer(),
        IDocument.DEFAULT_CONTENT_TYPE);
  }
}
