package org.parallax.ui.histogram;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.HistogramCurves;
import org.parallax.analysis.metrics.HistogramCurves.Curve;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.replay.Window;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.HistogramDrawing;
import org.parallax.ui.charts.RubberBand;
import org.parallax.ui.charts.TimeLabel;
import org.parallax.ui.preferences.Preferences;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.widgets.NavigationHistory;

/**
 * The chart of a time histogram, with what a person does in it: a click moves the cursor, a drag selects a part of
 * the time, one with Ctrl or Shift zooms, Escape clears both, the wheel zooms at the pointer and with Shift moves, arrows, Home and End move, plus and minus zoom, 0 or
 * a double click show all of the time.
 */
final class HistogramPane {
  private static final int LEAST_BINS = 10;
  private static final long LEAST_NS = 1_000;
  private static final double ZOOM = 1.5;
  private static final double STEP = 0.125;
  /** Turns of the wheel that follow each other are one step back. */
  private static final long GESTURE_MS = 700;
  private static final int TOLD = 16;

  /** What the chart is for. */
  interface Host {
    /** Another part of the time is to be shown. */
    void moved();

    /** Whether drags ask for the name of a phase. */
    boolean definesPhases();

    /** A person wants a phase of this time. */
    void phaseDrawn(Window window);

    /** A person wants to keep the selected part of the time, or else what is visible. */
    void keepTime(Window visible);

    /** A person has selected a part of the time. */
    void rangeDrawn(Window window);

    /** A person looks at a moment. */
    void cursorMoved(long ns);

    /** A person selects nothing of the time. */
    void timeCleared();
  }

  private final ChartCanvas canvas;
  private final Host host;
  private final NavigationHistory<Span> history = new NavigationHistory<>();
  private HistogramCurves curves;
  private Set<Integer> shown = Set.of();
  private Phase phase;
  private Long cursorNs;
  private String name = "";
  private Span zoom;
  private long lastGestureMs;

  /** A part of the time; null stands for all of it. */
  private record Span(long beginNs, long endNs) {
  }

  HistogramPane(Composite parent, Host host) {
    this.host = host;
    canvas = new ChartCanvas(parent, OpenSession.current());
    RubberBand band = new RubberBand(canvas, new RubberBand.Target() {
      @Override
      public Rectangle area() {
        return plotArea();
      }

      @Override
      public String text(int fromX, int toX, int stateMask) {
        String range = range(window(fromX, toX));
        return host.definesPhases() ? NLS.bind(Messages.bandPhase, range) : range;
      }

      @Override
      public void dragged(int fromX, int toX, int stateMask) {
        Window window = window(fromX, toX);
        if ((stateMask & (SWT.MOD1 | SWT.SHIFT)) != 0) {
          leaveTo(limited(window.beginNs(), window.endNs() - window.beginNs()));
        } else if (host.definesPhases()) {
          host.phaseDrawn(window);
        } else {
          host.rangeDrawn(window);
        }
      }

      @Override
      public void clicked(int x) {
        host.cursorMoved(timeNs(x));
      }
    });
    canvas.addOverlay(this::paintCursor);
    canvas.addOverlay(band::paint);
    canvas.setToolTips(this::tell);
    canvas.setDescription(this::describe);
    canvas.addListener(SWT.MouseDoubleClick, event -> showAll());
    canvas.addListener(SWT.MouseVerticalWheel, this::wheel);
    canvas.addListener(SWT.MouseHorizontalWheel, this::wheel);
    canvas.addListener(SWT.KeyDown, this::keyDown);
    canvas.addListener(SWT.Traverse, event -> event.doit =
        event.detail == SWT.TRAVERSE_TAB_NEXT || event.detail == SWT.TRAVERSE_TAB_PREVIOUS);
  }

  /** @param ns the moment that is looked at, null for none */
  void setCursor(Long ns) {
    cursorNs = ns;
    canvas.redraw();
  }

  private void paintCursor(GC gc) {
    Rectangle area = plotArea();
    if (cursorNs == null || area == null || cursorNs < curves.visible().beginNs()
        || cursorNs > curves.visible().endNs()) {
      return;
    }
    Window visible = curves.visible();
    int x = area.x + (int) Math.round(area.width * (double) (cursorNs - visible.beginNs())
        / (visible.endNs() - visible.beginNs()));
    gc.setForeground(canvas.getDisplay().getSystemColor(SWT.COLOR_LIST_SELECTION));
    gc.setLineWidth(2);
    gc.drawLine(x, area.y, x, area.y + area.height);
    gc.setLineWidth(1);
  }

