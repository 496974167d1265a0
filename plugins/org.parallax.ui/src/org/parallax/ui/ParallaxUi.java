package org.parallax.ui;

import org.eclipse.ui.plugin.AbstractUIPlugin;
import org.osgi.framework.BundleContext;
import org.parallax.trace.TraceFormat;
import org.parallax.trace.TraceFormats;
import org.parallax.ui.platform.InstalledPlugins;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.table.FirstResult;

/** Starts and stops the plug-in. Nothing refers to it: what parts of the plug-in share is below them. */
public final class ParallaxUi extends AbstractUIPlugin {
  @Override
  public void start(BundleContext context) throws Exception {
    super.start(context);
    TraceFormats.install(
        InstalledPlugins.contributions(TraceFormats.POINT, TraceFormat.class));
    FirstResult.prepare();
  }

  @Override
  public void stop(BundleContext context) throws Exception {
    OpenSession.current().dispose();
    super.stop(context);
  }
}
