package org.parallax.ui.views;

import java.util.List;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.widgets.Control;
import org.parallax.analysis.Row;
import org.parallax.analysis.Table;

/** How wide the columns of a table must be. */
final class ColumnWidths {
  static final int PADDING = 24;
  private static final int ICON = 22;
  private static final int MEASURED_ROWS = 200;
  private static final int MEASURED_CELLS = 2_000;
  private static final int MIN_NAME_WIDTH = 140;
  private static final int MAX_TEXT_WIDTH = 420;
  /** A text at the end does not push anything out of sight. */
  private static final int MAX_LAST_WIDTH = 1000;

  private ColumnWidths() {
  }

  /**
   * Widths in points that fit the headings and the first rows, of the names first.
   *
   * @param columns how many of the table's columns are shown
   */
  static int[] fitting(Control widget, Table table, CellText text, String nameHeading,
      int columns) {
    int[] widths = new int[columns + 1];
    List<Row> measured = table.rows().stream()
        .limit(Math.min(MEASURED_ROWS, MEASURED_CELLS / widths.length)).toList();
    GC gc = new GC(widget);
    try {
      int names = gc.textExtent(nameHeading).x;
      for (Row row : measured) {
        names = Math.max(names, gc.textExtent(text.name(row)).x + ICON);
      }
      widths[0] = Math.max(MIN_NAME_WIDTH, Math.min(names + PADDING, MAX_TEXT_WIDTH));
      for (int column = 0; column < columns; column++) {
        int width = gc.textExtent(text.heading(column)).x;
        for (Row row : measured) {
          width = Math.max(width, gc.textExtent(text.cell(row, column)).x);
        }
        widths[column + 1] = text.isNumeric(column) ? width + PADDING
            : Math.min(width + PADDING, column == columns - 1 ? MAX_LAST_WIDTH : MAX_TEXT_WIDTH);
      }
    } finally {
      gc.dispose();
    }
    return widths;
  }
}
