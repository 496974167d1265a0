package org.parallax.cdt;

import org.eclipse.cdt.core.model.CoreModel;
import org.eclipse.cdt.core.model.ITranslationUnit;
import org.eclipse.cdt.core.model.IWorkingCopy;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.ISynchronizable;
import org.eclipse.jface.text.source.IAnnotationModel;
import org.eclipse.ui.IFileEditorInput;
import org.eclipse.ui.editors.text.TextFileDocumentProvider;
import org.eclipse.ui.texteditor.ResourceMarkerAnnotationModel;

/**
 * Documents as CDT's classic editor has them: one provider for all editors, with an annotation model of
 * its own that shares its lock with the document, and a working copy of CDT's model for each file.
 */
final class CdtLikeDocuments extends TextFileDocumentProvider {
  /** What is known of a file that is open. */
  private static final class UnitInfo extends FileInfo {
    IWorkingCopy copy;
  }

  /** Of a type of its own, as CDT's. */
  private static final class UnitAnnotations extends ResourceMarkerAnnotationModel {
    UnitAnnotations(IFile file) {
      super(file);
    }
  }

  CdtLikeDocuments() {
    setParentDocumentProvider(new TextFileDocumentProvider());
  }

  @Override
  protected FileInfo createEmptyFileInfo() {
    return new UnitInfo();
  }

  @Override
  protected IAnnotationModel createAnnotationModel(IFile file) {
    return new UnitAnnotations(file);
  }

  @Override
  protected FileInfo createFileInfo(Object element) throws CoreException {
    FileInfo info = super.createFileInfo(element);
    if (info instanceof UnitInfo unit) {
      IDocument document = unit.fTextFileBuffer.getDocument();
      if (document instanceof ISynchronizable text
          && unit.fModel instanceof ISynchronizable model) {
        model.setLockObject(text.getLockObject());
      }
      if (element instanceof IFileEditorInput input
          && CoreModel.getDefault().create(input.getFile()) instanceof ITranslationUnit known) {
        unit.copy = known.getWorkingCopy();
      }
    }
    return info;
  }

  @Override
  protected void disposeFileInfo(Object element, FileInfo info) {
    if (info instanceof UnitInfo unit && unit.copy != null) {
      unit.copy.destroy();
    }
    super.disposeFileInfo(element, info);
  }
}
