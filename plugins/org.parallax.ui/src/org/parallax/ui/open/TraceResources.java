package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.Set;
import org.eclipse.core.resources.IContainer;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.content.IContentDescription;
import org.parallax.model.files.SessionFile;
import org.parallax.record.formats.Otf2Format;
import org.parallax.trace.Manifest;

/** Finds traces among the resources of the workspace. */
final class TraceResources {
  private static final String CONTENT_TYPE = "org.parallax.ui.manifest";

  /** The ends of the names of files that stand for themselves, without the dot: sessions, archives of OTF2. */
  private static final Set<String> ALONE =
      Set.of(SessionFile.SUFFIX.substring(1), Otf2Format.SUFFIX.substring(1));

  private TraceResources() {
  }

  /** Whether the folder is a trace; costs a few bytes of its manifest the first time. */
  static boolean isTrace(IContainer folder) {
    if (folder.getType() == IResource.ROOT || !folder.isAccessible()) {
      return false;
    }
    IFile manifest = folder.getFile(IPath.fromPortableString(Manifest.FILE_NAME));
    if (!manifest.exists()) {
      return false;
    }
    try {
      IContentDescription description = manifest.getContentDescription();
      return description != null && description.getContentType() != null
          && description.getContentType().getId().equals(CONTENT_TYPE);
    } catch (CoreException e) {
      return false;
    }
  }

  /**
   * The trace that a resource stands for: the folder itself, or the folder of a manifest; or the
   * session file or archive of OTF2 that it is.
   *
   * @return null when it stands for none
   */
  static Path traceOf(IResource resource) {
    if (resource instanceof IFile file && ALONE.contains(String.valueOf(file.getFileExtension()))
        && file.getLocation() != null) {
      return file.getLocation().toPath();
    }
    IContainer folder = resource instanceof IContainer container ? container
        : resource.getName().equals(Manifest.FILE_NAME) ? resource.getParent() : null;
    IPath location = folder == null || !isTrace(folder) ? null : folder.getLocation();
    return location == null ? null : location.toPath();
  }
}
