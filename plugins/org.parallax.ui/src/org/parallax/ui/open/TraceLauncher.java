package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.runtime.IPath;
import org.eclipse.ui.IEditorLauncher;
import org.eclipse.ui.PlatformUI;
import org.parallax.trace.Manifest;

/**
 * What the workbench runs in place of an editor when a trace's manifest is opened, a session file, or the
 * trace of another tool.
 */
public final class TraceLauncher implements IEditorLauncher {
  @Override
  public void open(IPath file) {
    Path path = file.toPath();
    TraceOpening.open(PlatformUI.getWorkbench().getActiveWorkbenchWindow(),
        List.of(path.endsWith(Manifest.FILE_NAME) ? path.getParent() : path));
  }
}