  /** Shows curves. */
  void show(String title, HistogramCurves made, Set<Integer> visible, Phase selected) {
    if (curves != null && curves.whole().beginNs() != made.whole().beginNs()) {
      // Another run: places in the one before mean nothing in it.
      history.clear();
    }
    boolean isAll = zoom == null || made.visible().beginNs() == made.whole().beginNs()
        && made.visible().endNs() == made.whole().endNs();
    zoom = isAll ? null : new Span(made.visible().beginNs(), made.visible().endNs());
    name = title;
    curves = made;
    shown = visible;
    phase = selected;
    draw();
  }

  void setShown(Set<Integer> visible) {
    shown = visible;
    draw();
  }

  /** Shows nothing, and keeps nothing of what was shown. */
  void clear() {
    curves = null;
    phase = null;
    zoom = null;
    history.clear();
    canvas.showDrawing(name, null);
  }

  private void draw() {
    if (curves == null) {
      return;
    }
    HistogramCurves made = curves;
    Set<Integer> visible = shown;
    Phase selected = phase;
    canvas.showDrawing(name,
        theme -> new HistogramDrawing(made, visible, selected, theme, false));
    canvas.descriptionChanged();
  }

  /** As many as there is room for. */
  int bins() {
    return Math.max(LEAST_BINS,
        Math.min(HistogramReport.MOST_BINS, canvas.getClientArea().width / Preferences.pointsPerBin()));
  }

  /** The part of the time that is to be shown; null for all. */
  Window zoom() {
    return zoom == null ? null : new Window(zoom.beginNs, zoom.endNs);
  }

  /** Where curves are; null while nothing is drawn. */
  Rectangle plotArea() {
    if (curves == null || canvas.info() == null) {
      return null;
    }
    Rectangle2D area = canvas.info().getPlotInfo().getDataArea();
    return area.isEmpty() ? null : new Rectangle((int) Math.round(area.getX()),
        (int) Math.round(area.getY()), (int) Math.round(area.getWidth()),
        (int) Math.round(area.getHeight()));
  }

  /** The moment of a position of what is drawn. */
  long timeNs(int x) {
    Rectangle2D area = canvas.info().getPlotInfo().getDataArea();
    double share = Math.max(0, Math.min(1, (x - area.getX()) / area.getWidth()));
    Window visible = curves.visible();
    return visible.beginNs() + Math.round(share * (visible.endNs() - visible.beginNs()));
  }

  private Window window(int fromX, int toX) {
    long beginNs = timeNs(fromX);
    return new Window(beginNs, Math.max(beginNs + 1, timeNs(toX)));
  }

  private static String range(Window window) {
    return TimeLabel.range(window.beginNs(), window.endNs());
  }

  /** What is to be shown, all of it where nothing else was asked for. */
  private Span target() {
    return zoom != null ? zoom : new Span(curves.whole().beginNs(), curves.whole().endNs());
  }

  /** A part of the run; null where that is all of it. */
  private Span limited(long beginNs, long lengthNs) {
    Window whole = curves.whole();
    long most = whole.endNs() - whole.beginNs();
    long length = Math.max(Math.min(LEAST_NS, most), lengthNs);
    if (length >= most) {
      return null;
    }
    long begin = Math.max(whole.beginNs(), Math.min(whole.endNs() - length, beginNs));
    return new Span(begin, begin + length);
  }

  private void leaveTo(Span to) {
    history.leave(zoom, to);
    go(to);
  }

  /** Small steps that follow each other are undone together. */
  private void moveTo(Span to) {
    long now = System.currentTimeMillis();
    if (now - lastGestureMs > GESTURE_MS) {
      history.leave(zoom, to);
    }
    lastGestureMs = now;
    go(to);
  }

  private void go(Span to) {
    zoom = to;
    host.moved();
  }

  void back() {
    if (history.canGoBack()) {
      go(history.back(zoom));
    }
  }

  void forward() {
    if (history.canGoForward()) {
      go(history.forward(zoom));
    }
  }

