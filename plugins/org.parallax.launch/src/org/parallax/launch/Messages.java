package org.parallax.launch;

import org.eclipse.osgi.util.NLS;

/** The texts of launches, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String applicationNone;
  public static String applicationRun;
  public static String applicationUse;
  public static String arrived;
  public static String attachedTo;
  public static String checking;
  public static String choosePrograms;
  public static String columnByteRate;
  public static String columnElapsed;
  public static String columnEventRate;
  public static String columnEvents;
  public static String columnName;
  public static String columnProcesses;
  public static String columnState;
  public static String columnThreads;
  public static String fault;
  public static String interrupted;
  public static String measurement;
  public static String measurements;
  public static String noProcess;
  public static String problems;
  public static String recording;
  public static String refresh;
  public static String runOf;
  public static String stateDetached;
  public static String stateDetaching;
  public static String stateDone;
  public static String stateExit;
  public static String stateFailed;
  public static String statePaused;
  public static String stateRunning;
  public static String stateRunningOf;
  public static String stateStopped;
  public static String stateStopping;
  public static String status;
  public static String statusHint;
  public static String stillRuns;

  static {
    NLS.initializeMessages("org.parallax.launch.messages", Messages.class);
  }

  private Messages() {
  }
}
