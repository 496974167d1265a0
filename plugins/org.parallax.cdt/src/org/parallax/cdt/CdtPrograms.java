package org.parallax.cdt;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.cdt.core.model.CModelException;
import org.eclipse.cdt.core.model.CoreModel;
import org.eclipse.cdt.core.model.IBinary;
import org.eclipse.cdt.core.model.ICProject;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.OperationCanceledException;
import org.parallax.launch.ProgramFinder;

/**
 * The executables of C and C++ projects: what the binary parsers of a project recognise in the folders
 * of its output.
 */
public final class CdtPrograms implements ProgramFinder {
  @Override
  public List<IFile> programs(IProject project, IProgressMonitor monitor) throws CoreException {
    List<IFile> found = new ArrayList<>();
    if (!CoreModel.hasCNature(project) && !CoreModel.hasCCNature(project)) {
      return found;
    }
    ICProject known = CoreModel.getDefault().create(project);
    if (known == null) {
      return found;
    }
    try {
      for (IBinary binary : known.getBinaryContainer().getBinaries()) {
        if (monitor.isCanceled()) {
          throw new OperationCanceledException();
        }
        if (binary.isExecutable() && binary.getResource() instanceof IFile file) {
          found.add(file);
        }
      }
    } catch (CModelException e) {
      if (!e.doesNotExist()) {
        throw e;
      }
      // Closed or deleted meanwhile: it has none.
    }
    return found;
  }
}
