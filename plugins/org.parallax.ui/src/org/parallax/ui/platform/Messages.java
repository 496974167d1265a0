package org.parallax.ui.platform;

import org.eclipse.osgi.util.NLS;

/** The texts of what is missing in an installation, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String noTools;
  public static String toolMissing;

  static {
    NLS.initializeMessages("org.parallax.ui.platform.messages", Messages.class);
  }

  private Messages() {
  }
}
