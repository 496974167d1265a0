package org.parallax.cdt;

import java.util.Arrays;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.QualifiedName;
import org.eclipse.core.runtime.content.IContentType;
import org.eclipse.ui.IEditorDescriptor;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.ide.IEditorAssociationOverride;

/** Gives the files of projects that want it to the editor for language servers, as CDT LSP does. */
public final class LspLikeAssociation implements IEditorAssociationOverride {
  private static final QualifiedName WANTED = new QualifiedName("org.parallax.cdt.tests", "lsp");
  private static boolean isWantedOutside;

  /** Decides for a project, and for the files that are in none. */
  static void set(IProject project, boolean wanted) throws CoreException {
    project.setPersistentProperty(WANTED, wanted ? "true" : null);
    isWantedOutside = wanted;
  }

  private static boolean isWanted(IEditorInput input) {
    IFile file = input.getAdapter(IFile.class);
    try {
      return file == null ? isWantedOutside
          : file.getProject().getPersistentProperty(WANTED) != null;
    } catch (CoreException e) {
      return false; // the project is closed
    }
  }

  private static boolean isC(IContentType type) {
    return type != null && type.getId().startsWith("org.eclipse.cdt.core.c");
  }

  @Override
  public IEditorDescriptor[] overrideEditors(IEditorInput input, IContentType type,
      IEditorDescriptor[] editors) {
    return !isC(type) || isWanted(input) ? editors : Arrays.stream(editors)
        .filter(each -> !each.getId().equals(LspLikeEditor.ID)).toArray(IEditorDescriptor[]::new);
  }

  @Override
  public IEditorDescriptor[] overrideEditors(String name, IContentType type,
      IEditorDescriptor[] editors) {
    return editors;
  }

  @Override
  public IEditorDescriptor overrideDefaultEditor(IEditorInput input, IContentType type,
      IEditorDescriptor editor) {
    return isC(type) && isWanted(input)
        ? PlatformUI.getWorkbench().getEditorRegistry().findEditor(LspLikeEditor.ID) : editor;
  }

  @Override
  public IEditorDescriptor overrideDefaultEditor(String name, IContentType type,
      IEditorDescriptor editor) {
    return editor;
  }
}
