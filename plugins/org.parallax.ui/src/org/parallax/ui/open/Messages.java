package org.parallax.ui.open;

import org.eclipse.osgi.util.NLS;

/** The texts of imports, of the example and of opening, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String commandFailed;
  public static String exampleFailed;
  public static String exampleJob;
  public static String exampleMissing;
  public static String exampleProject;
  public static String importBrowse;
  public static String importCopy;
  public static String importCopyFailed;
  public static String importCopyRest;
  public static String importDefaultProject;
  public static String importDescription;
  public static String importDirectory;
  public static String importExists;
  public static String importIncomplete;
  public static String importLink;
  public static String importNoDirectory;
  public static String importOpen;
  public static String importProject;
  public static String importTask;
  public static String importTitle;
  public static String importValidate;
  public static String nothingOpen;
  public static String notWritten;
  public static String openDirectory;
  public static String openDirectoryHint;
  public static String reopenAgain;
  public static String reopenNot;
  public static String reopenOpen;
  public static String reopenTitle;
  public static String traceSuffix;

  static {
    NLS.initializeMessages("org.parallax.ui.open.messages", Messages.class);
  }

  private Messages() {
  }
}
