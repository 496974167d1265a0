package org.parallax.ui.open;

import org.eclipse.core.resources.IContainer;
import org.eclipse.jface.viewers.IDecoration;
import org.eclipse.jface.viewers.ILightweightLabelDecorator;
import org.eclipse.jface.viewers.LabelProvider;
import org.parallax.ui.platform.Icons;

/** Marks folders that are traces; the workbench runs it off the UI thread. */
public final class TraceFolderDecorator extends LabelProvider
    implements ILightweightLabelDecorator {
  @Override
  public void decorate(Object element, IDecoration decoration) {
    if (element instanceof IContainer folder && TraceResources.isTrace(folder)) {
      decoration.addOverlay(Icons.descriptor("trace_ovr"), IDecoration.TOP_RIGHT);
      decoration.addSuffix(" " + Messages.traceSuffix);
    }
  }
}
