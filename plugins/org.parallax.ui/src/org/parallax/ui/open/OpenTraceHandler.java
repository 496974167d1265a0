package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.Adapters;
import org.eclipse.ui.handlers.HandlerUtil;

/** Opens the traces among the selected resources. */
public final class OpenTraceHandler extends AbstractHandler {
  @Override
  public Object execute(ExecutionEvent event) throws ExecutionException {
    Set<Path> directories = new LinkedHashSet<>();
    for (Object selected : HandlerUtil.getCurrentStructuredSelection(event)) {
      IResource resource = Adapters.adapt(selected, IResource.class);
      Path directory = resource == null ? null : TraceResources.traceOf(resource);
      if (directory != null) {
        directories.add(directory);
      }
    }
    if (!directories.isEmpty()) {
      TraceOpening.open(HandlerUtil.getActiveWorkbenchWindowChecked(event), directories);
    }
    return null;
  }
}
