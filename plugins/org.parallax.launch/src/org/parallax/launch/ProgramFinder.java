package org.parallax.launch;

import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;

/**
 * Knows the programs that projects of a kind build. Extensions of the point
 * {@code org.parallax.launch.programFinders} are such finders; where none knows a project, its files
 * are looked at. Not called on the UI thread.
 */
public interface ProgramFinder {
  /**
   * The executables of an open project, which is refreshed.
   *
   * @return empty for a project of another kind, or one that is not built
   * @throws CoreException when the project cannot be read
   */
  List<IFile> programs(IProject project, IProgressMonitor monitor) throws CoreException;
}
