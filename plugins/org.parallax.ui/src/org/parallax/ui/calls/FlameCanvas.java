package org.parallax.ui.calls;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.ScrollBar;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.CallTreeDifference;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Procedure;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.FlameDrawing;
import org.parallax.ui.charts.FlameLayout;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.widgets.NavigationHistory;

/**
 * A flame graph with what a person does in it: a click or Enter zooms to a frame, Backspace goes back,
 * arrows move the focus from frame to frame, the scroll bar moves rows.
 */
final class FlameCanvas {
  private static final int MORE = 7;

  private final ChartCanvas canvas;
  private final Function<Node, String> text;
  private final NavigationHistory<List<String>> history = new NavigationHistory<>();
  private Consumer<Node> focused = node -> { };
  private Runnable navigated = () -> { };
  private String name = "";
  private CallTree tree;
  private CallTreeDifference difference;
  private Weight weight = Weight.WALL;
  private Node zoom;
  private Node focus;
  private boolean upwards;
  private String search = "";
  private Procedure marked;
  private boolean atRoots = true;
  /** As measured on the UI thread, for jobs that draw. */
  private volatile FlameLayout layout;

  /** @param text what is told of a frame */
  FlameCanvas(Composite parent, Function<Node, String> text) {
    this.text = text;
    canvas = new ChartCanvas(parent, SWT.V_SCROLL, OpenSession.current());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(canvas);
    canvas.setToolTips((x, y) -> {
      Node node = at(x, y);
      return node == null ? null : text.apply(node);
    });
    canvas.setDescription(() -> focus == null ? null : text.apply(focus));
    canvas.addOverlay(this::paintFocus);
    canvas.addListener(SWT.MouseDown, this::mouseDown);
    canvas.addListener(SWT.KeyDown, this::keyDown);
    canvas.addListener(SWT.Traverse, event -> event.doit =
        event.detail == SWT.TRAVERSE_TAB_NEXT || event.detail == SWT.TRAVERSE_TAB_PREVIOUS);
    canvas.addListener(SWT.FocusIn, event -> canvas.redraw());
    canvas.addListener(SWT.FocusOut, event -> canvas.redraw());
    canvas.addListener(SWT.Resize, event -> adaptScrollBar());
    ScrollBar bar = canvas.getVerticalBar();
    bar.setVisible(false);
    bar.addListener(SWT.Selection, event -> {
      atRoots = upwards ? bar.getSelection() + bar.getThumb() >= bar.getMaximum()
          : bar.getSelection() == 0;
      canvas.refresh();
      canvas.redraw();
    });
  }

  /** @param listener told of the frame that has the focus, which a person chose */
  void onFocus(Consumer<Node> listener) {
    focused = listener;
  }

  /** @param listener told when another frame is zoomed to */
  void onNavigation(Runnable listener) {
    navigated = listener;
  }

  /** @param compared null for a graph of one run */
  void show(String title, CallTree shown, CallTreeDifference compared, Weight by) {
    List<String> zoomed = zoom == null ? List.of() : names(zoom);
    List<String> selected = focus == null ? List.of() : names(focus);
    name = title;
    tree = shown;
    difference = compared;
    weight = by;
    zoom = find(zoomed);
    focus = focus == null ? null : find(selected);
    refresh();
  }

  /** Shows nothing, and keeps nothing of what was shown. */
  void clear() {
    tree = null;
    difference = null;
    zoom = null;
    focus = null;
    marked = null;
    layout = null;
    history.clear();
    canvas.showDrawing(name, null);
  }

  private void refresh() {
    adaptScrollBar();
    canvas.showDrawing(name, theme -> new FlameDrawing(layout(), theme, difference,
        search.isEmpty() ? null : matches(), marked == null ? null : marks()));
    navigated.run();
  }

  private Predicate<Node> marks() {
    Procedure wanted = marked;
    return node -> node.procedure() == wanted;
  }

