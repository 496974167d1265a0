package org.parallax.launch.tuning;

import org.eclipse.osgi.util.NLS;

/** The texts of tuning, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String differs;
  public static String fault;
  public static String monitorEnded;
  public static String noModels;
  public static String noTuner;
  public static String sessionIncomplete;
  public static String unknownModel;
  public static String wrongMode;

  static {
    NLS.initializeMessages("org.parallax.launch.tuning.messages", Messages.class);
  }

  private Messages() {
  }
}
