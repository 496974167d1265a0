package org.parallax.ui.platform;

import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.jface.resource.ImageRegistry;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.swt.graphics.Image;

/** The icons of this plug-in, by their names without folder and extension. */
public final class Icons {
  private Icons() {
  }

  /** @return an icon as actions and wizards want it */
  public static ImageDescriptor descriptor(String icon) {
    return ResourceLocator.imageDescriptorFromBundle(Ids.BUNDLE, "icons/" + icon + ".png")
        .orElseThrow();
  }

  /** @return an icon that the workbench disposes of when it ends; on the UI thread only */
  public static Image image(String icon) {
    ImageRegistry registry = JFaceResources.getImageRegistry();
    String key = Ids.BUNDLE + "/" + icon;
    Image image = registry.get(key);
    if (image == null) {
      registry.put(key, descriptor(icon));
      image = registry.get(key);
    }
    return image;
  }
}
