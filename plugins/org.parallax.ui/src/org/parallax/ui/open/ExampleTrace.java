package org.parallax.ui.open;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.resources.WorkspaceJob;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.SubMonitor;
import org.eclipse.osgi.util.NLS;
import org.eclipse.ui.IWorkbenchWindow;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/**
 * The bundled example: a trace of a heat solver on four ranks and its sources, copied into a
 * project of its own and opened.
 */
public final class ExampleTrace {
  private static final String ARCHIVE = "example/heat.zip";
  private static final String TRACE = "heat.trace";
  /** A run with half of the slow part, beside the first one, to be compared with it. */
  public static final String OTHER = "heat-2-passes.trace";

  private ExampleTrace() {
  }

  /** Makes the project unless it is there, and opens the trace; returns at once. */
  public static void open(IWorkbenchWindow window) {
    IProject project = ResourcesPlugin.getWorkspace().getRoot().getProject(Messages.exampleProject);
    WorkspaceJob job = new WorkspaceJob(Messages.exampleJob) {
      @Override
      public IStatus runInWorkspace(IProgressMonitor monitor) throws CoreException {
        try {
          Path trace = prepare(project, monitor);
          UiThread.later(() -> TraceOpening.open(window, List.of(trace)));
          return Status.OK_STATUS;
        } catch (IOException e) {
          return UiLog.error(
              NLS.bind(Messages.exampleFailed, project.getLocation(), e.getMessage()));
        }
      }

      @Override
      public boolean belongsTo(Object family) {
        return family == OpenSession.current();
      }
    };
    job.setRule(ResourcesPlugin.getWorkspace().getRoot());
    job.setUser(true);
    job.schedule();
  }

  /** @return where the trace lies */
  private static Path prepare(IProject project, IProgressMonitor monitor)
      throws CoreException, IOException {
    SubMonitor progress = SubMonitor.convert(monitor, 4);
    if (!project.exists()) {
      project.create(progress.split(1));
    }
    project.open(progress.split(1));
    Path folder = project.getLocation().toPath();
    unpack(folder);
    project.refreshLocal(IResource.DEPTH_INFINITE, progress.split(2));
    return folder.resolve(TRACE);
  }

  /** What a person has changed in it stays. */
  private static void unpack(Path folder) throws IOException {
    URL archive = Platform.getBundle(Ids.BUNDLE).getEntry(ARCHIVE);
    if (archive == null) {
      throw new IOException(NLS.bind(Messages.exampleMissing, ARCHIVE));
    }
    try (InputStream in = archive.openStream(); ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = folder.resolve(entry.getName()).normalize();
        if (!Files.exists(file)) {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
          // As old as it is: source that is newer than the run would be told to have changed.
          Files.setLastModifiedTime(file,
              FileTime.from(entry.getTimeLocal().toInstant(ZoneOffset.UTC)));
        }
      }
    }
  }
}
