package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.core.resources.IContainer;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.content.IContentDescription;
import org.parallax.model.files.SessionFile;
import org.parallax.record.formats.CaliperFormat;
import org.parallax.record.formats.CubeFormat;
import org.parallax.record.formats.Otf2Format;
import org.parallax.record.formats.ParaverFormat;
import org.parallax.record.formats.TraceEventFormat;
import org.parallax.trace.Manifest;

/** Finds traces among the resources of the workspace. */
final class TraceResources {
  private static final String CONTENT_TYPE = "org.parallax.ui.manifest";
  private static final String TRACE_EVENTS = "org.parallax.ui.traceEvents";

  /** The ends of the names of files that stand for themselves, without the dot: sessions, traces of other tools. */
  private static final Set<String> ALONE = Stream.concat(TraceEventFormat.EXTENSIONS.stream(),
      Stream.of(SessionFile.SUFFIX.substring(1), Otf2Format.SUFFIX.substring(1), ParaverFormat.EXTENSION,
          CubeFormat.SUFFIX.substring(1), CaliperFormat.SUFFIX.substring(1)))
      .collect(Collectors.toUnmodifiableSet());

  private TraceResources() {
  }

  /** Whether the folder is a trace; costs a few bytes of its manifest the first time. */
  static boolean isTrace(IContainer folder) {
    if (folder.getType() == IResource.ROOT || !folder.isAccessible()) {
      return false;
    }
    IFile manifest = folder.getFile(IPath.fromPortableString(Manifest.FILE_NAME));
    return manifest.exists() && isOfType(manifest, CONTENT_TYPE);
  }

  private static boolean isOfType(IFile file, String contentType) {
    try {
      IContentDescription description = file.getContentDescription();
      return description != null && description.getContentType() != null
          && description.getContentType().getId().equals(contentType);
    } catch (CoreException e) {
      return false;
    }
  }

  /**
   * The trace that a resource stands for: the folder itself, or the folder of a manifest; or the
   * session file or trace of another tool that it is.
   *
   * @return null when it stands for none
   */
  static Path traceOf(IResource resource) {
    if (resource instanceof IFile file && file.getLocation() != null && isAlone(file)) {
      return file.getLocation().toPath();
    }
    IContainer folder = resource instanceof IContainer container ? container
        : resource.getName().equals(Manifest.FILE_NAME) ? resource.getParent() : null;
    IPath location = folder == null || !isTrace(folder) ? null : folder.getLocation();
    return location == null ? null : location.toPath();
  }

  private static boolean isAlone(IFile file) {
    String extension = String.valueOf(file.getFileExtension());
    return ALONE.contains(extension)
        || extension.equals("json") && file.isAccessible() && isOfType(file, TRACE_EVENTS);
  }
}
