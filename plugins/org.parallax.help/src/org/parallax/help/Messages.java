package org.parallax.help;

import org.eclipse.osgi.util.NLS;

/** What this bundle says to a person. */
final class Messages extends NLS {
  public static String back;
  public static String contents;
  public static String forward;
  public static String noBrowser;
  public static String noPage;
  public static String notOurs;
  public static String title;

  static {
    NLS.initializeMessages("org.parallax.help.messages", Messages.class);
  }

  private Messages() {
  }
}
