package org.parallax.ui.preferences;

import org.eclipse.osgi.util.NLS;

/** What the preference pages say. */
final class Messages extends NLS {
  public static String bins;
  public static String binsFine;
  public static String binsMiddle;
  public static String binsWide;
  public static String colorAdd;
  public static String colorAddTip;
  public static String colorName;
  public static String colorNameTip;
  public static String colorOf;
  public static String colorRemove;
  public static String colorsDescription;
  public static String colorsGroups;
  public static String colorsNames;
  public static String description;
  public static String forgetColumns;
  public static String forgetColumnsTip;
  public static String groupCollective;
  public static String groupIo;
  public static String groupLock;
  public static String groupOther;
  public static String groupPointToPoint;
  public static String groupUser;
  public static String groupWait;
  public static String level;
  public static String levelMachine;
  public static String levelProcedure;
  public static String levelProcess;
  public static String levelThread;
  public static String ownColors;
  public static String pathColor;
  public static String programs;
  public static String programsTip;
  public static String reopen;
  public static String weight;
  public static String weightCpu;
  public static String weightWall;

  static {
    NLS.initializeMessages("org.parallax.ui.preferences.messages", Messages.class);
  }

  private Messages() {
  }
}
