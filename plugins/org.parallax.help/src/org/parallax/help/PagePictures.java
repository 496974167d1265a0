package org.parallax.help;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.Platform;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.PaintObjectEvent;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.Rectangle;

/** The pictures of a help page in a text. Those that come into sight are read, of all others only the size. */
final class PagePictures {
  private static final int LARGEST_WIDTH = 720;
  /** In a PNG: the signature, then length and type of the first chunk. */
  private static final int BYTES_BEFORE_SIZE = 16;

  private final StyledText text;
  private final Map<String, Image> images = new HashMap<>();

  PagePictures(StyledText text) {
    this.text = text;
    text.addPaintObjectListener(this::paint);
    text.addListener(SWT.Dispose, event -> clear());
  }

  void clear() {
    images.values().forEach(Image::dispose);
    images.clear();
  }

  /** @return the size at which a picture is shown, that of an empty one if it cannot be read */
  Point size(String name) {
    try (InputStream in = open(name); DataInputStream data = new DataInputStream(in)) {
      data.skipNBytes(BYTES_BEFORE_SIZE);
      int width = data.readInt();
      int height = data.readInt();
      int shown = Math.min(width, LARGEST_WIDTH);
      return new Point(shown, height * shown / width);
    } catch (IOException e) {
      ILog.of(PagePictures.class).error(name + ": " + e.getMessage(), e);
      return new Point(1, 1);
    }
  }

  private static InputStream open(String name) throws IOException {
    URL entry = Platform.getBundle(HelpPages.BUNDLE).getEntry(HelpPages.FOLDER + name);
    if (entry == null) {
      throw new IOException("not in the help book");
    }
    return entry.openStream();
  }

  private void paint(PaintObjectEvent event) {
    if (event.style.metrics == null || !(event.style.data instanceof String name)) {
      return;
    }
    Image image = images.computeIfAbsent(name, this::read);
    if (image != null) {
      Rectangle all = image.getBounds();
      event.gc.drawImage(image, 0, 0, all.width, all.height, event.x,
          event.y + event.ascent - event.style.metrics.ascent, event.style.metrics.width,
          event.style.metrics.ascent);
    }
  }

  private Image read(String name) {
    try (InputStream in = open(name)) {
      return new Image(text.getDisplay(), in);
    } catch (IOException e) {
      ILog.of(PagePictures.class).error(name + ": " + e.getMessage(), e);
      return null;
    }
  }
}
