package org.parallax.source;

import org.eclipse.osgi.util.NLS;

/** The texts of the annotations in editors, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String calledFrom;
  public static String caller;
  public static String calls;
  public static String changed;
  public static String column;
  public static String computeFailed;
  public static String computeJob;
  public static String exclusive;
  public static String functionsJob;
  public static String inclusive;
  public static String line;
  public static String lineIn;
  public static String lineOf;
  public static String matchJob;
  public static String more;
  public static String noNumbers;
  public static String noProcedure;
  public static String notInTrace;
  public static String number;
  public static String numberAndPercent;
  public static String pageAdd;
  public static String pageDescription;
  public static String pageFrom;
  public static String pageHeat;
  public static String pageMaps;
  public static String pageNumbers;
  public static String pageRemove;
  public static String pageShow;
  public static String pageTo;
  public static String path;
  public static String profileOfLine;
  public static String samples;
  public static String wait;

  static {
    NLS.initializeMessages("org.parallax.source.messages", Messages.class);
  }

  private Messages() {
  }
}
