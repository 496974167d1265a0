package org.parallax.ui.timeline;

import java.awt.FontMetrics;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the parts of a timeline are, in points.
 *
 * @param plot the lanes, without their names
 * @param rowHeight of each lane, and the gap below it; less than a point where several share one
 * @param legendTop where the legend begins, below the plot
 * @param fontHeight of a line of text
 * @param rows how many there are; can be 0
 * @param space the most that the plot can be high
 * @param phaseRows how many rows of phases stand between the axis and the lanes
 */
record TimelineLayout(Rectangle plot, double rowHeight, int legendTop, int legendRows, int fontHeight,
    int rows, int space, int phaseRows) {
  static final int MARGIN = 4;
  private static final int MOST_NAME = 3;
  /** Lanes of this height have a gap, and those of the other one have it above and below. */
  private static final int LEAST_GAP = 3;
  private static final int LEAST_GAPS = 6;
  /** Lower pictures have no rows of phases. */
  private static final int LEAST_LINES = 5;
  private static final double ROUNDING = 1e-6;

  /**
   * Lanes that are drawn as one: a lane, or those that share a line of points.
   *
   * @param top of what is drawn, without gaps
   */
  record Band(int fromRow, int toRow, int top, int height) {
    boolean isOneLane() {
      return toRow == fromRow + 1;
    }
  }

  /**
   * @param beside lanes of other runs, whose names get the same room
   * @param phaseRows rows of phases above the lanes
   * @param complete whether all rows are drawn, whatever the height
   */
  static TimelineLayout of(Lanes lanes, List<Lanes> beside, FontMetrics font, LaneHeight wanted,
      int phaseRows, int width, int height, boolean complete) {
    int line = font.getHeight();
    int name = lanes.nameWidth(font);
    for (Lanes other : beside) {
      name = Math.max(name, other.nameWidth(font));
    }
    int left = Math.min(width / MOST_NAME, name + 4 * MARGIN);
    int room = Math.max(0, height / line - LEAST_LINES) / 2;
    int phases = complete ? phaseRows : Math.min(phaseRows, room);
    int top = line + 2 * MARGIN + phases * phaseHeight(line);
    int legendRows = height > 12 * line ? 2 : height > 6 * line ? 1 : 0;
    int legend = legendRows == 0 ? 0 : legendRows * (line + 2) + MARGIN;
    int rows = lanes.rows().size();
    int space = complete ? rows * (line + MARGIN) : Math.max(line, height - top - legend);
    double row = complete ? line + MARGIN : wanted.of(line, space, rows);
    return new TimelineLayout(new Rectangle(left, top, Math.max(1, width - left - 2 * MARGIN), 0),
        row, 0, legendRows, line, rows, space, phases).filled();
  }

  /** The same with lanes of another height. */
  TimelineLayout with(LaneHeight wanted) {
    return new TimelineLayout(plot, wanted.of(fontHeight, space, rows), legendTop, legendRows,
        fontHeight, rows, space, phaseRows).filled();
  }

  private TimelineLayout filled() {
    int high = Math.min(space, rowsHeight());
    return new TimelineLayout(new Rectangle(plot.x, plot.y, plot.width, high), rowHeight,
        plot.y + high + MARGIN, legendRows, fontHeight, rows, space, phaseRows);
  }

  /** The place of a time, near enough to what is in sight for lines that leave it. */
  int pixel(TimeWindow window, long timeNs) {
    double x = plot.x + window.place(timeNs, plot.width);
    return (int) Math.round(Math.max(-16.0 * plot.width, Math.min(16.0 * plot.width, x)));
  }

  private static int phaseHeight(int line) {
    return line + MARGIN;
  }

  /** With the gap below it. */
  int phaseHeight() {
    return phaseHeight(fontHeight);
  }

  /** The top of a row of phases. */
  int phaseTop(int row) {
    return plot.y - MARGIN - (phaseRows - row) * phaseHeight();
  }

  /** How many points high all rows are. */
  int rowsHeight() {
    return (int) Math.ceil(rows * rowHeight - ROUNDING);
  }

  /** How far the rows can be scrolled. */
  int mostScroll() {
    return Math.max(0, rowsHeight() - plot.height);
  }

  private int offset(int row) {
    return (int) Math.floor(row * rowHeight + ROUNDING);
  }

  /** The top of a row, which may be out of sight. */
  int top(int row, int scroll) {
    return plot.y + offset(row) - scroll;
  }

  /** The middle of a row, which may be out of sight. */
  int middle(int row, int scroll) {
    return plot.y + (int) ((row + 0.5) * rowHeight) - scroll;
  }

  /** The row at a height, the first one of those that share it; -1 for none. */
  int rowAt(int y, int scroll) {
    if (y < plot.y || y >= plot.y + plot.height) {
      return -1;
    }
    int row = firstAt(y - plot.y + scroll);
    return row < rows ? row : -1;
  }

  /** The first row that begins at this height, else the one in which it is. */
  private int firstAt(int offset) {
    int row = (int) (offset / rowHeight);
    while (offset(row + 1) <= offset) {
      row++;
    }
    while (row > 0 && offset(row - 1) >= offset) {
      row--;
    }
    return row;
  }

  int firstRow(int scroll) {
    return Math.max(0, firstAt(scroll));
  }

  /** The row after the last one of which something is in sight. */
  int endRow(int scroll) {
    int end = firstAt(scroll + plot.height);
    return Math.min(rows, offset(end) < scroll + plot.height ? end + 1 : end);
  }

  /** What is drawn of the lanes in sight, from top to bottom. */
  List<Band> bands(int scroll) {
    int above = rowHeight >= LEAST_GAPS ? 1 : 0;
    int gap = above + (rowHeight >= LEAST_GAP ? 1 : 0);
    List<Band> bands = new ArrayList<>();
    int end = endRow(scroll);
    for (int row = firstRow(scroll); row < end;) {
      int top = offset(row);
      int next = row + 1;
      while (next < end && offset(next) == top) {
        next++;
      }
      bands.add(new Band(row, next, plot.y + top - scroll + above,
          Math.max(1, offset(next) - top - gap)));
      row = next;
    }
    return bands;
  }
}