  private Predicate<Node> matches() {
    return named(search);
  }

  /** What a search for a text finds. */
  static Predicate<Node> named(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return node -> node.caller() != null && node.name().toLowerCase(Locale.ROOT).contains(wanted);
  }

  private static List<String> names(Node node) {
    List<String> names = new ArrayList<>();
    for (Node each = node; each.caller() != null; each = each.caller()) {
      names.add(0, each.name());
    }
    return names;
  }

  /** The node of a path, or as much of it as there is. */
  private Node find(List<String> names) {
    Node node = tree.root();
    for (String each : names) {
      Node found = node.callees().stream().filter(callee -> callee.name().equals(each))
          .findFirst().orElse(null);
      if (found == null) {
        return node;
      }
      node = found;
    }
    return node;
  }

  int rowHeight() {
    GC gc = new GC(canvas);
    gc.setFont(canvas.getFont());
    int height = gc.getFontMetrics().getHeight() + MORE;
    gc.dispose();
    return height;
  }

  /** Where frames are now. */
  FlameLayout layout() {
    return layout;
  }

  private void adaptScrollBar() {
    if (tree == null) {
      return;
    }
    Rectangle area = canvas.getClientArea();
    FlameLayout whole = new FlameLayout(tree, weight, zoom, Math.max(1, area.width),
        Math.max(1, area.height), rowHeight(), 0, upwards);
    int needed = whole.rows() * whole.rowHeight();
    ScrollBar bar = canvas.getVerticalBar();
    int most = Math.max(0, needed - area.height);
    bar.setVisible(most > 0);
    int selection = atRoots ? upwards ? most : 0 : Math.min(most, bar.getSelection());
    bar.setValues(selection, 0, Math.max(1, needed), Math.max(1, Math.min(needed, area.height)),
        whole.rowHeight(), Math.max(whole.rowHeight(), area.height - whole.rowHeight()));
    place();
  }

  private void place() {
    Rectangle area = canvas.getClientArea();
    ScrollBar bar = canvas.getVerticalBar();
    int most = bar.isVisible() ? Math.max(0, bar.getMaximum() - bar.getThumb()) : 0;
    int offset = bar.isVisible() ? upwards ? most - bar.getSelection() : bar.getSelection() : 0;
    layout = new FlameLayout(tree, weight, zoom, Math.max(1, area.width),
        Math.max(1, area.height), rowHeight(), offset, upwards);
  }

  private Node at(int x, int y) {
    return layout == null ? null : layout.at(x, y);
  }

  private void mouseDown(Event event) {
    canvas.setFocus();
    Node node = at(event.x, event.y);
    if (node != null) {
      setFocus(node);
      if (event.button == 1) {
        zoomTo(node);
      }
    }
  }

  private void keyDown(Event event) {
    if (tree == null) {
      return;
    }
    boolean alt = (event.stateMask & SWT.ALT) != 0;
    Node node = focus == null ? zoom : focus;
    int deeper = upwards ? SWT.ARROW_UP : SWT.ARROW_DOWN;
    int back = upwards ? SWT.ARROW_DOWN : SWT.ARROW_UP;
    if (alt && event.keyCode == SWT.ARROW_LEFT || event.keyCode == SWT.BS) {
      back();
    } else if (alt && event.keyCode == SWT.ARROW_RIGHT) {
      forward();
    } else if (event.keyCode == deeper) {
      setFocus(node.callees().isEmpty() ? node : node.callees().get(0));
    } else if (event.keyCode == back) {
      setFocus(node.caller() == null ? node : node.caller());
    } else if (event.keyCode == SWT.ARROW_LEFT || event.keyCode == SWT.ARROW_RIGHT) {
      setFocus(beside(node, event.keyCode == SWT.ARROW_LEFT ? -1 : 1));
    } else if (event.keyCode == SWT.CR || event.keyCode == SWT.KEYPAD_CR) {
      zoomTo(node);
    } else if (event.keyCode == SWT.HOME) {
      zoomTo(tree.root());
    } else {
      return;
    }
    event.doit = false;
  }

