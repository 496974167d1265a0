package org.parallax.ui.calls;

import org.eclipse.osgi.util.NLS;

/** The texts of the views of call paths, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String addFactor;
  public static String back;
  public static String callers;
  public static String callersTip;
  public static String collapseAll;
  public static String columnBase;
  public static String columnChange;
  public static String columnOwn;
  public static String copy;
  public static String export;
  public static String filter;
  public static String filterTip;
  public static String flameSearchTip;
  public static String flameTitle;
  public static String flameTitleCompared;
  public static String focusOnSubtree;
  public static String forward;
  public static String found;
  public static String frame;
  public static String frameLess;
  public static String frameMore;
  public static String frameOfPath;
  public static String frameOfWaits;
  public static String goneTime;
  public static String hotPath;
  public static String hotPathTip;
  public static String noCalls;
  public static String noWaits;
  public static String normalized;
  public static String normalizedTip;
  public static String nothingFound;
  public static String nothingInCommon;
  public static String ofPath;
  public static String ofWaits;
  public static String openSource;
  public static String procedure;
  public static String search;
  public static String searchJob;
  public static String showAll;
  public static String shown;
  public static String shownTip;
  public static String subjectCallTree;
  public static String subjectFlameGraph;
  public static String subjectPath;
  public static String subjectTime;
  public static String subjectWaits;
  public static String time;
  public static String upwards;
  public static String upwardsTip;
  public static String weightCpu;
  public static String weightWall;

  static {
    NLS.initializeMessages("org.parallax.ui.calls.messages", Messages.class);
  }

  private Messages() {
  }
}
