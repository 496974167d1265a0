package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Lines that are counted look as those of Java 2D, drawn one after the other. At a slant its translucent lines
 * are up to 1.4 pixels wide, as it makes shapes of them; its opaque ones are one pixel wide, as ours are.
 */
class TranslucentLinesTest {
  private static final int WIDTH = 200;
  private static final int HEIGHT = 120;
  private static final Rectangle AREA = new Rectangle(20, 10, 150, 100);
  private static final Color FAINT = new Color(10, 20, 30, 110);

  private static BufferedImage picture(int[][] lines, Color color, boolean counted) {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setPaint(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, HEIGHT);
    graphics.clip(AREA);
    graphics.setPaint(color);
    TranslucentLines many = new TranslucentLines(AREA, 1);
    for (int[] line : lines) {
      if (counted) {
        many.add(line[0], line[1], line[2], line[3]);
      } else {
        graphics.drawLine(line[0], line[1], line[2], line[3]);
      }
    }
    if (counted) {
      many.draw(graphics, color);
    }
    graphics.dispose();
    return image;
  }

  private static int blue(BufferedImage image, int x, int y) {
    return image.getRGB(x, y) & 0xff;
  }

  @Test
  void straightAndDiagonalLinesAreTheSame() {
    int[][] lines = {{30, 20, 90, 20}, {30, 20, 30, 90}, {40, 30, 80, 70}, {0, 50, 199, 50},
        {100, 0, 100, 119}, {60, 20, 90, 20}};
    BufferedImage expected = picture(lines, FAINT, false);
    BufferedImage image = picture(lines, FAINT, true);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        assertEquals(blue(expected, x, y), blue(image, x, y), 3, x + ", " + y);
      }
    }
  }

  @Test
  void anyLinesCoverAsMuchAsOpaqueOnes() {
    long seed = 7;
    Random random = new Random(seed);
    int[][] lines = new int[40][];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = random.ints(4, -300, 500).toArray();
    }
    long expected = ink(picture(lines, Color.BLACK, false));
    long sum = ink(picture(lines, Color.BLACK, true));
    assertTrue(expected > 0);
    assertEquals(1, (double) sum / expected, 0.03, "seed " + seed);
  }

  private static long ink(BufferedImage image) {
    long sum = 0;
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        sum += 255 - blue(image, x, y);
      }
    }
    return sum;
  }
}
