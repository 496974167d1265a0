package org.parallax.ui.timeline;

import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.font.TextAttribute;
import java.util.Arrays;
import java.util.Map;
import org.parallax.ui.charts.ChartTheme;

/**
 * Draws the names of lanes and the marks of groups. Where lanes are lower than a line of text, as many
 * names are drawn as there is room for: those of groups first, then others at equal distances.
 */
final class LaneNames {
  /** The room for the mark of a group. */
  static final int MARK = 12;
  private static final int TRIANGLE = 4;
  private static final int MARGIN = TimelineLayout.MARGIN;

  private final TimelineScene scene;
  private final TimelineLayout layout;
  private final ChartTheme theme;
  private final int scroll;

  LaneNames(TimelineScene scene, TimelineLayout layout, ChartTheme theme, int scroll) {
    this.scene = scene;
    this.layout = layout;
    this.theme = theme;
    this.scroll = scroll;
  }

  void draw(Graphics2D graphics) {
    int from = layout.firstRow(scroll);
    int to = layout.endRow(scroll);
    drawSelection(graphics, from, to);
    int line = layout.fontHeight();
    if (layout.rowHeight() >= line) {
      for (int row = from; row < to; row++) {
        drawName(graphics, row);
      }
    } else {
      // Which lines of points have a name already.
      boolean[] taken = new boolean[layout.plot().y + layout.plot().height + 2 * line];
      for (int row = from; row < to; row++) {
        if (scene.lanes().rows().get(row).group() != null || row == scene.current()) {
          drawIfFree(graphics, row, taken);
        }
      }
      int each = (int) Math.ceil((line + MARGIN) / layout.rowHeight());
      for (int row = (from + each - 1) / each * each; row < to; row += each) {
        drawIfFree(graphics, row, taken);
      }
    }
    graphics.setFont(theme.font());
  }

  private void drawSelection(Graphics2D graphics, int from, int to) {
    for (int row = from; row < to; row++) {
      Lanes.Lane lane = scene.lanes().rows().get(row);
      int top = layout.top(row, scroll);
      int height = Math.max(1, layout.top(row + 1, scroll) - top);
      if (row == scene.current()) {
        graphics.setPaint(theme.grid());
        graphics.fillRect(MARGIN, top, layout.plot().x - MARGIN - 1, Math.max(1, height - 1));
      }
      if (lane.threads().stream().anyMatch(scene.selected()::contains)) {
        graphics.setPaint(theme.line(0));
        graphics.fillRect(0, top, MARGIN - 1, height);
      }
    }
  }

  private void drawIfFree(Graphics2D graphics, int row, boolean[] taken) {
    int top = layout.middle(row, scroll) - layout.fontHeight() / 2;
    int end = top + layout.fontHeight();
    if (top < layout.plot().y - layout.fontHeight() / 2 || end > taken.length) {
      return;
    }
    for (int y = Math.max(0, top); y < end; y++) {
      if (taken[y]) {
        return;
      }
    }
    Arrays.fill(taken, Math.max(0, top), end, true);
    drawName(graphics, row);
  }

  private void drawName(Graphics2D graphics, int row) {
    Lanes.Lane lane = scene.lanes().rows().get(row);
    Font font = lane.isThread() ? theme.font()
        : theme.font().deriveFont(Map.of(TextAttribute.WEIGHT, TextAttribute.WEIGHT_BOLD));
    graphics.setFont(font);
    graphics.setPaint(theme.foreground());
    FontMetrics metrics = graphics.getFontMetrics();
    int middle = layout.middle(row, scroll);
    int left = 2 * MARGIN + Lanes.indent(lane);
    if (lane.group() != null) {
      drawMark(graphics, left - MARK, middle, lane.isFolded());
    }
    graphics.drawString(shortened(lane.name(), metrics, layout.plot().x - left - MARGIN), left,
        middle - metrics.getHeight() / 2 + metrics.getAscent());
  }

  private static void drawMark(Graphics2D graphics, int left, int middle, boolean isFolded) {
    int half = TRIANGLE;
    if (isFolded) {
      graphics.fillPolygon(new int[] {left + 2, left + 2 + half, left + 2},
          new int[] {middle - half, middle, middle + half}, 3);
    } else {
      graphics.fillPolygon(new int[] {left, left + 2 * half, left + half},
          new int[] {middle - half / 2, middle - half / 2, middle + half / 2}, 3);
    }
  }

  private static String shortened(String name, FontMetrics metrics, int width) {
    if (metrics.stringWidth(name) <= width) {
      return name;
    }
    int length = name.length();
    while (length > 1 && metrics.stringWidth(name.substring(0, length) + "\u2026") > width) {
      length--;
    }
    return name.substring(0, length) + "\u2026";
  }
}
