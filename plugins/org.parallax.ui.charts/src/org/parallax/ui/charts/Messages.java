package org.parallax.ui.charts;

import org.eclipse.osgi.util.NLS;

/** The texts of charts, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String bytesRate;
  public static String cannotSave;
  public static String difference;
  public static String differenceOf;
  public static String drawJob;
  public static String effect;
  public static String effectOn;
  public static String eventsRate;
  public static String first;
  public static String firstDifferences;
  public static String limit;
  public static String menuSave;
  public static String noise;
  public static String perBin;
  public static String position;
  public static String quantile;
  public static String range;
  public static String residual;
  public static String saveFilterPng;
  public static String saveFilterSvg;
  public static String saveJob;
  public static String saveTitle;
  public static String rateTime;
  public static String time;
  public static String timeAxis;
  public static String tooltipDifference;
  public static String tooltipEffect;
  public static String tooltipInterval;
  public static String tooltipLevel;
  public static String tooltipRate;
  public static String tooltipTrial;
  public static String visitsRate;
  public static String with;

  static {
    NLS.initializeMessages("org.parallax.ui.charts.messages", Messages.class);
  }

  private Messages() {
  }
}
