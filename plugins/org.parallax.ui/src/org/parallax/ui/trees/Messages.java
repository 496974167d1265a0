package org.parallax.ui.trees;

import org.eclipse.osgi.util.NLS;

/** The texts of the program trees, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String closeTrace;
  public static String closeTraceTip;
  public static String collapseAll;
  public static String follow;
  public static String followTip;
  public static String machines;
  public static String metrics;
  public static String oneMachine;
  public static String oneMetric;
  public static String oneProcess;
  public static String oneWarning;
  public static String openSource;
  public static String openingTrees;
  public static String physicalTree;
  public static String pid;
  public static String proceduresJob;
  public static String processes;
  public static String readingEvents;
  public static String subjectTrees;
  public static String warnings;

  static {
    NLS.initializeMessages("org.parallax.ui.trees.messages", Messages.class);
  }

  private Messages() {
  }
}
