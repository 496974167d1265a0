package org.parallax.cdt;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.cdt.core.CCorePlugin;
import org.eclipse.cdt.core.dom.ast.IFunction;
import org.eclipse.cdt.core.index.IIndex;
import org.eclipse.cdt.core.index.IIndexBinding;
import org.eclipse.cdt.core.index.IIndexFileLocation;
import org.eclipse.cdt.core.index.IIndexManager;
import org.eclipse.cdt.core.index.IIndexName;
import org.eclipse.cdt.core.index.IndexFilter;
import org.eclipse.cdt.core.model.CoreModel;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.OperationCanceledException;
import org.parallax.ui.source.FunctionName;
import org.parallax.ui.source.SourceLookup;
import org.parallax.ui.source.SourceModel.Definition;

/** Looks functions up in the index of all C and C++ projects. */
final class CdtIndex {
  private static final int INDEXING_MS = 10_000;

  /**
   * Where functions of a name are defined. An index that is being made is waited for, but not for long.
   *
   * @return without those of files that are gone since they were indexed
   */
  List<Definition> definitions(FunctionName name, IProgressMonitor monitor) throws CoreException {
    IIndexManager manager = CCorePlugin.getIndexManager();
    manager.joinIndexer(INDEXING_MS, monitor);
    IIndex index = manager.getIndex(CoreModel.getDefault().getCModel().getCProjects());
    try {
      index.acquireReadLock();
    } catch (InterruptedException e) {
      throw new OperationCanceledException();
    }
    try {
      Set<Definition> found = new LinkedHashSet<>();
      char[][] segments =
          name.segments().stream().map(String::toCharArray).toArray(char[][]::new);
      for (IIndexBinding each : index.findBindings(segments, IndexFilter.ALL, monitor)) {
        if (each instanceof IFunction) {
          for (IIndexName definition : index.findNames(each, IIndex.FIND_DEFINITIONS)) {
            Definition place = place(definition);
            if (place != null) {
              found.add(place);
            }
          }
        }
      }
      return List.copyOf(found);
    } finally {
      index.releaseReadLock();
    }
  }

  private static Definition place(IIndexName name) throws CoreException {
    IIndexFileLocation location = name.getFile().getLocation();
    try {
      Path file = Path.of(location.getURI());
      IFile resource = location.getFullPath() == null ? null : ResourcesPlugin.getWorkspace()
          .getRoot().getFile(IPath.fromPortableString(location.getFullPath()));
      Charset charset = resource == null || !resource.exists() ? StandardCharsets.UTF_8
          : Charset.forName(resource.getCharset());
      // The index knows offsets only.
      int line = new Lines(Files.readString(file, charset)).of(name.getNodeOffset());
      return new Definition(new SourceLookup.Found(file, resource), line);
    } catch (IOException | IllegalArgumentException | FileSystemNotFoundException e) {
      return null; // gone, or not of the local file system
    }
  }
}
