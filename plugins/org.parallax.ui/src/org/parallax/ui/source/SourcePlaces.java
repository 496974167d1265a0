package org.parallax.ui.source;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;

/**
 * Where procedures can be looked at: as their lines are recorded, else as a model of the source knows
 * them. Not on the UI thread.
 */
final class SourcePlaces {
  private SourcePlaces() {
  }

  /**
   * A place to open.
   *
   * @param line from 1, 0 where unknown
   * @param isByName whether the file is one that a model knows for the name, and not the recorded one
   */
  record Place(SourceLookup.Found file, int line, boolean isByName) {}

  /** The places of a procedure: none, one, or several of which none is more likely. */
  static List<Place> of(SourceLocation location, IProgressMonitor monitor) {
    SourceLookup.Found found = SourceLookup.find(location.file());
    if (found != null) {
      int line = location.line() > 0 || found.resource() == null ? location.line()
          : lineIn(found.resource(), location, monitor);
      return List.of(new Place(found, line, false));
    }
    FunctionName name = FunctionName.of(location.procedure());
    // What the agent intercepts and what has no name is defined nowhere in the workspace.
    if (location.file().isEmpty() && location.module().isEmpty() || !location.reason().isEmpty()
        || name.segments().isEmpty()) {
      return List.of();
    }
    return likely(SourceModels.definitions(name, monitor), location).stream()
        .map(each -> new Place(each.file(), each.line(), true)).toList();
  }

  /** The line of a function whose file alone is recorded; 0 when no model knows it. */
  private static int lineIn(IFile file, SourceLocation location, IProgressMonitor monitor) {
    if (!SourceModels.areInstalled()) {
      return 0;
    }
    FunctionName name = FunctionName.of(location.procedure());
    try {
      List<SourceModel.Function> functions = SourceModels.functions(file,
          Files.readString(file.getLocation().toPath(), Charset.forName(file.getCharset())),
          monitor);
      return functions == null ? 0 : functions.stream()
          .filter(each -> each.name().equals(name)).mapToInt(SourceModel.Function::line)
          .findFirst().orElse(0);
    } catch (IOException | CoreException | IllegalArgumentException e) {
      return 0; // not readable as text: it opens at its top
    }
  }

  /**
   * The definitions that a trace most likely means: those in a file whose path ends most like the
   * recorded one, then those in the project that holds the program.
   */
  static List<SourceModel.Definition> likely(List<SourceModel.Definition> all,
      SourceLocation location) {
    Comparator<SourceModel.Definition> order = Comparator
        .comparingInt((SourceModel.Definition each) -> commonEnd(each, location.file()))
        .thenComparing(each -> isBeside(each, location.module()));
    return all.stream().max(order).map(best -> all.stream()
        .filter(each -> order.compare(each, best) == 0).distinct().toList()).orElse(List.of());
  }

  private static int commonEnd(SourceModel.Definition definition, String recorded) {
    IPath path = definition.file().resource() != null
        ? definition.file().resource().getFullPath()
        : IPath.fromPath(definition.file().file());
    return SourceLookup.commonEnd(path, IPath.fromOSString(recorded));
  }

  private static boolean isBeside(SourceModel.Definition definition, String module) {
    IFile file = definition.file().resource();
    return file != null && !module.isEmpty() && file.getProject().getLocation() != null
        && file.getProject().getLocation().isPrefixOf(IPath.fromOSString(module));
  }
}