  boolean canGoBack() {
    return history.canGoBack();
  }

  boolean canGoForward() {
    return history.canGoForward();
  }

  void showAll() {
    if (zoom != null) {
      leaveTo(null);
    }
  }

  /** Asks for a phase of what is visible. */
  void defineVisible() {
    if (curves != null) {
      host.keepTime(curves.visible());
    }
  }

  private void wheel(Event event) {
    Rectangle area = plotArea();
    if (area == null || event.count == 0) {
      return;
    }
    if (event.type == SWT.MouseHorizontalWheel || (event.stateMask & SWT.SHIFT) != 0) {
      pan(event.count > 0 ? -STEP : STEP);
    } else {
      zoomAt((double) (event.x - area.x) / area.width, event.count > 0 ? 1 / ZOOM : ZOOM);
    }
    event.doit = false;
  }

  /** @param share where of the width the time stays where it is */
  private void zoomAt(double share, double factor) {
    double at = Math.max(0, Math.min(1, share));
    Span now = target();
    long length = now.endNs - now.beginNs;
    long wanted = Math.round(length * factor);
    moveTo(limited(now.beginNs + Math.round(at * (length - wanted)), wanted));
  }

  private void pan(double share) {
    Span now = target();
    long length = now.endNs - now.beginNs;
    if (zoom != null) {
      moveTo(limited(now.beginNs + Math.round(share * length), length));
    }
  }

  /** Goes to the begin or the end of the time. */
  private void edge(boolean end) {
    if (zoom != null) {
      long length = zoom.endNs - zoom.beginNs;
      Window whole = curves.whole();
      leaveTo(limited(end ? whole.endNs() - length : whole.beginNs(), length));
    }
  }

  private void keyDown(Event event) {
    if (curves == null) {
      return;
    }
    boolean alt = (event.stateMask & SWT.ALT) != 0;
    if (alt && event.keyCode == SWT.ARROW_LEFT) {
      back();
    } else if (alt && event.keyCode == SWT.ARROW_RIGHT) {
      forward();
    } else if (event.keyCode == SWT.ARROW_LEFT) {
      pan(-STEP);
    } else if (event.keyCode == SWT.ARROW_RIGHT) {
      pan(STEP);
    } else if (event.character == '+' || event.keyCode == SWT.KEYPAD_ADD) {
      zoomAt(0.5, 1 / ZOOM);
    } else if (event.character == '-' || event.keyCode == SWT.KEYPAD_SUBTRACT) {
      zoomAt(0.5, ZOOM);
    } else if (event.keyCode == SWT.HOME || event.keyCode == SWT.END) {
      edge(event.keyCode == SWT.END);
    } else if (event.character == '0') {
      showAll();
    } else if (event.character == 'p') {
      defineVisible();
    } else if (event.keyCode == SWT.ESC && event.doit) {
      host.timeCleared();
    } else {
      return;
    }
    event.doit = false;
  }

  /** The values of the bin under the pointer, the largest first if there are many. */
  private String tell(int x, int y) {
    Rectangle area = plotArea();
    if (area == null || !area.contains(x, y)) {
      return null;
    }
    return text(curves.bin(timeNs(x)));
  }

  /** What is told of a bin. */
  String text(int bin) {
    HistogramDrawing drawing =
        new HistogramDrawing(curves, shown, phase, canvas.theme(), false);
    List<Curve> told = new ArrayList<>();
    shown.stream().sorted().map(curves.curves()::get)
        .filter(curve -> Double.isFinite(curve.values()[bin])).forEach(told::add);
    if (told.size() > TOLD) {
      told.sort(Comparator.comparingDouble(curve -> -curve.values()[bin]));
    }
    StringBuilder text = new StringBuilder(
        range(new Window(curves.borders()[bin], curves.borders()[bin + 1])));
    for (Curve curve : told.subList(0, Math.min(TOLD, told.size()))) {
      text.append('\n').append(curve.name()).append(": ")
          .append(drawing.text(curve.values()[bin]));
    }
    return text.toString();
  }

  private String describe() {
    return curves == null ? null
        : NLS.bind(Messages.histogramDescription, shown.size(), range(curves.visible()));
  }

  ChartCanvas canvas() {
    return canvas;
  }

  HistogramCurves curves() {
    return curves;
  }
}
