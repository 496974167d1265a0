package org.parallax.analysis.text;

import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.table.Table;

/** What the columns of reports say, in a sentence: what {@code docs/reports.md} tells of them. */
public final class ColumnHelp {
  private static final ResourceBundle TEXTS =
      ResourceBundle.getBundle("org.parallax.analysis.text.columns");

  private ColumnHelp() {}

  /**
   * @param column index in the table, or -1 for the names of rows
   * @return the empty text where there is nothing to tell, such as of a column that is a process
   */
  public static String of(Table table, int column) {
    if (column < 0) {
      return "";
    }
    String key = table.columns().get(column).key();
    int dot = key.lastIndexOf('.');
    String part = key.substring(dot + 1);
    if (dot > 0 && ComparisonReport.PARTS.contains(part)) {
      String whole = text(table.report() + "." + key.substring(0, dot));
      return text("difference." + part) + (whole.isEmpty() ? "" : "\n" + whole);
    }
    String own = text(table.report() + "." + key);
    boolean isDifference = !ComparisonReport.comparedColumns(table).isEmpty();
    return own.isEmpty() && isDifference ? text("difference." + key) : own;
  }

  /** @return what a row says that is a measure, as those of metrics are; else the empty text */
  public static String ofRow(String report, String name) {
    return text(report + "." + name.replace(' ', '_'));
  }

  private static String text(String key) {
    try {
      return TEXTS.getString(key);
    } catch (MissingResourceException e) {
      return "";
    }
  }
}
