package org.parallax.launch.ui;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.core.resources.IContainer;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IConfigurationElement;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Platform;
import org.parallax.launch.ProgramFinder;
import org.parallax.record.ElfFile;
import org.parallax.ui.platform.UiLog;

/** The executables of the workspace: as finders know them, else told by their content. */
final class Executables {
  private static final String FINDERS = "org.parallax.launch.programFinders";

  private Executables() {
  }

  /** Reads some bytes of a file that is one. */
  static boolean isProgram(IFile file) {
    IPath location = file.getLocation();
    if (location == null || !file.isAccessible()) {
      return false;
    }
    ElfFile elf = ElfFile.read(location.toPath());
    return elf != null && elf.isProgram();
  }

  /** The executables of all open projects, in the order of their paths; reads the disk. */
  static List<IFile> all(IProgressMonitor monitor) throws CoreException {
    List<IFile> found = new ArrayList<>();
    for (IProject project : ResourcesPlugin.getWorkspace().getRoot().getProjects()) {
      if (project.isOpen()) {
        found.addAll(below(project, monitor));
      }
    }
    return found;
  }

  /**
   * The executables below a resource, in the order of their paths; reads the disk. Of a project whose
   * programs a finder knows they are those, and not what else is lying about.
   */
  static List<IFile> below(IResource resource, IProgressMonitor monitor) throws CoreException {
    List<IFile> found = new ArrayList<>();
    if (resource instanceof IContainer container) {
      container.refreshLocal(IResource.DEPTH_INFINITE, monitor);
      for (IFile each : known(resource.getProject(), monitor)) {
        if (container.getFullPath().isPrefixOf(each.getFullPath()) && isProgram(each)) {
          found.add(each);
        }
      }
    }
    if (found.isEmpty()) {
      resource.accept(each -> {
        if (monitor.isCanceled()) {
          throw new OperationCanceledException();
        }
        if (each instanceof IFile file && isProgram(file)) {
          found.add(file);
        }
        return true;
      });
    }
    found.sort(Comparator.comparing(each -> each.getFullPath().toString()));
    return found;
  }

  /** What finders know; one that fails is as one that knows nothing. */
  private static Set<IFile> known(IProject project, IProgressMonitor monitor) {
    Set<IFile> found = new LinkedHashSet<>();
    for (IConfigurationElement each
        : Platform.getExtensionRegistry().getConfigurationElementsFor(FINDERS)) {
      try {
        found.addAll(((ProgramFinder) each.createExecutableExtension("class"))
            .programs(project, monitor));
      } catch (OperationCanceledException e) {
        throw e;
      } catch (CoreException | RuntimeException | LinkageError e) {
        UiLog.log(e.toString(), e);
      }
    }
    return found;
  }
}
