package org.parallax.source;

import org.eclipse.core.runtime.Plugin;
import org.osgi.framework.BundleContext;

/** Stops what the plug-in has begun. Nothing refers to it. */
public final class ParallaxSource extends Plugin {
  @Override
  public void stop(BundleContext context) throws Exception {
    SourceNumbers.disposeCurrent();
    super.stop(context);
  }
}
