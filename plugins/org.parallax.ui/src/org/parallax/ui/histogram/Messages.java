package org.parallax.ui.histogram;

import org.eclipse.osgi.util.NLS;

/** The texts of the time histogram, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String back;
  public static String bandPhase;
  public static String curvesOf;
  public static String definePhases;
  public static String definePhasesTip;
  public static String definePhaseVisible;
  public static String export;
  public static String forward;
  public static String hiddenCurves;
  public static String histogramDescription;
  public static String histogramTitle;
  public static String legend;
  public static String legendTip;
  public static String metric;
  public static String noCurves;
  public static String noPhase;
  public static String selectedNodes;
  public static String showAllTime;
  public static String subjectHistogram;

  static {
    NLS.initializeMessages("org.parallax.ui.histogram.messages", Messages.class);
  }

  private Messages() {
  }
}
