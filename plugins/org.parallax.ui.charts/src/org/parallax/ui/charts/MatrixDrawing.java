package org.parallax.ui.charts;

import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import org.jfree.chart.ChartRenderingInfo;
import org.parallax.analysis.reports.TrafficMatrix;
import org.parallax.analysis.reports.TrafficMatrix.Cell;
import org.parallax.analysis.reports.TrafficMatrix.Metric;
import org.parallax.analysis.text.Quantity;

/**
 * A communication matrix, its cells coloured by the logarithm of a metric: rows send and columns
 * receive. Where there are more cells than pixels, a pixel has the colour of the largest one in it.
 */
public final class MatrixDrawing implements Drawing {
  private static final int MARGIN = 6;
  private static final int MOST_CHARACTERS = 18;
  private static final double CHARACTER = 0.62;
  private static final int LEGEND = 14;
  /** Smaller cells have no space between them. */
  private static final int SPACED = 6;

  /**
   * Where the cells are.
   *
   * @param firstRow index of the first row that is shown
   * @param firstColumn index of the first column that is shown
   * @param count how many of each are
   * @param left where the first column begins
   * @param top where the first row begins
   * @param cell width and height of a cell, in points
   */
  public record Layout(int firstRow, int firstColumn, int count, int left, int top, double cell) {
    /** Fits a part of a matrix into a canvas. */
    public static Layout of(TrafficMatrix matrix, int firstRow, int firstColumn, int count, int width,
        int height, int fontSize) {
      int longest = matrix.parts().stream().mapToInt(part -> part.name().length()).max().orElse(1);
      int labels =
          (int) Math.ceil(Math.min(longest, MOST_CHARACTERS) * CHARACTER * fontSize) + MARGIN;
      int left = MARGIN + labels + fontSize + MARGIN;
      int top = left;
      double room = Math.min(width - left - 9 * fontSize - LEGEND, height - top - MARGIN);
      return new Layout(firstRow, firstColumn, count, left, top, Math.max(1, room) / count);
    }

    /** @return the first row at a position, or -1 outside of the matrix */
    public int row(int y) {
      int row = (int) Math.floor((y - top) / cell);
      return y < top || row >= count ? -1 : firstRow + row;
    }

    /** @return the first column at a position, or -1 outside of the matrix */
    public int column(int x) {
      int column = (int) Math.floor((x - left) / cell);
      return x < left || column >= count ? -1 : firstColumn + column;
    }

    /** @return how many rows, and columns, a point has; at least 1 */
    public int inAPoint() {
      return (int) Math.max(1, Math.ceil(1 / cell));
    }

    /** @return where a cell is */
    public Rectangle2D bounds(int row, int column) {
      return new Rectangle2D.Double(left + (column - firstColumn) * cell,
          top + (row - firstRow) * cell, cell, cell);
    }
  }

  private final TrafficMatrix matrix;
  private final Metric metric;
  private final int firstRow;
  private final int firstColumn;
  private final int count;
  private final ChartTheme theme;
  private final String senders;
  private final String receivers;
  private final double largest;
  /** Of what is there. */
  private final double least;

  /**
   * @param count how many rows and columns are shown
   * @param senders label of the rows
   * @param receivers label of the columns
   */
  public MatrixDrawing(TrafficMatrix matrix, Metric metric, int firstRow, int firstColumn, int count,
      String senders, String receivers, ChartTheme theme) {
    this.matrix = matrix;
    this.metric = metric;
    this.firstRow = firstRow;
    this.firstColumn = firstColumn;
    this.count = count;
    this.senders = senders;
    this.receivers = receivers;
    this.theme = theme;
    largest = matrix.largest(metric);
    least = matrix.least(metric);
  }

  @Override
  public void draw(Graphics2D graphics, int width, int height, ChartRenderingInfo info) {
    Layout layout = Layout.of(
        matrix, firstRow, firstColumn, count, width, height, theme.font().getSize());
    graphics.setColor(theme.background());
    graphics.fillRect(0, 0, width, height);
    graphics.setFont(theme.font());
    double side = layout.cell() * count;
    graphics.setColor(empty());
    graphics.fill(new Rectangle2D.Double(layout.left(), layout.top(), side, side));
    if (layout.cell() < SPACED) {
      drawPixels(graphics, layout, (int) Math.ceil(side));
    } else {
      drawCells(graphics, layout);
    }
    graphics.setColor(theme.grid());
    graphics.draw(new Rectangle2D.Double(layout.left() - 1, layout.top() - 1, side + 1, side + 1));
    drawLabels(graphics, layout);
    drawLegend(graphics, layout, side);
  }

  private Color empty() {
    return ChartTheme.mix(theme.background(), theme.foreground(), 0.04);
  }

  private boolean isShown(Cell cell) {
    return cell.from() >= firstRow && cell.from() < firstRow + count
        && cell.to() >= firstColumn && cell.to() < firstColumn + count && cell.value(metric) > 0;
  }

  private void drawCells(Graphics2D graphics, Layout layout) {
    for (Cell cell : matrix.cells()) {
      if (isShown(cell)) {
        Rectangle2D bounds = layout.bounds(cell.from(), cell.to());
        graphics.setColor(color(cell.value(metric)));
        graphics.fill(new Rectangle2D.Double(bounds.getX() + 0.5, bounds.getY() + 0.5,
            bounds.getWidth() - 1, bounds.getHeight() - 1));
      }
    }
  }

