package org.parallax.ui.experiment;

import java.nio.file.Path;
import org.eclipse.core.filesystem.EFS;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorReference;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.ide.FileStoreEditorInput;
import org.eclipse.ui.part.FileEditorInput;
import org.parallax.ui.platform.UiLog;

/** Opens experiments in their editor. */
final class ExperimentOpener {
  private ExperimentOpener() {
  }

  /** Opens an experiment; @return null when it cannot be opened, which is logged */
  static ExperimentEditor open(IWorkbenchPage page, Path file) {
    IFile[] resources =
        ResourcesPlugin.getWorkspace().getRoot().findFilesForLocationURI(file.toUri());
    IEditorInput input = resources.length > 0 ? new FileEditorInput(resources[0])
        : new FileStoreEditorInput(EFS.getLocalFileSystem().fromLocalFile(file.toFile()));
    try {
      return (ExperimentEditor) page.openEditor(input, ExperimentEditor.ID);
    } catch (PartInitException e) {
      UiLog.log(e.getMessage(), e);
      return null;
    }
  }

  /** The editor of an experiment that is open, the one used last first; null when none is. */
  static ExperimentEditor lastUsed(IWorkbenchPage page) {
    Path selected = Experiments.get().selected();
    ExperimentEditor found = null;
    for (IEditorReference reference : page.getEditorReferences()) {
      if (ExperimentEditor.ID.equals(reference.getId())
          && reference.getEditor(true) instanceof ExperimentEditor editor
          && (found == null || editor.file().equals(selected))) {
        found = editor;
      }
    }
    return found;
  }
}
