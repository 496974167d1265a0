package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.runtime.IPath;
import org.eclipse.ui.IEditorLauncher;
import org.eclipse.ui.PlatformUI;
import org.parallax.model.files.SessionFile;

/**
 * What the workbench runs in place of an editor when a trace's manifest is opened, or a session
 * file.
 */
public final class TraceLauncher implements IEditorLauncher {
  @Override
  public void open(IPath file) {
    Path path = file.toPath();
    TraceOpening.open(PlatformUI.getWorkbench().getActiveWorkbenchWindow(),
        List.of(SessionFile.isNamed(path) ? path : path.getParent()));
  }
}
