package org.parallax.ui.open;

import java.util.List;
import org.eclipse.core.runtime.IPath;
import org.eclipse.ui.IEditorLauncher;
import org.eclipse.ui.PlatformUI;

/** What the workbench runs in place of an editor when a trace's manifest is opened. */
public final class TraceLauncher implements IEditorLauncher {
  @Override
  public void open(IPath manifest) {
    TraceOpening.open(PlatformUI.getWorkbench().getActiveWorkbenchWindow(),
        List.of(manifest.removeLastSegments(1).toPath()));
  }
}
