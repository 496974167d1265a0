package org.parallax.ui;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.jface.resource.ImageRegistry;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.plugin.AbstractUIPlugin;
import org.osgi.framework.BundleContext;
import org.parallax.ui.session.OpenSession;

/** The plug-in: the names of what it contributes, its icons, and the session that is open. */
public final class ParallaxUi extends AbstractUIPlugin {
  public static final String ID = "org.parallax.ui";
  public static final String PERSPECTIVE = "org.parallax.ui.perspective";
  public static final String TREES_VIEW = "org.parallax.ui.views.trees";
  public static final String CRITICAL_PATH_VIEW = "org.parallax.ui.views.criticalPath";
  public static final String PROFILE_VIEW = "org.parallax.ui.views.profile";
  public static final String METRICS_VIEW = "org.parallax.ui.views.metrics";
  public static final String IMPORT_WIZARD = "org.parallax.ui.importTrace";

  private static ParallaxUi plugin;

  private final OpenSession session = new OpenSession();

  @Override
  public void start(BundleContext context) throws Exception {
    super.start(context);
    plugin = this;
  }

  @Override
  public void stop(BundleContext context) throws Exception {
    session.dispose();
    plugin = null;
    super.stop(context);
  }

  public static ParallaxUi plugin() {
    return plugin;
  }

  /** The session that this workbench has open. */
  public static OpenSession session() {
    return plugin.session;
  }

  /** An icon of this plug-in by its name without folder and extension. */
  public static ImageDescriptor descriptor(String icon) {
    return ResourceLocator.imageDescriptorFromBundle(ID, "icons/" + icon + ".png").orElseThrow();
  }

  /** As {@link #descriptor}, kept until the plug-in stops; on the UI thread only. */
  public static Image image(String icon) {
    ImageRegistry registry = plugin.getImageRegistry();
    Image image = registry.get(icon);
    if (image == null) {
      registry.put(icon, descriptor(icon));
      image = registry.get(icon);
    }
    return image;
  }

  /** Runs an action on the UI thread later; drops it when the workbench has ended. */
  public static void onUiThread(Runnable action) {
    Display display = PlatformUI.isWorkbenchRunning() ? PlatformUI.getWorkbench().getDisplay() : null;
    if (display != null && !display.isDisposed()) {
      display.asyncExec(action);
    }
  }

  /** A message of the core, which may follow a program's name on the command line, on its own. */
  public static String sentence(String message) {
    return message.isEmpty() ? message
        : Character.toUpperCase(message.charAt(0)) + message.substring(1);
  }

  /** A status that shows its message and nothing else. */
  public static IStatus error(String message) {
    return new Status(IStatus.ERROR, ID, message);
  }

  /** Writes a failure of the program itself to the workbench's log. */
  public static void log(String message, Throwable failure) {
    plugin.getLog().log(new Status(IStatus.ERROR, ID, message, failure));
  }
}
