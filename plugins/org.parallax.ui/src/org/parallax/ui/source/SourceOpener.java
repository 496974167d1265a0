package org.parallax.ui.source;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.core.filesystem.EFS;
import org.eclipse.core.filesystem.IFileStore;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IRegion;
import org.eclipse.osgi.util.NLS;
import org.eclipse.ui.IEditorDescriptor;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.editors.text.EditorsUI;
import org.eclipse.ui.ide.FileStoreEditorInput;
import org.eclipse.ui.part.FileEditorInput;
import org.eclipse.ui.texteditor.ITextEditor;
import org.parallax.ui.Messages;
import org.parallax.ui.ParallaxUi;

/**
 * Opens the source of procedures: the file that the compiler recorded if it is there, else the file
 * of the workspace that has the same name and the most folders in common with it.
 */
public final class SourceOpener {
  private SourceOpener() {
  }

  /**
   * Opens the source in a page, or tells why there is none. Returns at once; the file is looked for
   * by a job, as it may lie on a slow file system.
   */
  public static Job open(IWorkbenchPage page, SourceLocation location) {
    Job job = new Job(NLS.bind(Messages.sourceJob, location.procedure())) {
      @Override
      protected IStatus run(IProgressMonitor monitor) {
        Path file = path(location.file());
        boolean exists = file != null && Files.isRegularFile(file);
        IFile resource = exists ? atLocation(file) : byName(location.file());
        ParallaxUi.onUiThread(() -> {
          try {
            if (resource != null) {
              reveal(page, new FileEditorInput(resource), resource.getName(), location.line());
            } else if (exists) {
              IFileStore store = EFS.getLocalFileSystem().fromLocalFile(file.toFile());
              reveal(page, new FileStoreEditorInput(store), store.getName(), location.line());
            } else {
              MessageDialog.openInformation(page.getWorkbenchWindow().getShell(),
                  Messages.sourceMissingTitle, missing(location));
            }
          } catch (PartInitException e) {
            MessageDialog.openError(page.getWorkbenchWindow().getShell(),
                Messages.sourceMissingTitle, e.getMessage());
          }
        });
        return Status.OK_STATUS;
      }
    };
    job.setSystem(true);
    job.schedule();
    return job;
  }

  /** Why there is no source to open, and what to do. */
  static String missing(SourceLocation location) {
    if (!location.file().isEmpty()) {
      return NLS.bind(Messages.sourceNotFound, location.procedure(), location.file());
    }
    if (!location.reason().isEmpty()) {
      return NLS.bind(Messages.sourceUnresolved, location.procedure(), location.reason());
    }
    if (location.module().isEmpty()) {
      return NLS.bind(Messages.sourceIntercepted, location.procedure());
    }
    return NLS.bind(Messages.sourceNoLines, location.procedure(), location.module());
  }

  private static Path path(String file) {
    try {
      return file.isEmpty() ? null : Path.of(file);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static IFile atLocation(Path file) {
    IFile[] found =
        ResourcesPlugin.getWorkspace().getRoot().findFilesForLocationURI(file.toUri());
    return found.length == 0 ? null : found[0];
  }

  /** The file of the workspace that ends with the most of the given path; null when there is none. */
  static IFile byName(String file) {
    IPath wanted = IPath.fromOSString(file);
    if (wanted.lastSegment() == null) {
      return null;
    }
    List<IFile> found = new ArrayList<>();
    try {
      ResourcesPlugin.getWorkspace().getRoot().accept(proxy -> {
        if (proxy.getType() == IResource.FILE && proxy.getName().equals(wanted.lastSegment())) {
          found.add((IFile) proxy.requestResource());
        }
        return true;
      }, IResource.NONE);
    } catch (CoreException e) {
      ParallaxUi.log(e.getMessage(), e);
    }
    return found.stream().max(Comparator
        .comparingInt((IFile each) -> commonEnd(each.getFullPath(), wanted))
        .thenComparing(each -> each.getFullPath().toString(), Comparator.reverseOrder()))
        .orElse(null);
  }

  private static int commonEnd(IPath one, IPath other) {
    int count = 0;
    while (count < one.segmentCount() && count < other.segmentCount()
        && one.segment(one.segmentCount() - 1 - count)
            .equals(other.segment(other.segmentCount() - 1 - count))) {
      count++;
    }
    return count;
  }

  private static void reveal(IWorkbenchPage page, IEditorInput input, String name, int line)
      throws PartInitException {
    // Without an editor of its own the type would go to a program outside of the workbench.
    IEditorDescriptor editor = PlatformUI.getWorkbench().getEditorRegistry().getDefaultEditor(name);
    String id = editor == null || !editor.isInternal() ? EditorsUI.DEFAULT_TEXT_EDITOR_ID
        : editor.getId();
    IEditorPart part = page.openEditor(input, id);
    ITextEditor text = part.getAdapter(ITextEditor.class);
    if (text == null || line <= 0) {
      return;
    }
    IDocument document = text.getDocumentProvider().getDocument(text.getEditorInput());
    try {
      IRegion region = document.getLineInformation(line - 1);
      text.selectAndReveal(region.getOffset(), region.getLength());
    } catch (BadLocationException e) {
      // The file is shorter than it was when the program was compiled: it is open at its top.
      text.selectAndReveal(0, 0);
    }
  }
}
