package org.parallax.ui.charts;

import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.ACC;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.graphics.FontData;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.entity.ChartEntity;

/**
 * Shows a chart, or another drawing, in the colours of its surroundings. Jobs draw it, so that the UI
 * thread only copies pixels; what is under the pointer tells its numbers in a tool tip. What changes
 * with the pointer or the keyboard lies over it.
 */
public final class ChartCanvas extends Canvas {
  private static final int RESIZE_DELAY_MS = 60;
  private static final int POINTS_PER_INCH = 72;
  private static final int LEAST = 40;
  private static final double READABLE = 4.5;

  private final Object family;
  private final List<Consumer<GC>> overlays = new ArrayList<>();
  private Function<ChartTheme, Drawing> maker;
  private ToolTips toolTips;
  private Supplier<String> description = () -> null;
  private String title = "";
  private ChartPicture image;
  private ChartRenderingInfo info;
  private volatile DrawJob job;
  private RGB paperOfPicture;
  /** Whether what is shown has changed while it was being drawn. */
  private boolean again;
  /** 0 while it is not known. */
  private int zoom;
  private Placement placement;
  private Consumer<Drawing> drawnListener = drawing -> { };
  private Drawing drawn;
  /** Null while it is elsewhere. */
  private Point pointer;

  /** Puts a picture onto the canvas, where it is not simply that of the canvas now. */
  public interface Placement {
    /** @param drawing of which the picture is */
    void paint(GC gc, ChartPicture picture, Drawing drawing, Rectangle area);
  }

  /** What is told about positions. */
  public interface ToolTips {
    /** @return null for nothing */
    String at(int x, int y);
  }

  /** @param family what the jobs that draw belong to */
  public ChartCanvas(Composite parent, Object family) {
    this(parent, SWT.NONE, family);
  }

  /** @param style of a canvas, such as scroll bars */
  public ChartCanvas(Composite parent, int style, Object family) {
    super(parent, style | SWT.DOUBLE_BUFFERED);
    this.family = family;
    addListener(SWT.Paint, this::paint);
    addListener(SWT.Resize, event -> {
      zoom = 0;
      draw(RESIZE_DELAY_MS);
    });
    addListener(SWT.ZoomChanged, event -> {
      zoom = 0;
      draw(RESIZE_DELAY_MS);
    });
    addListener(SWT.MouseMove, event -> {
      pointer = new Point(event.x, event.y);
      tellPointer();
    });
    addListener(SWT.MouseExit, event -> {
      pointer = null;
      tellPointer();
    });
    addListener(SWT.Dispose, event -> {
      if (image != null) {
        image.dispose();
      }
      if (job != null) {
        job.cancel();
      }
    });
    getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = title;
      }

