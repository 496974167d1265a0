package org.parallax.ui.source;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.eclipse.core.runtime.IPath;

/**
 * Says where the files of a folder are that was elsewhere, or on another machine, when the program was
 * compiled.
 *
 * @param from the folder, or one file, as the compiler recorded it; the empty string stands for files
 *     that were recorded without a folder to begin at
 * @param to where that is now
 */
public record PathMap(String from, String to) {
  public PathMap {
    from = trimmed(from);
    to = trimmed(to);
  }

  private static String trimmed(String path) {
    String text = path.strip();
    return text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /** Where a recorded file should be; null when the map says nothing of it. */
  public Path apply(String recorded) {
    boolean applies = from.isEmpty() ? !recorded.startsWith("/")
        : recorded.equals(from)
            || recorded.startsWith(from.endsWith("/") ? from : from + "/");
    if (!applies || to.isEmpty()) {
      return null;
    }
    String rest = recorded.substring(from.length());
    try {
      return rest.isEmpty() ? Path.of(to)
          : Path.of(to, rest.startsWith("/") ? rest.substring(1) : rest);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /**
   * The map by which a recorded file is found where a person has found it: what both have in common at
   * their ends is left out, so that it holds for the other files of the folder too.
   */
  public static PathMap of(String recorded, Path found) {
    IPath from = IPath.fromOSString(recorded);
    IPath to = IPath.fromOSString(found.toAbsolutePath().toString());
    int common = SourceLookup.commonEnd(from, to);
    String prefix = from.removeLastSegments(common).toOSString();
    return new PathMap(prefix, to.removeLastSegments(common).toOSString());
  }
}
