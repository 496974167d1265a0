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
  /** With more runs of a state than this part of the columns, a picture is quicker than rectangles. */
  private static final int COLUMNS_OF_A_RUN = 16;
  /** Lanes that are not higher are drawn as one picture. */
  private static final int LOW = 2;
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
    RunDifferences differences = scene.frame().differences();
    DifferenceMarks marks = differences == null ? null : new DifferenceMarks(differences);
    if (!isComplete && !bands.isEmpty() && bands.get(0).height() <= LOW) {
      drawRaster(graphics, bands, states);
      return;
    }
    for (int i = 0; i < states.length; i++) {
      TimelineLayout.Band band = bands.get(i);
      drawLane(graphics, states[i], band.top(), band.height());
      if (marks != null && band.height() >= LEAST_MARKED) {
        marks.draw(graphics, states[i], plot.x, band.top(), band.height());
      }
    }
  }

  /** Many low lanes. */
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

  private void drawLane(Graphics2D graphics, int[] columns, int top, int height) {
    int left = plot.x;
    if (!isComplete && runs(columns) > columns.length / COLUMNS_OF_A_RUN) {
      drawStrip(graphics, columns, top, height);
      return;
    }
    for (int from = 0; from < columns.length;) {
      int state = columns[from];
      int to = from + 1;
      while (to < columns.length && columns[to] == state) {
        to++;
      }
      if (state != StateColumns.NONE) {
        graphics.setPaint(colors.of(state));
        graphics.fillRect(left + from, top, to - from, height);
        if (state == looked) {
          mark(graphics, left + from, to - from, top, height);
        }
        legend.count(state, to - from);
      }
      from = to;
    }
  }

  private static int runs(int[] columns) {
    int runs = 1;
    for (int column = 1; column < columns.length; column++) {
      runs += columns[column] == columns[column - 1] ? 0 : 1;
    }
    return runs;
  }

  /** Many short runs: a picture of one line that is made higher. */
  private void drawStrip(Graphics2D graphics, int[] columns, int top, int height) {
    BufferedImage strip = new BufferedImage(columns.length, 1, BufferedImage.TYPE_INT_RGB);
    int[] pixels = new int[columns.length];
    fill(pixels, columns, 1);
    strip.setRGB(0, 0, columns.length, 1, pixels, 0, columns.length);
    graphics.drawImage(strip, plot.x, top, columns.length, height, null);
    for (int column = 0; looked != StateColumns.NONE && column < columns.length; column++) {
      if (columns[column] == looked) {
        mark(graphics, plot.x + column, 1, top, height);
      }
    }
  }

  private void mark(Graphics2D graphics, int left, int width, int top, int height) {
    if (height >= LEAST_MARKED) {
      graphics.setPaint(theme.foreground());
      graphics.fillRect(left, top, width, 2);
      graphics.fillRect(left, top + height - 2, width, 2);
    }
  }
}
