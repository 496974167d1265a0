package org.parallax.ui.source;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.viewers.LabelProvider;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.dialogs.ElementListSelectionDialog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.source.SourcePlaces.Place;

/**
 * Opens the source of procedures, wherever {@link SourcePlaces} finds it. A person who is told that it
 * is not there can say where it is; that is remembered for all files of the folder.
 */
public final class SourceOpener {
  /** Asks a person for a file; null when there is no answer. */
  interface Chooser {
    Path choose(Shell parent, String name);
  }

  /** Replaced by tests, as the dialog for files is none of ours. */
  static Chooser chooser = SourceOpener::ask;

  private SourceOpener() {
  }

  /**
   * Opens the source in a page, or tells why there is none. Returns at once; the file is looked for
   * by a job, as it may lie on a slow file system.
   */
  public static Job open(IWorkbenchPage page, SourceLocation location) {
    Job job = new Job(NLS.bind(Messages.job, location.procedure())) {
      @Override
      protected IStatus run(IProgressMonitor monitor) {
        List<Place> places = SourcePlaces.of(location, monitor);
        boolean changed = places.size() == 1
            && places.get(0).file().isNewerThan(location.runMs());
        UiThread.later(() -> {
          Place place = places.size() > 1 ? choose(page, location, places)
              : places.isEmpty() ? null : places.get(0);
          if (place != null) {
            show(page, place, location, changed);
          } else if (places.isEmpty()) {
            tellMissing(page, location);
          }
        });
        return Status.OK_STATUS;
      }
    };
    job.setSystem(true);
    job.schedule();
    return job;
  }

  /** One of several functions of the same name; null when none is chosen. */
  private static Place choose(IWorkbenchPage page, SourceLocation location,
      List<Place> places) {
    ElementListSelectionDialog dialog = new ElementListSelectionDialog(
        page.getWorkbenchWindow().getShell(), LabelProvider.createTextProvider(each ->
            ((Place) each).file().name() + ":" + ((Place) each).line()));
    dialog.setTitle(Messages.severalTitle);
    dialog.setMessage(NLS.bind(Messages.several, location.procedure()));
    dialog.setElements(places.toArray());
    dialog.open();
    return (Place) dialog.getFirstResult();
  }

  private static void show(IWorkbenchPage page, Place place, SourceLocation location,
      boolean changed) {
    try {
      IEditorPart part = SourceEditors.open(page, place.file(), place.line());
      String note = place.isByName() ? NLS.bind(Messages.byName, location.procedure())
          : changed ? NLS.bind(Messages.changed, part.getTitle()) : null;
      if (note != null) {
        SourceEditors.tell(part, note);
      }
    } catch (PartInitException e) {
      MessageDialog.openError(page.getWorkbenchWindow().getShell(),
          Messages.missingTitle, e.getMessage());
    }
  }

  private static void tellMissing(IWorkbenchPage page, SourceLocation location) {
    Shell shell = page.getWorkbenchWindow().getShell();
    if (location.file().isEmpty()) {
      MessageDialog.openInformation(shell, Messages.missingTitle,
          missing(location));
      return;
    }
    int answer = MessageDialog.open(MessageDialog.INFORMATION, shell,
        Messages.missingTitle, missing(location), SWT.NONE, Messages.locate,
        IDialogConstants.CANCEL_LABEL);
    if (answer != 0) {
      return;
    }
    String name = IPath.fromOSString(location.file()).lastSegment();
    Path chosen = chooser.choose(shell, name);
    if (chosen != null) {
      PathMaps.add(PathMap.of(location.file(), chosen));
      open(page, location);
    }
  }

  private static Path ask(Shell parent, String name) {
    FileDialog dialog = new FileDialog(parent, SWT.OPEN | SWT.SHEET);
    dialog.setText(NLS.bind(Messages.locateTitle, name));
    dialog.setFileName(name);
    dialog.setFilterExtensions(new String[] {name, "*"});
    String answer = dialog.open();
    return answer == null ? null : Path.of(answer);
  }

  /** Why there is no source to open, and what to do. */
  static String missing(SourceLocation location) {
    if (!location.file().isEmpty()) {
      return NLS.bind(Messages.notFound, location.procedure(), location.file());
    }
    if (!location.reason().isEmpty()) {
      return NLS.bind(Messages.unresolved, location.procedure(),
          location.reason());
    }
    if (location.module().isEmpty()) {
      return NLS.bind(Messages.intercepted, location.procedure());
    }
    return NLS.bind(Messages.noLines, location.procedure(),
        location.module());
  }

  /** The file of the workspace for one that the compiler recorded; null when there is none. */
  public static IFile resource(String recorded) {
    SourceLookup.Found found = SourceLookup.find(recorded);
    return found == null ? null : found.resource();
  }
}
