package org.parallax.ui.source;

import org.eclipse.osgi.util.NLS;

/** The texts of looking for source, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String byName;
  public static String changed;
  public static String intercepted;
  public static String job;
  public static String locate;
  public static String locateTitle;
  public static String missingTitle;
  public static String noLines;
  public static String notFound;
  public static String several;
  public static String severalTitle;
  public static String unresolved;

  static {
    NLS.initializeMessages("org.parallax.ui.source.messages", Messages.class);
  }

  private Messages() {
  }
}
