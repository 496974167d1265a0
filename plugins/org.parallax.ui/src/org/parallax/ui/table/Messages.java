package org.parallax.ui.table;

import org.eclipse.osgi.util.NLS;

/** The texts of tables: columns, filter, export, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String columnDown;
  public static String columns;
  public static String columnsAll;
  public static String columnsLabel;
  public static String columnsReset;
  public static String columnsTitle;
  public static String columnUp;
  public static String copy;
  public static String export;
  public static String exportCsv;
  public static String exportFailed;
  public static String exportJob;
  public static String exportJson;
  public static String exportText;
  public static String exportTitle;
  public static String filter;
  public static String filterCount;
  public static String filterHint;
  public static String filterJob;
  public static String filterTip;
  public static String prepareJob;
  public static String selectAll;
  public static String sortBy;
  public static String sortDown;
  public static String sortJob;
  public static String sortNone;
  public static String sortUp;

  static {
    NLS.initializeMessages("org.parallax.ui.table.messages", Messages.class);
  }

  private Messages() {
  }
}
