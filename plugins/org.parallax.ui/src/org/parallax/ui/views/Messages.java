package org.parallax.ui.views;

import org.eclipse.osgi.util.NLS;

/** The texts that the views of a session share, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String addFactor;
  public static String allTogether;
  public static String application;
  public static String compareNone;
  public static String compareTip;
  public static String compareWith;
  public static String onlyProfile;
  public static String computeCancelled;
  public static String computeFailed;
  public static String computeJob;
  public static String computeMemory;
  public static String computing;
  public static String findNodesJob;
  public static String hiddenColumns;
  public static String level;
  public static String levelApplication;
  public static String levelExternal;
  public static String levelMachine;
  public static String levelProcedure;
  public static String levelProcess;
  public static String levelThread;
  public static String levelWorkload;
  public static String noRows;
  public static String noRowsOfAll;
  public static String openAnother;
  public static String opening;
  public static String openSource;
  public static String phaseName;
  public static String phaseNameMissing;
  public static String phaseNameTaken;
  public static String phaseQuestion;
  public static String phaseTitle;
  public static String pin;
  public static String pinTip;
  public static String runName;
  public static String scopeInPhase;
  public static String scopeOneOf;
  public static String selectInTrees;
  public static String showIn;
  public static String total;

  static {
    NLS.initializeMessages("org.parallax.ui.views.messages", Messages.class);
  }

  private Messages() {
  }
}
