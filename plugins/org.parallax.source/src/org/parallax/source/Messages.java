package org.parallax.source;

import org.eclipse.osgi.util.NLS;

/** The texts of the annotations in editors, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String att;
  public static String between;
  public static String calledFrom;
  public static String caller;
  public static String calls;
  public static String changed;
  public static String column;
  public static String columnAddress;
  public static String columnAddressTip;
  public static String columnInlined;
  public static String columnInlinedTip;
  public static String columnInstruction;
  public static String columnInstructionTip;
  public static String columnJumpsTip;
  public static String columnSamples;
  public static String columnSamplesTip;
  public static String columnSource;
  public static String columnSourceTip;
  public static String columnTime;
  public static String columnTimeTip;
  public static String computeFailed;
  public static String computeJob;
  public static String cpu;
  public static String exclusive;
  public static String functionIn;
  public static String functionsIn;
  public static String functionsJob;
  public static String headCpu;
  public static String headExclusive;
  public static String headInclusive;
  public static String headInterval;
  public static String headSensitivity;
  public static String headPath;
  public static String headSamples;
  public static String headWait;
  public static String inclusive;
  public static String intel;
  public static String interval;
  public static String intervalOf;
  public static String line;
  public static String lineIn;
  public static String lineOf;
  public static String matchJob;
  public static String more;
  public static String noNumbers;
  public static String noProcedure;
  public static String notInTrace;
  public static String number;
  public static String numberAndPercent;
  public static String oneSample;
  public static String pageAdd;
  public static String pageDescription;
  public static String pageFrom;
  public static String pageHeat;
  public static String pageHover;
  public static String pageMaps;
  public static String pageNumbers;
  public static String pageRemove;
  public static String pageShow;
  public static String pageTo;
  public static String partOf;
  public static String path;
  public static String profileOfLine;
  public static String samples;
  public static String sensitivity;
  public static String someSamples;
  public static String subjectDisassembly;
  public static String syntax;
  public static String uncertain;
  public static String wait;

  static {
    NLS.initializeMessages("org.parallax.source.messages", Messages.class);
  }

  private Messages() {
  }
}
