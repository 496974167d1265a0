package org.parallax.ui.open;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.eclipse.core.resources.IContainer;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.SubMonitor;
import org.eclipse.osgi.util.NLS;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiLog;

/** Reads a trace directory to see that it is one, and links or copies it into a project. */
final class TraceImport {
  private final Path source;
  private final String projectName;
  private final boolean copy;
  private Path location;

  /** @param projectName created when there is none of this name */
  TraceImport(Path source, String projectName, boolean copy) {
    this.source = source;
    this.projectName = projectName;
    this.copy = copy;
  }

  /**
   * Does it.
   *
   * @throws TraceException when the trace cannot be read; nothing was changed
   * @throws CoreException when the folder cannot be made; a half-made copy is removed
   * @throws OperationCanceledException when cancelled; a half-made copy is removed
   */
  void run(IProgressMonitor monitor) throws TraceException, CoreException {
    SubMonitor progress = SubMonitor.convert(monitor, Messages.importTask, 100);
    try {
      Trace.open(source, new JobProgress(Messages.importValidate, progress.split(30))).close();
    } catch (CancellationException e) {
      throw new OperationCanceledException();
    }
    IProject project = ResourcesPlugin.getWorkspace().getRoot().getProject(projectName);
    if (!project.exists()) {
      project.create(progress.split(5));
    }
    project.open(progress.split(5));
    IFolder folder = project.getFolder(source.getFileName().toString());
    if (isKnown(folder)) {
      requireAllFiles(folder);
      location = folder.getLocation().toPath();
      return;
    }
    if (folder.exists()) {
      throw new CoreException(UiLog.error(
          NLS.bind(Messages.importExists, folder.getName(), projectName)));
    }
    if (copy) {
      copyTo(folder, progress.split(60));
    } else {
      folder.createLink(IPath.fromPath(source), IResource.NONE, progress.split(60));
    }
    location = folder.getLocation().toPath();
  }

  /** Whether the folder has this trace already: by a link, or as a copy of the same run. */
  private boolean isKnown(IFolder folder) {
    if (!folder.exists() || folder.getLocation() == null) {
      return false;
    }
    Path place = folder.getLocation().toPath();
    try {
      return Files.isSameFile(place, source) || !run(source).isEmpty() && run(source).equals(run(place));
    } catch (IOException e) {
      return false;
    }
  }

  /** A copy that was cut short, or of a run that had not ended, is not opened in place of the trace. */
  private void requireAllFiles(IFolder folder) throws CoreException {
    Path place = folder.getLocation().toPath();
    int missing = 0;
    List<Path> files;
    try (var listed = Files.list(source)) {
      files = listed.filter(Files::isRegularFile).toList();
      for (Path file : files) {
        Path copied = place.resolve(file.getFileName());
        if (!Files.isRegularFile(copied) || Files.size(copied) < Files.size(file)) {
          missing++;
        }
      }
    } catch (IOException e) {
      throw new CoreException(UiLog.error(NLS.bind(Messages.importCopyFailed, source, e.getMessage())));
    }
    if (missing > 0) {
      throw new CoreException(UiLog.error(NLS.bind(Messages.importIncomplete,
          new Object[] {folder.getName(), projectName, missing, files.size()})));
    }
  }

  /** The number of the run that the trace is of; empty if it is unknown. */
  private static String run(Path directory) {
    try (Trace trace = Trace.open(directory)) {
      return trace.manifest().run();
    } catch (TraceException e) {
      return "";
    }
  }

  /** Where the trace lies, once it was imported. */
  Path location() {
    return location;
  }

  private void copyTo(IFolder folder, SubMonitor progress) throws CoreException {
    IContainer parent = folder.getParent();
    Path target = parent.getLocation().append(folder.getName()).toPath();
    boolean done = false;
    try (var listed = Files.list(source)) {
      List<Path> files = listed.filter(Files::isRegularFile).toList();
      Files.createDirectory(target);
      progress.setWorkRemaining(files.size() + 1);
      for (Path file : files) {
        progress.subTask(file.getFileName().toString());
        Files.copy(file, target.resolve(file.getFileName()));
        progress.split(1);
      }
      done = true;
    } catch (IOException e) {
      throw new CoreException(UiLog.error(
          NLS.bind(Messages.importCopyFailed, source, e.getMessage())));
    } finally {
      if (!done) {
        delete(target);
      }
    }
    folder.refreshLocal(IResource.DEPTH_INFINITE, progress.split(1));
  }

  private static void delete(Path directory) {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      UiLog.log(NLS.bind(Messages.importCopyRest, directory), e);
    }
  }
}
