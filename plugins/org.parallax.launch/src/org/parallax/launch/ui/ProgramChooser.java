package org.parallax.launch.ui;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.viewers.LabelProvider;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.dialogs.ElementListSelectionDialog;
import org.parallax.ui.platform.UiLog;

/** Looks for programs without keeping the workbench, and asks which one is meant. */
final class ProgramChooser {
  private ProgramChooser() {
  }

  /** Where programs are looked for. */
  interface Search {
    List<IFile> programs(IProgressMonitor monitor) throws CoreException;
  }

  /**
   * Looks for programs, with progress.
   *
   * @return null when a person has cancelled it, or the disk cannot be read
   */
  static List<IFile> search(Search search) {
    List<IFile> programs = new ArrayList<>();
    try {
      PlatformUI.getWorkbench().getProgressService().busyCursorWhile(monitor -> {
        try {
          programs.addAll(search.programs(monitor));
        } catch (CoreException e) {
          throw new InvocationTargetException(e);
        }
      });
      return programs;
    } catch (InvocationTargetException e) {
      UiLog.log(e.toString(), e);
    } catch (InterruptedException e) {
      // Cancelled.
    }
    return null;
  }

  /** One of the programs of all open projects; null when there is none or none is chosen. */
  static IFile ofWorkspace(Shell shell) {
    List<IFile> programs = search(Executables::all);
    if (programs != null && programs.isEmpty()) {
      MessageDialog.openInformation(shell, Messages.programTitle, Messages.searchNone);
    }
    return programs == null || programs.isEmpty() ? null
        : choose(shell, Messages.programTitle, Messages.programMessage, programs,
            file -> file.getFullPath().makeRelative().toString());
  }

  /** One of several; null when none is chosen. */
  static <T> T choose(Shell shell, String title, String message, List<T> elements,
      Function<T, String> name) {
    ElementListSelectionDialog dialog = new ElementListSelectionDialog(shell, new LabelProvider() {
      @Override
      @SuppressWarnings("unchecked")
      public String getText(Object element) {
        return name.apply((T) element);
      }
    });
    dialog.setTitle(title);
    dialog.setMessage(message);
    dialog.setElements(elements.toArray());
    if (dialog.open() != Window.OK) {
      return null;
    }
    int index = elements.indexOf(dialog.getFirstResult());
    return index < 0 ? null : elements.get(index);
  }
}
