package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.image.BufferedImage;
import java.util.Random;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Display;
import org.junit.jupiter.api.Test;
import org.parallax.ui.charts.ChartPicture;

/** Pictures are drawn as they are, wherever they are cut into strips. */
class ChartPictureTest {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 601;
  private static final int WHITE = 0xffffff;

  private final Display display = Display.getCurrent();

  private static BufferedImage noise() {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Random random = new Random(5);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        image.setRGB(x, y, random.nextInt(WHITE));
      }
    }
    return image;
  }

  /** What is on a white page after drawing. */
  private ImageData drawn(BufferedImage picture, Rectangle from, Rectangle to) {
    ChartPicture made = ChartPicture.of(display, picture, 100);
    assertEquals(new Rectangle(0, 0, WIDTH, HEIGHT), made.bounds());
    Image page = new Image(display, WIDTH, HEIGHT);
    GC gc = new GC(page);
    gc.setBackground(display.getSystemColor(SWT.COLOR_WHITE));
    gc.fillRectangle(0, 0, WIDTH, HEIGHT);
    made.drawPart(gc, from, to);
    gc.dispose();
    made.dispose();
    ImageData data = page.getImageData();
    page.dispose();
    return data;
  }

  private static int rgb(ImageData data, int x, int y) {
    var color = data.palette.getRGB(data.getPixel(x, y));
    return color.red << 16 | color.green << 8 | color.blue;
  }

  @Test
  void allOfAPictureAndPartsAreTheSamePixels() {
    BufferedImage picture = noise();
    Rectangle all = new Rectangle(0, 0, WIDTH, HEIGHT);
    ImageData data = drawn(picture, all, all);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        assertEquals(picture.getRGB(x, y) & WHITE, rgb(data, x, y), x + ", " + y);
      }
    }
    data = drawn(picture, new Rectangle(50, 20, 300, 500), new Rectangle(10, 70, 300, 500));
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        boolean inside = x >= 10 && x < 310 && y >= 70 && y < 570;
        assertEquals(inside ? picture.getRGB(x + 40, y - 50) & WHITE : WHITE, rgb(data, x, y),
            x + ", " + y);
      }
    }
  }

  @Test
  void aStretchedPictureHasNoGaps() {
    BufferedImage picture = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    for (int height : new int[] {600, 433, 77}) {
      ImageData data = drawn(picture, new Rectangle(0, 0, WIDTH, HEIGHT),
          new Rectangle(0, 0, WIDTH / 2, height));
      for (int y = 0; y < HEIGHT; y++) {
        assertEquals(y < height ? 0 : WHITE, rgb(data, WIDTH / 4, y), height + ": " + y);
      }
    }
  }
}
