package org.parallax.ui.timeline;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.TexturePaint;
import java.awt.image.BufferedImage;
import org.parallax.analysis.compare.Change;
import org.parallax.analysis.timeline.StateColumns;

/**
 * Marks the states of a lane that differ from another run: slower ones with a red band at the bottom and lines that
 * rise, faster ones with a blue band at the top and lines that fall, so that place and direction tell them apart
 * without colours, too.
 */
final class DifferenceMarks {
  /** Red and blue that people with any kind of colour vision tell apart. */
  static final Color SLOWER = new Color(0xd7, 0x19, 0x1c);
  static final Color FASTER = new Color(0x2c, 0x5f, 0xd6);
  private static final int BAND = 4;
  private static final int TILE = 14;
  private static final int LEAST_HATCHED = 6;

  private final RunDifferences differences;
  private final TexturePaint rising = hatch(SLOWER, true);
  private final TexturePaint falling = hatch(FASTER, false);

  DifferenceMarks(RunDifferences differences) {
    this.differences = differences;
  }

  private static TexturePaint hatch(Color color, boolean rises) {
    BufferedImage tile = new BufferedImage(TILE, TILE, BufferedImage.TYPE_INT_ARGB);
    Graphics2D graphics = tile.createGraphics();
    for (int layer = 0; layer < 2; layer++) {
      // A light edge makes lines visible on any state.
      graphics.setPaint(layer == 0 ? new Color(255, 255, 255, 150) : color);
      graphics.setStroke(new BasicStroke(layer == 0 ? 3 : 1));
      for (int by = -TILE; by <= TILE; by += TILE) {
        graphics.drawLine(by, rises ? TILE : 0, by + TILE, rises ? 0 : TILE);
      }
    }
    graphics.dispose();
    return new TexturePaint(tile, new Rectangle(0, 0, TILE, TILE));
  }

  /** Draws the marks of a lane over its states. */
  void draw(Graphics2D graphics, int[] columns, int left, int top, int height) {
    for (int from = 0; from < columns.length;) {
      int change = change(columns[from]);
      int to = from + 1;
      while (to < columns.length && change(columns[to]) == change) {
        to++;
      }
      if (change != 0) {
        mark(graphics, change > 0, left + from, top, to - from, height);
      }
      from = to;
    }
  }

  private int change(int state) {
    Change change = state == StateColumns.NONE ? null : differences.of(state);
    return change == null ? 0 : change.isSlower() ? 1 : -1;
  }

  /** Draws the mark of one piece. */
  void mark(Graphics2D graphics, boolean isSlower, int x, int top, int width, int height) {
    if (width >= LEAST_HATCHED) {
      graphics.setPaint(isSlower ? rising : falling);
      graphics.fillRect(x, top, width, height);
    }
    int band = Math.min(BAND, height / 3);
    int y = isSlower ? top + height - band : top;
    graphics.setPaint(Color.WHITE);
    graphics.fillRect(x, isSlower ? y - 1 : y + band, width, 1);
    graphics.setPaint(isSlower ? SLOWER : FASTER);
    graphics.fillRect(x, y, width, band);
  }
}
