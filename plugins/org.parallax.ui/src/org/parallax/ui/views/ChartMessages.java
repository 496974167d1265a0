package org.parallax.ui.views;

import org.eclipse.osgi.util.NLS;

/** The texts of the views of curves and call paths, from {@code chart_messages.properties}. */
final class ChartMessages extends NLS {
  public static String back;
  public static String bandPhase;
  public static String callers;
  public static String callersTip;
  public static String columnBase;
  public static String columnChange;
  public static String columnOwn;
  public static String compareNone;
  public static String compareTip;
  public static String compareWith;
  public static String curvesOf;
  public static String definePhaseVisible;
  public static String definePhases;
  public static String definePhasesTip;
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
  public static String goneTime;
  public static String hiddenCurves;
  public static String histogramDescription;
  public static String histogramTitle;
  public static String hotPath;
  public static String hotPathTip;
  public static String legend;
  public static String legendTip;
  public static String metric;
  public static String noCalls;
  public static String noCurves;
  public static String noPhase;
  public static String normalized;
  public static String normalizedTip;
  public static String nothingFound;
  public static String nothingInCommon;
  public static String phaseName;
  public static String phaseNameMissing;
  public static String phaseNameTaken;
  public static String phaseQuestion;
  public static String phaseTitle;
  public static String procedure;
  public static String range;
  public static String runName;
  public static String search;
  public static String searchJob;
  public static String selectedNodes;
  public static String showAll;
  public static String showAllTime;
  public static String subjectCallTree;
  public static String subjectFlameGraph;
  public static String subjectHistogram;
  public static String time;
  public static String upwards;
  public static String upwardsTip;

  static {
    NLS.initializeMessages("org.parallax.ui.views.chart_messages", ChartMessages.class);
  }

  private ChartMessages() {
  }
}
