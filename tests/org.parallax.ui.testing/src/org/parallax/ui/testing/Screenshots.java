package org.parallax.ui.testing;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageLoader;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IViewPart;

/** Pictures of the workbench as PNG. */
public final class Screenshots {
  public static final int WIDTH = 1280;
  public static final int HEIGHT = 800;
  /** Of a window that shows one view alone. */
  public static final int VIEW_WIDTH = 1080;
  public static final int VIEW_HEIGHT = 600;

  private Screenshots() {
  }

  /** Waits until nothing moves, and writes what a window shows. */
  public static void take(Shell shell, Path file) {
    still();
    // Without a window manager there is no trim around it, though it is counted.
    Rectangle inner = shell.getDisplay().map(shell, null, shell.getClientArea());
    Rectangle all = new Rectangle(inner.x, shell.getBounds().y, inner.width, inner.y + inner.height);
    write(shell.getDisplay(), all, file);
  }

  /** As {@link #take}, of a view that is in sight, with its tab and its tool bar. */
  public static void take(IViewPart view, Path file) {
    still();
    Shell shell = Workbench.window().getShell();
    List<CTabFolder> folders = Workbench.find(shell, CTabFolder.class,
        each -> each.isVisible() && each.getSelection() != null
            && each.getSelection().getText().replace("*", "").equals(view.getTitle()));
    if (folders.isEmpty()) {
      throw new AssertionError(view.getTitle() + " is not in sight");
    }
    CTabFolder folder = folders.get(0);
    write(shell.getDisplay(),
        shell.getDisplay().map(folder.getParent(), null, folder.getBounds()), file);
  }

  /** Waits for what is computed, painted and decorated later. */
  private static void still() {
    Workbench.settle();
    long end = System.currentTimeMillis() + 1_500;
    Workbench.await("a still picture", () -> System.currentTimeMillis() > end);
    Workbench.settle();
  }

  private static void write(Display display, Rectangle bounds, Path file) {
    Image image = new Image(display, bounds.width, bounds.height);
    GC gc = new GC(display);
    gc.copyArea(image, bounds.x, bounds.y);
    gc.dispose();
    ImageLoader loader = new ImageLoader();
    loader.data = new ImageData[] {image.getImageData()};
    loader.save(file.toString(), SWT.IMAGE_PNG);
    image.dispose();
    System.out.println("wrote " + file);
  }
}
