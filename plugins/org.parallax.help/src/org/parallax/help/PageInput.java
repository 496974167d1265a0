package org.parallax.help;

import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IPersistableElement;

/** The help book in {@link PageEditor}. It has no state that a restart brings back. */
record PageInput() implements IEditorInput {
  @Override
  public boolean exists() {
    return true;
  }

  @Override
  public ImageDescriptor getImageDescriptor() {
    return ImageDescriptor.getMissingImageDescriptor();
  }

  @Override
  public String getName() {
    return Messages.title;
  }

  @Override
  public IPersistableElement getPersistable() {
    return null;
  }

  @Override
  public String getToolTipText() {
    return Messages.title;
  }

  @Override
  public <T> T getAdapter(Class<T> type) {
    return null;
  }
}