  /** The next frame of the same row, of whichever caller, that has a width. */
  private Node beside(Node node, int step) {
    Rectangle2D bounds = layout.bounds(node);
    if (bounds == null) {
      return zoom;
    }
    double x = step < 0 ? bounds.getMinX() - 0.5 : bounds.getMaxX() + 0.5;
    while (x >= 0 && x < layout.width()) {
      Node found = layout.at(x, bounds.getCenterY());
      if (found != null && found != node) {
        return found;
      }
      x += step;
    }
    return node;
  }

  private void setFocus(Node node) {
    Rectangle2D bounds = layout.bounds(node);
    if (bounds == null) {
      return;
    }
    focus = node;
    reveal(bounds);
    canvas.redraw();
    canvas.descriptionChanged();
    focused.accept(node);
  }

  private void reveal(Rectangle2D bounds) {
    Rectangle area = canvas.getClientArea();
    double by = bounds.getMinY() < 0 ? bounds.getMinY()
        : bounds.getMaxY() > area.height ? bounds.getMaxY() - area.height : 0;
    ScrollBar bar = canvas.getVerticalBar();
    if (by != 0 && bar.isVisible()) {
      bar.setSelection(bar.getSelection() + (int) Math.round(by));
      atRoots = false;
      place();
      canvas.refresh();
    }
  }

  /** Gives a frame all of the width. */
  void zoomTo(Node node) {
    if (node != zoom) {
      history.leave(names(zoom), names(node));
      moveTo(node);
    }
  }

  void back() {
    if (history.canGoBack()) {
      moveTo(find(history.back(names(zoom))));
    }
  }

  void forward() {
    if (history.canGoForward()) {
      moveTo(find(history.forward(names(zoom))));
    }
  }

  boolean canGoBack() {
    return history.canGoBack();
  }

  boolean canGoForward() {
    return history.canGoForward();
  }

  private void moveTo(Node node) {
    zoom = node;
    if (focus == null || layoutOf(node).bounds(focus) == null) {
      focus = node;
    }
    refresh();
  }

  private FlameLayout layoutOf(Node node) {
    return new FlameLayout(tree, weight, node, layout.width(), layout.height(),
        layout.rowHeight(), 0, upwards);
  }

  private void paintFocus(GC gc) {
    Rectangle2D bounds = focus == null || layout == null ? null : layout.bounds(focus);
    if (bounds == null || !canvas.isFocusControl()) {
      return;
    }
    int x = (int) Math.round(bounds.getX());
    int width = Math.max(2, (int) Math.round(bounds.getMaxX()) - x - 1);
    int y = (int) Math.round(bounds.getY());
    gc.setLineWidth(2);
    gc.setForeground(canvas.ink());
    gc.drawRectangle(x + 1, y + 1, width - 2, layout.rowHeight() - 3);
  }

  /** Marks what has a text in its name. */
  void setSearch(String wanted) {
    if (!wanted.equals(search)) {
      search = wanted;
      canvas.refresh();
    }
  }

  /** Marks a procedure that is selected elsewhere. */
  void mark(Procedure procedure) {
    if (!Objects.equals(procedure, marked)) {
      marked = procedure;
      canvas.refresh();
    }
  }

  void setUpwards(boolean direction) {
    upwards = direction;
    atRoots = true;
    if (tree != null) {
      refresh();
    }
  }

  /** The frame that has all of the width; null while nothing is shown. */
  Node zoom() {
    return zoom;
  }

  /** The frame that has the focus of the keyboard, null for none. */
  Node focus() {
    return focus;
  }

  /** What screen readers tell of the focus. */
  String description() {
    return focus == null ? "" : text.apply(focus);
  }

  ChartCanvas canvas() {
    return canvas;
  }
}
