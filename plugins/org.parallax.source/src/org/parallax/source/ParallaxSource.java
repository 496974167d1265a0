package org.parallax.source;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.ui.plugin.AbstractUIPlugin;
import org.osgi.framework.BundleContext;
import org.parallax.ui.session.OpenSession;

/** The plug-in: its preferences, and the numbers that editors show. */
public final class ParallaxSource extends AbstractUIPlugin {
  public static final String ID = "org.parallax.source";

  private static ParallaxSource plugin;

  private SourceNumbers numbers;

  @Override
  public void start(BundleContext context) throws Exception {
    super.start(context);
    plugin = this;
  }

  @Override
  public void stop(BundleContext context) throws Exception {
    if (numbers != null) {
      numbers.dispose();
    }
    plugin = null;
    super.stop(context);
  }

  static ParallaxSource plugin() {
    return plugin;
  }

  /** What the open session tells of source; on the UI thread. */
  static SourceNumbers numbers() {
    if (plugin.numbers == null) {
      plugin.numbers = new SourceNumbers(OpenSession.current());
    }
    return plugin.numbers;
  }

  static void log(String message, Throwable failure) {
    plugin.getLog().log(new Status(IStatus.ERROR, ID, message, failure));
  }
}
