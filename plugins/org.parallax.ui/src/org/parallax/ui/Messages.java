package org.parallax.ui;

import org.eclipse.osgi.util.NLS;

/** The texts of the user interface, from {@code messages.properties}. */
public final class Messages extends NLS {
  public static String application;
  public static String closeJob;
  public static String closeTrace;
  public static String closeTraceTip;
  public static String collapseAll;
  public static String computeCancelled;
  public static String computeFailed;
  public static String computeJob;
  public static String computing;
  public static String copy;
  public static String hiddenColumns;
  public static String importBrowse;
  public static String importCopy;
  public static String importCopyFailed;
  public static String importCopyRest;
  public static String importDefaultProject;
  public static String importDescription;
  public static String importDirectory;
  public static String importExists;
  public static String importLink;
  public static String importNoDirectory;
  public static String importOpen;
  public static String importProject;
  public static String importTask;
  public static String importTitle;
  public static String importValidate;
  public static String level;
  public static String levelApplication;
  public static String levelExternal;
  public static String levelMachine;
  public static String levelProcedure;
  public static String levelProcess;
  public static String levelThread;
  public static String levelWorkload;
  public static String machines;
  public static String messageAll;
  public static String messageAndMore;
  public static String metrics;
  public static String noRows;
  public static String nothingOpen;
  public static String oneMachine;
  public static String oneMetric;
  public static String oneProcess;
  public static String oneWarning;
  public static String openAnother;
  public static String openFailed;
  public static String openJob;
  public static String openSource;
  public static String openTask;
  public static String openTrees;
  public static String opening;
  public static String openingTrees;
  public static String physicalTree;
  public static String pid;
  public static String proceduresJob;
  public static String processes;
  public static String readingEvents;
  public static String selectAll;
  public static String sourceIntercepted;
  public static String sourceJob;
  public static String sourceMissingTitle;
  public static String sourceNoLines;
  public static String sourceNotFound;
  public static String sourceUnresolved;
  public static String subjectCriticalPath;
  public static String subjectMetrics;
  public static String subjectProfile;
  public static String subjectTrees;
  public static String total;
  public static String traceSuffix;
  public static String warnings;
  public static String warningsTitle;
  public static String weight;
  public static String weightCpu;
  public static String weightWall;

  static {
    NLS.initializeMessages("org.parallax.ui.messages", Messages.class);
  }

  private Messages() {
  }
}
