package org.parallax.ui.timeline;

import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.util.Arrays;
import java.util.List;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.model.program.Procedure;
import org.parallax.ui.charts.ChartTheme;

/** Draws the states of lanes, and counts them for the legend. */
final class LanePainter {
  /** Lanes that are lower have no room for marks. */
  private static final int LEAST_MARKED = 6;

  private final TimelineScene scene;
  private final Rectangle plot;
  private final ChartTheme theme;
  private final StateColors colors;
  private final Legend legend;
  private final boolean isComplete;
  private final int looked;

  /** @param isComplete whether what is drawn can be a file of rectangles */
  LanePainter(TimelineScene scene, Rectangle plot, ChartTheme theme, StateColors colors, Legend legend,
      boolean isComplete) {
    this.scene = scene;
    this.plot = plot;
    this.theme = theme;
    this.colors = colors;
    this.legend = legend;
    this.isComplete = isComplete;
    looked = looked();
  }

  /** The state of the procedure that is looked at. */
  private int looked() {
    Procedure procedure = scene.procedure();
    return procedure == null || !scene.timeline().workload().applications()
        .contains(procedure.getApplication()) ? StateColumns.NONE
        : scene.timeline().workload().id(procedure);
  }

  /** @param states of each band */
  void draw(Graphics2D graphics, List<TimelineLayout.Band> bands, int[][] states) {
    if (isComplete) {
      for (int i = 0; i < states.length; i++) {
        drawLane(graphics, states[i], bands.get(i));
      }
    } else {
      drawRaster(graphics, bands, states);
    }
    RunDifferences differences = scene.frame().differences();
    DifferenceMarks marks = differences == null ? null : new DifferenceMarks(differences);
    for (int i = 0; i < states.length; i++) {
      TimelineLayout.Band band = bands.get(i);
      if (band.height() >= LEAST_MARKED) {
        markLooked(graphics, states[i], band);
        if (marks != null) {
          marks.draw(graphics, states[i], plot.x, band.top(), band.height());
        }
      }
    }
  }

  /** All lanes as one picture: a line of each is filled, and copied to the lines below. */
  private void drawRaster(Graphics2D graphics, List<TimelineLayout.Band> bands, int[][] states) {
    int width = plot.width;
    int height = Math.max(1, plot.height);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    Arrays.fill(pixels, theme.background().getRGB());
    int[] line = new int[width];
    for (int i = 0; i < states.length; i++) {
      TimelineLayout.Band band = bands.get(i);
      fill(line, states[i], band.toRow() - band.fromRow());
      int from = Math.max(0, band.top() - plot.y);
      int to = Math.min(height, band.top() - plot.y + band.height());
      for (int y = from; y < to; y++) {
        System.arraycopy(line, 0, pixels, y * width, width);
      }
    }
    graphics.drawImage(image, plot.x, plot.y, null);
  }

  private void fill(int[] pixels, int[] columns, int weight) {
    int nothing = theme.background().getRGB();
    for (int from = 0; from < columns.length;) {
      int state = columns[from];
      int to = from + 1;
      while (to < columns.length && columns[to] == state) {
        to++;
      }
      Arrays.fill(pixels, from, to, state == StateColumns.NONE ? nothing : colors.of(state).getRGB());
      if (state != StateColumns.NONE) {
        legend.count(state, weight * (to - from));
      }
      from = to;
    }
  }

  /** A lane as rectangles, of which files can be made. */
  private void drawLane(Graphics2D graphics, int[] columns, TimelineLayout.Band band) {
    for (int from = 0; from < columns.length;) {
      int state = columns[from];
      int to = from + 1;
      while (to < columns.length && columns[to] == state) {
        to++;
      }
      if (state != StateColumns.NONE) {
        graphics.setPaint(colors.of(state));
        graphics.fillRect(plot.x + from, band.top(), to - from, band.height());
        legend.count(state, to - from);
      }
      from = to;
    }
  }

  /** Lines above and below what is spent in the procedure that is looked at. */
  private void markLooked(Graphics2D graphics, int[] columns, TimelineLayout.Band band) {
    if (looked == StateColumns.NONE) {
      return;
    }
    graphics.setPaint(theme.foreground());
    for (int from = 0; from < columns.length;) {
      int to = from + 1;
      while (to < columns.length && columns[to] == columns[from]) {
        to++;
      }
      if (columns[from] == looked) {
        graphics.fillRect(plot.x + from, band.top(), to - from, 2);
        graphics.fillRect(plot.x + from, band.top() + band.height() - 2, to - from, 2);
      }
      from = to;
    }
  }
}
