package org.parallax.ui.timeline;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/**
 * Many lines that let through what is below them, one pixel wide and not smooth. Java 2D makes a shape of each
 * such line, in 0.1 ms; here the lines through each pixel are counted, and all of them are laid over a
 * picture at once. O(pixels of the area + pixels of the lines).
 */
final class TranslucentLines {
  private static final int OPAQUE = 255;

  private final Rectangle area;
  private final double scale;
  private final BufferedImage image;
  /** Lines through a pixel, and then its colour. */
  private final int[] pixels;
  private final int width;
  private final int height;

  /**
   * @param area where lines can be seen, in points
   * @param scale pixels of a point
   */
  TranslucentLines(Rectangle area, double scale) {
    this.area = area;
    this.scale = scale;
    width = Math.max(1, (int) Math.ceil(area.width * scale));
    height = Math.max(1, (int) Math.ceil(area.height * scale));
    image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
  }

  /** Adds a line with both of its ends, in points; it may leave the area. */
  void add(int x1, int y1, int x2, int y2) {
    double x = (x1 - area.x) * scale;
    double y = (y1 - area.y) * scale;
    double dx = (x2 - x1) * scale;
    double dy = (y2 - y1) * scale;
    double steps = Math.max(1, Math.max(Math.abs(dx), Math.abs(dy)));
    double stepX = dx / steps;
    double stepY = dy / steps;
    double first = Math.max(0, Math.max(enters(x, stepX, width), enters(y, stepY, height)));
    double last = Math.min(steps, Math.min(leaves(x, stepX, width), leaves(y, stepY, height)));
    for (double step = Math.floor(first); step <= last; step++) {
      int column = (int) Math.floor(x + step * stepX + 0.5);
      int row = (int) Math.floor(y + step * stepY + 0.5);
      if (column >= 0 && column < width && row >= 0 && row < height) {
        pixels[row * width + column]++;
      }
    }
  }

  /** After how many steps a coordinate is from 0 to a size; infinite if never. */
  private static double enters(double from, double step, int size) {
    if (step == 0) {
      return from >= 0 && from < size ? 0 : Double.POSITIVE_INFINITY;
    }
    return step > 0 ? -from / step : (size - from) / step;
  }

  private static double leaves(double from, double step, int size) {
    if (step == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return step > 0 ? (size - from) / step : -from / step;
  }

  /** Draws all lines that were added, as if one was drawn after the other; called once. */
  void draw(Graphics2D graphics, Color color) {
    int rgb = color.getRGB() & 0xffffff;
    double through = 1 - color.getAlpha() / (double) OPAQUE;
    for (int i = 0; i < pixels.length; i++) {
      if (pixels[i] > 0) {
        int alpha = (int) Math.round(OPAQUE * (1 - Math.pow(through, pixels[i])));
        pixels[i] = alpha << 24 | rgb;
      }
    }
    AffineTransform place = AffineTransform.getTranslateInstance(area.x, area.y);
    place.scale(1 / scale, 1 / scale);
    graphics.drawImage(image, place, null);
  }
}
