package org.parallax.ui.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.parallax.ui.platform.UiLog;

/**
 * Finds the source files that the compiler recorded: where a path map says, else where they were, else
 * the file of the workspace that has the same name and the most folders in common.
 *
 * <p>Can be called from any thread but that of the user interface: files may lie on a slow file system.
 */
public final class SourceLookup {
  private SourceLookup() {
  }

  /**
   * A file that was found.
   *
   * @param file where it lies; null when it lies on no local file system
   * @param resource in the workspace; null when it is in no project
   */
  public record Found(Path file, IFile resource) {
    /** For people: in the workspace where it is there. */
    String name() {
      return resource == null ? file.toString()
          : resource.getFullPath().makeRelative().toString();
    }

    /** Whether the file was written after a moment, of which 0 is none. */
    public boolean isNewerThan(long ms) {
      try {
        return ms > 0 && file != null && Files.getLastModifiedTime(file).toMillis() > ms;
      } catch (IOException e) {
        return false;
      }
    }
  }

  /**
   * Finds a file.
   *
   * @param recorded as the compiler recorded it
   * @return null when it is not there
   */
  public static Found find(String recorded) {
    if (recorded.isEmpty()) {
      return null;
    }
    for (PathMap map : PathMaps.byLength()) {
      Path mapped = map.apply(recorded);
      if (mapped != null && Files.isRegularFile(mapped)) {
        return new Found(mapped, atLocation(mapped));
      }
    }
    Path file = absolute(recorded);
    if (file != null && Files.isRegularFile(file)) {
      return new Found(file, atLocation(file));
    }
    IFile resource = byName(recorded);
    if (resource == null) {
      return null;
    }
    IPath location = resource.getLocation();
    return new Found(location == null ? null : location.toPath(), resource);
  }

  private static Path absolute(String file) {
    try {
      Path path = Path.of(file);
      return path.isAbsolute() ? path : null;
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
      UiLog.log(e.getMessage(), e);
    }
    return found.stream().max(Comparator
        .comparingInt((IFile each) -> commonEnd(each.getFullPath(), wanted))
        .thenComparing(each -> each.getFullPath().toString(), Comparator.reverseOrder()))
        .orElse(null);
  }

  /** How many segments at their ends two paths have in common. */
  public static int commonEnd(IPath one, IPath other) {
    int count = 0;
    while (count < one.segmentCount() && count < other.segmentCount()
        && one.segment(one.segmentCount() - 1 - count)
            .equals(other.segment(other.segmentCount() - 1 - count))) {
      count++;
    }
    return count;
  }
}