      @Override
      public void getDescription(AccessibleEvent event) {
        event.result = description.get();
      }
    });
    Menu menu = new Menu(this);
    MenuItem save = new MenuItem(menu, SWT.PUSH);
    save.setText(Messages.menuSave);
    save.addListener(SWT.Selection, event -> askAndSave());
    menu.addListener(SWT.Show, event -> save.setEnabled(maker != null));
    setMenu(menu);
  }

  /**
   * Shows a chart.
   *
   * @param chart makes it, on another thread; null for nothing
   * @param name for screen readers and files
   */
  public void show(String name, Function<ChartTheme, JFreeChart> chart) {
    showDrawing(name, chart == null ? null : theme -> Drawing.of(chart.apply(theme)));
  }

  /**
   * Shows a drawing.
   *
   * @param drawing makes it, on another thread; null for nothing
   * @param name for screen readers and files
   */
  public void showDrawing(String name, Function<ChartTheme, Drawing> drawing) {
    title = name;
    maker = drawing;
    setToolTipText(null);
    draw(0);
  }

  /**
   * Draws once more what is shown, as its maker tells it now. A drawing that is being made is shown
   * before, so that something is seen of quick changes.
   */
  public void refresh() {
    if (job != null && job.isDrawing) {
      again = true;
    } else {
      draw(0);
    }
  }

  /** Whether a picture is being made; asked from any thread. */
  public boolean isDrawing() {
    DrawJob current = job;
    return current != null && current.isDrawing;
  }

  /** Puts pictures in their place, which may have moved since they were drawn. */
  public void setPlacement(Placement placed) {
    placement = placed;
  }

  /** Is told on the UI thread of each drawing whose picture has come into sight. */
  public void setDrawnListener(Consumer<Drawing> listener) {
    drawnListener = listener;
  }

  /** Paints over the drawing, on the UI thread; after {@link #redraw} anew. */
  public void addOverlay(Consumer<GC> overlay) {
    overlays.add(overlay);
  }

  /** Tells of positions, in place of what the drawing tells. */
  public void setToolTips(ToolTips told) {
    toolTips = told;
  }

  /** Tells screen readers what is in the focus. */
  public void setDescription(Supplier<String> described) {
    description = described;
  }

  /** What is in the focus is another thing now. */
  public void descriptionChanged() {
    getAccessible().sendEvent(ACC.EVENT_DESCRIPTION_CHANGED, null);
  }

  /** What the chart tells about a position; null when nothing is there. */
  public String toolTip(int x, int y) {
    if (toolTips != null) {
      return toolTips.at(x, y);
    }
    if (info == null) {
      return null;
    }
    ChartEntity entity = info.getEntityCollection().getEntity(x, y);
    return entity == null ? null : entity.getToolTipText();
  }

  /** Where the chart's parts are, with their tool tips; null while nothing is drawn. */
  public ChartRenderingInfo info() {
    return info;
  }

  /** Reads the classes that the first chart needs on the UI thread: before, on another. */
  public static void prepare() {
    Pictures.prepare();
    ChartTheme.of(java.awt.Color.WHITE, java.awt.Color.BLACK,
        new Font(Font.DIALOG, Font.PLAIN, POINTS_PER_INCH));
  }

  /** The colours and the font around the chart. */
  public ChartTheme theme() {
    Pictures.prepare();
    FontData data = getFont().getFontData()[0];
    int pixels = Math.round(data.getHeight() * (float) getDisplay().getDPI().y / POINTS_PER_INCH);
    return ChartTheme.of(awt(paper()), awt(ink()), new Font(data.getName(), Font.PLAIN, pixels));
  }

  /** On what is drawn: the colour of lists, unless a dark style of the workbench has another. */
  private org.eclipse.swt.graphics.Color paper() {
    return isStyled() ? getBackground() : getDisplay().getSystemColor(SWT.COLOR_LIST_BACKGROUND);
  }

  /** With what is drawn on the paper. */
  public org.eclipse.swt.graphics.Color ink() {
    if (!isStyled()) {
      return getDisplay().getSystemColor(SWT.COLOR_LIST_FOREGROUND);
    }
    // Styles do not reach the foreground of each control.
    if (ChartTheme.contrast(awt(getForeground()), awt(getBackground())) >= READABLE) {
      return getForeground();
    }
    return getDisplay().getSystemColor(
        ChartTheme.isDark(awt(getBackground())) ? SWT.COLOR_WHITE : SWT.COLOR_BLACK);
  }

  /** Styles of the workbench are dark while the desktop is light, or the other way round. */
  private boolean isStyled() {
    return ChartTheme.isDark(awt(getBackground()))
        != ChartTheme.isDark(awt(getDisplay().getSystemColor(SWT.COLOR_LIST_BACKGROUND)));
  }

  private static Color awt(org.eclipse.swt.graphics.Color color) {
    return new Color(color.getRed(), color.getGreen(), color.getBlue());
  }

  /** Without scroll bars. */
  private Point size() {
    Rectangle area = getClientArea();
    return new Point(area.width, area.height);
  }

  private void draw(int delayMs) {
    again = false;
    if (job != null) {
      job.cancel();
      job = null;
    }
    Point size = size();
    if (maker == null || size.x < LEAST || size.y < LEAST) {
      show(null, null, null);
      return;
    }
    paperOfPicture = paper().getRGB();
    job = new DrawJob(size, zoom());
    job.schedule(delayMs);
  }

  /** Pixels of 100 points. Asking for the monitor is slow, so it is asked when something has changed. */
  private int zoom() {
    if (zoom == 0) {
      zoom = getMonitor().getZoom();
    }
    return zoom;
  }

  /** Tells of what is under the pointer now. */
  private void tellPointer() {
    String text = pointer == null || drawn == null ? null : toolTip(pointer.x, pointer.y);
    if (!Objects.equals(text, getToolTipText())) {
      setToolTipText(text);
    }
  }

  private void show(ChartPicture picture, Drawing drawing, ChartRenderingInfo parts) {
    if (image != null) {
      image.dispose();
    }
    info = parts;
    image = picture;
    drawn = drawing;
    redraw();
    if (drawing != null) {
      drawnListener.accept(drawing);
    }
    if (getToolTipText() != null) {
      // It is of what was there before.
      tellPointer();
    }
  }

  private void paint(Event event) {
    Rectangle area = getClientArea();
    event.gc.setBackground(paper());
    event.gc.fillRectangle(area);
    if (paperOfPicture != null && !paperOfPicture.equals(paper().getRGB())) {
      // The style has changed since.
      refresh();
    }
    if (image != null && placement != null) {
      placement.paint(event.gc, image, drawn, area);
    } else if (image != null) {
      // While that of a new size is drawn, the old one stays as it is: stretched it cannot be read.
      Rectangle part = image.bounds().intersection(new Rectangle(0, 0, area.width, area.height));
      image.drawPart(event.gc, part, new Rectangle(area.x, area.y, part.width, part.height));
    }
    overlays.forEach(overlay -> overlay.accept(event.gc));
  }

  private void askAndSave() {
    FileDialog dialog = new FileDialog(getShell(), SWT.SAVE);
    dialog.setText(Messages.saveTitle);
    dialog.setFilterExtensions(new String[] {"*.svg", "*.png"});
    dialog.setFilterNames(new String[] {Messages.saveFilterSvg, Messages.saveFilterPng});
    dialog.setFileName(title.replaceAll("[^\\w.-]+", "-") + ".svg");
    dialog.setOverwrite(true);
    String chosen = dialog.open();
    if (chosen != null) {
      save(Path.of(chosen));
    }
  }

  /** Writes the chart as it is now; the name's end says whether as PNG or as SVG. */
  public Job save(Path file) {
    Point size = size();
    ChartTheme theme = theme();
    Function<ChartTheme, Drawing> shown = maker;
    Display display = getDisplay();
    Job writing = Job.create(NLS.bind(Messages.saveJob, file.getFileName()), (ICoreRunnable) monitor -> {
      try {
        Drawing drawing = shown.apply(theme).complete();
        Pictures.write(drawing, size.x, drawing.completeHeight(size.y), file);
      } catch (IOException e) {
        String message = NLS.bind(Messages.cannotSave, file, e.getMessage());
        display.asyncExec(() -> MessageDialog.openError(isDisposed() ? null : getShell(),
            Messages.saveTitle, message));
      }
    });
    writing.schedule();
    return writing;
  }

  private final class DrawJob extends Job {
    private final Point size;
    private final int zoom;
    private final ChartTheme theme = theme();
    private final Function<ChartTheme, Drawing> shown = maker;
    private final Display display = ChartCanvas.this.getDisplay();
    /** From its begin until its picture is shown. */
    private volatile boolean isDrawing;

    DrawJob(Point size, int zoom) {
      super(NLS.bind(Messages.drawJob, title));
      this.size = size;
      this.zoom = zoom;
      setSystem(true);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      isDrawing = true;
      ChartPicture made = null;
      try {
        ChartRenderingInfo parts = new ChartRenderingInfo();
        Drawing drawing = shown.apply(theme);
        BufferedImage picture = Pictures.draw(drawing, size.x, size.y, zoom / 100.0, parts);
        if (monitor.isCanceled() || display.isDisposed()) {
          return Status.CANCEL_STATUS;
        }
        made = ChartPicture.of(display, picture, zoom);
        ChartPicture finished = made;
        display.asyncExec(() -> finish(finished, drawing, parts));
        return Status.OK_STATUS;
      } finally {
        isDrawing = made != null;
      }
    }

    private void finish(ChartPicture made, Drawing drawing, ChartRenderingInfo parts) {
      if (job != this || isDisposed()) {
        made.dispose();
        return;
      }
      boolean more = again;
      job = null;
      show(made, drawing, parts);
      if (more && job == null) {
        draw(0);
      }
    }

    @Override
    public boolean belongsTo(Object other) {
      return other == family;
    }
  }
}