  private void drawPixels(Graphics2D graphics, Layout layout, int side) {
    int pixels = Math.max(1, side);
    long[] most = new long[pixels * pixels];
    double scale = pixels / (double) count;
    for (Cell cell : matrix.cells()) {
      if (isShown(cell)) {
        int top = (int) ((cell.from() - firstRow) * scale);
        int left = (int) ((cell.to() - firstColumn) * scale);
        int bottom = Math.max(top + 1, (int) ((cell.from() - firstRow + 1) * scale));
        int right = Math.max(left + 1, (int) ((cell.to() - firstColumn + 1) * scale));
        for (int y = top; y < Math.min(bottom, pixels); y++) {
          for (int x = left; x < Math.min(right, pixels); x++) {
            most[y * pixels + x] = Math.max(most[y * pixels + x], cell.value(metric));
          }
        }
      }
    }
    BufferedImage image = new BufferedImage(pixels, pixels, BufferedImage.TYPE_INT_ARGB);
    for (int i = 0; i < most.length; i++) {
      if (most[i] > 0) {
        image.setRGB(i % pixels, i / pixels, color(most[i]).getRGB());
      }
    }
    graphics.drawImage(image, layout.left(), layout.top(), null);
  }

  /** From pale to strong on a light ground, from dim to bright on a dark one. */
  Color color(long value) {
    return shade(largest <= least ? 1 : Math.log(value / least) / Math.log(largest / least));
  }

  private Color shade(double share) {
    Color strong = theme.line(0);
    Color pale = ChartTheme.mix(theme.background(), strong, 0.22);
    Color end = ChartTheme.mix(strong,
        ChartTheme.isDark(theme.background()) ? Color.WHITE : theme.foreground(), 0.55);
    return share < 0.6 ? ChartTheme.mix(pale, strong, share / 0.6)
        : ChartTheme.mix(strong, end, (share - 0.6) / 0.4);
  }

  private void drawLabels(Graphics2D graphics, Layout layout) {
    FontMetrics metrics = graphics.getFontMetrics();
    graphics.setColor(theme.foreground());
    int step = (int) Math.max(1, Math.ceil(metrics.getHeight() / layout.cell()));
    int room = layout.left() - 3 * MARGIN - metrics.getHeight();
    AffineTransform straight = graphics.getTransform();
    for (int i = 0; i < count; i += step) {
      double middle = (i + 0.5) * layout.cell();
      int down = (metrics.getAscent() - metrics.getDescent()) / 2;
      String row = fitting(matrix.parts().get(firstRow + i).name(), metrics, room);
      graphics.drawString(row, layout.left() - MARGIN - metrics.stringWidth(row),
          (float) (layout.top() + middle + down));
      String column = fitting(matrix.parts().get(firstColumn + i).name(), metrics, room);
      graphics.translate(layout.left() + middle + down, layout.top() - MARGIN);
      graphics.rotate(-Math.PI / 2);
      graphics.drawString(column, 0, 0);
      graphics.setTransform(straight);
    }
    double side = layout.cell() * count;
    graphics.setColor(ChartTheme.mix(theme.background(), theme.foreground(), 0.65));
    graphics.drawString(receivers,
        (float) (layout.left() + (side - metrics.stringWidth(receivers)) / 2),
        MARGIN + metrics.getAscent());
    graphics.translate(MARGIN + metrics.getAscent(),
        layout.top() + (side + metrics.stringWidth(senders)) / 2);
    graphics.rotate(-Math.PI / 2);
    graphics.drawString(senders, 0, 0);
    graphics.setTransform(straight);
  }

  /** The end of names tells processes of one program apart. */
  private static String fitting(String name, FontMetrics metrics, int room) {
    String text = name;
    while (text.length() > 2 && metrics.stringWidth("\u2026" + text) > room
        && !(text.equals(name) && metrics.stringWidth(name) <= room)) {
      text = text.substring(1);
    }
    return text.equals(name) ? name : "\u2026" + text;
  }

  private void drawLegend(Graphics2D graphics, Layout layout, double side) {
    if (largest <= 0) {
      return;
    }
    FontMetrics metrics = graphics.getFontMetrics();
    double left = layout.left() + side + 2 * MARGIN;
    double height = Math.max(Math.min(side, 160), 3 * metrics.getHeight());
    for (int y = 0; y < height; y++) {
      graphics.setColor(shade(1 - y / height));
      graphics.fill(new Rectangle2D.Double(left, layout.top() + y, LEGEND, 1.2));
    }
    graphics.setColor(theme.foreground());
    double[] shares = largest <= least ? new double[] {1}
        : height < 5 * metrics.getHeight() ? new double[] {1, 0}
        : new double[] {1, 0.75, 0.5, 0.25, 0};
    for (double share : shares) {
      long value = Math.round(least * Math.pow(largest / least, share));
      graphics.drawString(text(metric, value), (float) (left + LEGEND + MARGIN),
          (float) (layout.top() + (1 - share) * (height - metrics.getAscent())
              + metrics.getAscent()));
    }
  }

  /** A value with its unit. */
  public static String text(Metric metric, long value) {
    return switch (metric.unit()) {
      case BYTES -> Quantity.size(value);
      case NANOSECONDS -> Quantity.time(value);
      default -> Quantity.count(value);
    };
  }
}
