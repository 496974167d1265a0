package org.parallax.ui.charts;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Device;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageDataProvider;
import org.eclipse.swt.graphics.PaletteData;
import org.eclipse.swt.graphics.Pattern;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.graphics.Transform;

/**
 * A picture as SWT needs it. SWT converts what images are made of pixel by pixel, which takes longer than
 * most drawings do: a large picture is made of strips, by as many processors as there are.
 */
public final class ChartPicture {
  private static final int WHOLE = 100;
  private static final int LARGE = 1 << 18;
  private static final int MOST_STRIPS = 8;
  /** Blue, green, red and nothing, as bytes: what displays have themselves. */
  private static final PaletteData BGR = new PaletteData(0xff00, 0xff0000, 0xff000000);

  private final Image[] strips;
  /** In points. */
  private final Rectangle bounds;

  private ChartPicture(Image[] strips, Rectangle bounds) {
    this.strips = strips;
    this.bounds = bounds;
  }

  /**
   * Converts a picture; on any thread.
   *
   * @param zoom its pixels for 100 points
   */
  public static ChartPicture of(Device device, BufferedImage drawn, int zoom) {
    int height = drawn.getHeight();
    if (zoom != WHOLE) {
      Image image = new Image(device, provider(data(drawn, 0, height), zoom));
      return new ChartPicture(new Image[] {image}, image.getBounds());
    }
    int count = drawn.getWidth() * height < LARGE ? 1
        : Math.min(MOST_STRIPS, Runtime.getRuntime().availableProcessors());
    Image[] strips = new Image[count];
    IntStream.range(0, count).parallel().forEach(strip -> strips[strip] =
        new Image(device, data(drawn, top(strip, count, height), top(strip + 1, count, height))));
    return new ChartPicture(strips, new Rectangle(0, 0, drawn.getWidth(), height));
  }

  private static int top(int strip, int count, int height) {
    return (int) ((long) strip * height / count);
  }

  private static ImageDataProvider provider(ImageData data, int zoom) {
    return wanted -> wanted == zoom ? data
        : data.scaledTo(data.width * wanted / zoom, data.height * wanted / zoom);
  }

  private static ImageData data(BufferedImage image, int top, int bottom) {
    int width = image.getWidth();
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    byte[] bytes = new byte[Integer.BYTES * width * (bottom - top)];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer()
        .put(pixels, top * width, width * (bottom - top));
    return new ImageData(width, bottom - top, Integer.SIZE, BGR, Integer.BYTES * width, bytes);
  }

  /** @return its size, at 0, 0 */
  public Rectangle bounds() {
    return bounds;
  }

  /** Draws a part, stretched where its size differs, without making it smooth. */
  public void drawPart(GC gc, Rectangle from, Rectangle to) {
    for (int strip = 0; strip < strips.length; strip++) {
      int top = top(strip, strips.length, bounds.height);
      int bottom = top(strip + 1, strips.length, bounds.height);
      Rectangle part =
          from.intersection(new Rectangle(from.x, top, from.width, bottom - top));
      if (!part.isEmpty()) {
        int y = to.y + place(part.y - from.y, from.height, to.height);
        int end = to.y + place(part.y + part.height - from.y, from.height, to.height);
        part.y -= top;
        drawPart(gc, strips[strip], part, new Rectangle(to.x, y, to.width, end - y));
      }
    }
  }

  private static int place(int offset, int length, int targetLength) {
    return (int) Math.round((double) offset * targetLength / length);
  }

  private static void drawPart(GC gc, Image image, Rectangle from, Rectangle to) {
    if (to.isEmpty()) {
      return;
    }
    if (from.width != to.width || from.height != to.height) {
      gc.setInterpolation(SWT.NONE);
      gc.drawImage(
          image, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height);
      return;
    }
    // Other than drawImage, which converts all of the image at each call, this only copies.
    Device device = gc.getDevice();
    Transform transform = new Transform(device, 1, 0, 0, 1, to.x - from.x, to.y - from.y);
    Pattern pattern = new Pattern(device, image);
    gc.setTransform(transform);
    gc.setBackgroundPattern(pattern);
    gc.fillRectangle(from);
    gc.setBackgroundPattern(null);
    gc.setTransform(null);
    pattern.dispose();
    transform.dispose();
  }

  public void dispose() {
    for (Image strip : strips) {
      strip.dispose();
    }
  }
}
