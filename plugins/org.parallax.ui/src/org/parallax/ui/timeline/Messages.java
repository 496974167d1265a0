package org.parallax.ui.timeline;

import org.eclipse.osgi.util.NLS;

/** The texts of the timeline, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String align;
  public static String alignOccurrence;
  public static String alignOccurrenceQuestion;
  public static String alignOccurrenceTitle;
  public static String alignOccurrenceWrong;
  public static String alignPhase;
  public static String alignReset;
  public static String alignShift;
  public static String alignShiftQuestion;
  public static String alignShiftTitle;
  public static String alignStart;
  public static String alignTime;
  public static String back;
  public static String bookmark;
  public static String bookmarkNoCursor;
  public static String bookmarkNone;
  public static String bookmarkToggle;
  public static String bookmarks;
  public static String bytes;
  public static String color;
  public static String colorOf;
  public static String cursor;
  public static String definePhase;
  public static String definePhaseTip;
  public static String description;
  public static String differenceFaster;
  public static String differenceNew;
  public static String differenceOneRun;
  public static String differenceSlower;
  public static String differences;
  public static String differencesJob;
  public static String find;
  public static String findJob;
  public static String findMessage;
  public static String findNextMessage;
  public static String findNextState;
  public static String findNextWait;
  public static String findNoNext;
  public static String findNoPrevious;
  public static String findNoState;
  public static String findReading;
  public static String findPreviousMessage;
  public static String findPreviousState;
  public static String findPreviousWait;
  public static String findWait;
  public static String forward;
  public static String goTo;
  public static String goToAlignedQuestion;
  public static String goToQuestion;
  public static String goToTitle;
  public static String heading;
  public static String headingBase;
  public static String headingShift;
  public static String job;
  public static String messageFrom;
  public static String messageTo;
  public static String messages;
  public static String moreStates;
  public static String onlySelected;
  public static String originNoPhase;
  public static String originPhase;
  public static String originStart;
  public static String originTime;
  public static String outOfMemory;
  public static String path;
  public static String pathHere;
  public static String reading;
  public static String readingPath;
  public static String readingWaits;
  public static String runOfTrace;
  public static String share;
  public static String shiftBy;
  public static String showAll;
  public static String source;
  public static String status;
  public static String stopped;
  public static String subject;
  public static String thinned;
  public static String tipAt;
  public static String tipLost;
  public static String tipLostUnknown;
  public static String tipOfRun;
  public static String tipTime;
  public static String title;
  public static String together;
  public static String togetherTip;
  public static String waiting;
  public static String zoomIn;
  public static String zoomOut;

  static {
    NLS.initializeMessages("org.parallax.ui.timeline.messages", Messages.class);
  }

  private Messages() {
  }
}
