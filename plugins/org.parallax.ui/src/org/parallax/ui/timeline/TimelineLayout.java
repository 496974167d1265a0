package org.parallax.ui.timeline;

import java.awt.FontMetrics;
import java.awt.Rectangle;
import java.util.List;

/**
 * Where the parts of a timeline are, in points.
 *
 * @param plot the lanes, without their names
 * @param rowHeight of each lane, and the gap below it
 * @param legendTop where the legend begins, below the plot
 * @param fontHeight of a line of text
 */
record TimelineLayout(Rectangle plot, int rowHeight, int legendTop, int legendRows, int fontHeight,
    int rows) {
  static final int MARGIN = 4;
  private static final int MOST_NAME = 3;

  /**
   * @param beside lanes of other runs, whose names get the same room
   * @param complete whether all rows are drawn, whatever the height
   */
  static TimelineLayout of(Lanes lanes, List<Lanes> beside, FontMetrics font, int width,
      int height, boolean complete) {
    int line = font.getHeight();
    int name = names(lanes, font);
    for (Lanes other : beside) {
      name = Math.max(name, names(other, font));
    }
    int left = Math.min(width / MOST_NAME, name + 4 * MARGIN);
    int top = line + 2 * MARGIN;
    int legendRows = height > 12 * line ? 2 : height > 6 * line ? 1 : 0;
    int legend = legendRows == 0 ? 0 : legendRows * (line + 2) + MARGIN;
    int space = Math.max(line, height - top - legend);
    int rows = Math.max(1, lanes.rows().size());
    int row = complete ? line + MARGIN
        : Math.max(line + 2, Math.min(3 * line, space / rows));
    int plotHeight = complete ? rows * row : Math.min(space, rows * row);
    return new TimelineLayout(
        new Rectangle(left, top, Math.max(1, width - left - 2 * MARGIN), plotHeight), row,
        top + plotHeight + MARGIN, legendRows, line, rows);
  }

  private static int names(Lanes lanes, FontMetrics font) {
    int name = 0;
    for (Lanes.Lane lane : lanes.rows()) {
      name = Math.max(name, font.stringWidth(lane.name()) + (lane.isInProcess() ? 2 * MARGIN : 0));
    }
    return name;
  }

  /** How many points high all rows are. */
  int rowsHeight() {
    return rows * rowHeight;
  }

  /** How far the rows can be scrolled. */
  int mostScroll() {
    return Math.max(0, rowsHeight() - plot.height);
  }

  /** The top of a row, which may be out of sight. */
  int top(int row, int scroll) {
    return plot.y + row * rowHeight - scroll;
  }

  /** The row at a height, or -1. */
  int rowAt(int y, int scroll) {
    if (y < plot.y || y >= plot.y + plot.height) {
      return -1;
    }
    int row = (y - plot.y + scroll) / rowHeight;
    return row < rows ? row : -1;
  }

  int firstRow(int scroll) {
    return Math.max(0, scroll / rowHeight);
  }

  /** The row after the last one of which something is in sight. */
  int endRow(int scroll) {
    return Math.min(rows, (scroll + plot.height + rowHeight - 1) / rowHeight);
  }
}
