package org.parallax.ui.session;

import org.eclipse.osgi.util.NLS;

/** The texts of opening and closing traces, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String closeJob;
  public static String followJob;
  public static String openFailed;
  public static String openJob;
  public static String openTask;
  public static String openTrees;
  public static String rereadJob;

  static {
    NLS.initializeMessages("org.parallax.ui.session.messages", Messages.class);
  }

  private Messages() {
  }
}
