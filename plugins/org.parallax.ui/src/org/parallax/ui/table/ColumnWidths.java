package org.parallax.ui.table;

import java.util.List;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.widgets.Control;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;

/** How wide the columns of a table must be. */
final class ColumnWidths {
  static final int PADDING = 24;
  private static final int ICON = 22;
  private static final int MEASURED_ROWS = 200;
  private static final int MEASURED_CELLS = 2_000;
  static final int MIN_NAME_WIDTH = 140;
  private static final int MAX_TEXT_WIDTH = 420;
  /** A text at the end does not push anything out of sight. */
  private static final int MAX_LAST_WIDTH = 1000;

  private ColumnWidths() {
  }

  /**
   * The width in points that fits the heading and the first rows.
   *
   * @param column -1 for the names
   * @param columns how many of the table's columns are shown
   */
  static int fitting(Control widget, Table table, CellText text, String heading, int column,
      int columns) {
    List<Row> measured = table.rows().stream()
        .limit(Math.min(MEASURED_ROWS, MEASURED_CELLS / (columns + 1))).toList();
    GC gc = new GC(widget);
    try {
      int width = gc.textExtent(heading).x;
      if (column < 0) {
        for (Row row : measured) {
          width = Math.max(width, gc.textExtent(text.name(row)).x + ICON);
        }
        return Math.max(MIN_NAME_WIDTH, Math.min(width + PADDING, MAX_TEXT_WIDTH));
      }
      for (Row row : measured) {
        width = Math.max(width, gc.textExtent(text.cell(row, column)).x);
      }
      return text.isNumeric(column) ? width + PADDING
          : Math.min(width + PADDING, column == columns - 1 ? MAX_LAST_WIDTH : MAX_TEXT_WIDTH);
    } finally {
      gc.dispose();
    }
  }
}
