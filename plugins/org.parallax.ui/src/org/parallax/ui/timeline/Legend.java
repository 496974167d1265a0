package org.parallax.ui.timeline;

import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.util.stream.IntStream;
import org.parallax.ui.charts.ChartTheme;

/** The colours in a picture with their names, those first that it has most of. */
final class Legend {
  private static final int MARGIN = TimelineLayout.MARGIN;
  private static final int MOST_NAME = 28;

  private final TimelineScene scene;
  private final ChartTheme theme;
  private final StateColors colors;
  private final long[] counts;

  Legend(TimelineScene scene, ChartTheme theme, StateColors colors) {
    this.scene = scene;
    this.theme = theme;
    this.colors = colors;
    counts = new long[scene.timeline().stateCount()];
  }

  void count(int state, int columns) {
    counts[state] += columns;
  }

  void draw(Graphics2D graphics, FontMetrics metrics, TimelineLayout layout, int width) {
    int box = metrics.getAscent();
    int x = MARGIN;
    int row = 0;
    int[] states = IntStream.range(0, counts.length).filter(state -> counts[state] > 0).boxed()
        .sorted((a, b) -> Long.compare(counts[b], counts[a])).mapToInt(Integer::intValue).toArray();
    for (int state : states) {
      String full = scene.timeline().name(state);
      String name =
          full.length() > MOST_NAME ? full.substring(0, MOST_NAME - 1) + "\u2026" : full;
      RunDifferences differences = scene.frame().differences();
      String mark = differences == null ? "" : differences.mark(state);
      if (!mark.isEmpty()) {
        name += "  " + mark;
      }
      int needed = box + MARGIN + metrics.stringWidth(name) + 4 * MARGIN;
      if (x + needed > width && x > MARGIN) {
        x = MARGIN;
        row++;
      }
      if (row >= layout.legendRows()) {
        return;
      }
      int top = layout.legendTop() + row * (layout.fontHeight() + 2);
      graphics.setPaint(colors.of(state));
      graphics.fillRect(x, top, box, box);
      if (!mark.isEmpty()) {
        new DifferenceMarks(differences).mark(
            graphics, differences.of(state).isSlower(), x, top, box, box);
      }
      graphics.setPaint(theme.foreground());
      graphics.drawString(name, x + box + MARGIN, top + metrics.getAscent());
      x += needed;
    }
  }
}
