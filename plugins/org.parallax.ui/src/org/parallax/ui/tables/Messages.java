package org.parallax.ui.tables;

import org.eclipse.osgi.util.NLS;

/** The texts of these views, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String back;
  public static String callees;
  public static String callers;
  public static String comparisonBase;
  public static String comparisonChart;
  public static String comparisonColumn;
  public static String comparisonConfidence;
  public static String comparisonConfidenceTip;
  public static String comparisonEarlier;
  public static String comparisonEarlierHint;
  public static String comparisonEarlierTitle;
  public static String comparisonKind;
  public static String comparisonLargest;
  public static String comparisonLeftOut;
  public static String comparisonNear;
  public static String comparisonNew;
  public static String comparisonNone;
  public static String comparisonNothing;
  public static String comparisonOf;
  public static String comparisonRuns;
  public static String comparisonRunsHint;
  public static String comparisonRunsTip;
  public static String comparisonRunsTitle;
  public static String comparisonTime;
  public static String entryNumbers;
  public static String eventsAllKinds;
  public static String eventsAt;
  public static String eventsAtTip;
  public static String eventsCount;
  public static String eventsFirst;
  public static String eventsFirstTip;
  public static String eventsKinds;
  public static String eventsKindsTip;
  public static String eventsLast;
  public static String eventsLastTip;
  public static String eventsNext;
  public static String eventsNextTip;
  public static String eventsNone;
  public static String eventsNoneAfter;
  public static String eventsNoneBefore;
  public static String eventsNoPartner;
  public static String eventsPartner;
  public static String eventsPartnerHidden;
  public static String eventsPartnerJob;
  public static String eventsPartnerUnknown;
  public static String eventsPrevious;
  public static String eventsPreviousTip;
  public static String eventsSomeKinds;
  public static String eventsText;
  public static String eventsTextQuotedTip;
  public static String eventsTextTip;
  public static String forward;
  public static String goTo;
  public static String matrixBytes;
  public static String matrixCell;
  public static String matrixMeanTime;
  public static String matrixMessages;
  public static String matrixMetric;
  public static String matrixName;
  public static String matrixNothing;
  public static String matrixPair;
  public static String matrixReceivers;
  public static String matrixReceiverWait;
  public static String matrixSenders;
  public static String matrixSenderWait;
  public static String phaseAll;
  public static String phaseChooser;
  public static String phaseChooserTip;
  public static String phaseMore;
  public static String phasesAll;
  public static String phasesKeep;
  public static String phasesKeepTip;
  public static String phasesKeepTitle;
  public static String phasesName;
  public static String phasesNoName;
  public static String phasesNone;
  public static String phasesNoneNamed;
  public static String phasesPropose;
  public static String phasesProposeTip;
  public static String phasesRemove;
  public static String phasesRename;
  public static String phasesRenameTitle;
  public static String phasesSelect;
  public static String phasesTaken;
  public static String reportDefault;
  public static String reportKind;
  public static String scaling;
  public static String scalingStrong;
  public static String scalingTip;
  public static String scalingWeak;
  public static String selectPairJob;
  public static String subjectCommunication;
  public static String subjectComparison;
  public static String subjectEfficiency;
  public static String subjectEvents;
  public static String subjectGprof;
  public static String subjectNpt;
  public static String subjectPhases;
  public static String subjectReport;
  public static String subjectWaits;
  public static String waitCauses;
  public static String waitCausesTip;

  static {
    NLS.initializeMessages("org.parallax.ui.tables.messages", Messages.class);
  }

  private Messages() {
  }
}
