package org.parallax.ui.preferences;

import org.eclipse.osgi.util.NLS;

/** What the preference pages say. */
final class Messages extends NLS {
  public static String bins;
  public static String binsFine;
  public static String binsMiddle;
  public static String binsWide;
  public static String description;
  public static String forgetColumns;
  public static String forgetColumnsTip;
  public static String level;
  public static String levelMachine;
  public static String levelProcedure;
  public static String levelProcess;
  public static String levelThread;
  public static String ownColors;
  public static String pathColor;
  public static String programs;
  public static String programsTip;
  public static String waitColor;
  public static String weight;
  public static String weightCpu;
  public static String weightWall;

  static {
    NLS.initializeMessages("org.parallax.ui.preferences.messages", Messages.class);
  }

  private Messages() {
  }
}
