package org.parallax.ui.source;

import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;

/**
 * Knows the functions of source files, as the development tools of a language do. Extensions of the
 * point {@code org.parallax.ui.sourceModels} are such models; without one, functions are known by
 * their lines in the trace. Not called on the UI thread: a file may have to be parsed.
 */
public interface SourceModel {
  /**
   * A function in the text of a file.
   *
   * @param line where its name stands, from 1
   * @param first line of its text, from 1
   * @param last line of its text
   */
  record Function(FunctionName name, int line, int first, int last) {}

  /**
   * Where a function is defined.
   *
   * @param line where its name stands, from 1; 0 where unknown
   */
  record Definition(SourceLookup.Found file, int line) {}

  /**
   * The functions that are defined in a file.
   *
   * @param text of the file as an editor shows it, which may not be saved
   * @return in the order of their lines; null when the file is none of the model's
   * @throws CoreException when the model fails, not for text that is no program
   */
  List<Function> functions(IFile file, String text, IProgressMonitor monitor)
      throws CoreException;

  /**
   * Where the projects of the workspace define functions of a name.
   *
   * @return empty when the model knows none
   * @throws CoreException when the model fails
   */
  List<Definition> definitions(FunctionName name, IProgressMonitor monitor) throws CoreException;
}
