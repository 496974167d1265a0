package org.parallax.ui.timeline;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.ScrollBar;
import org.parallax.analysis.Phase;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.model.program.Procedure;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.ChartPicture;
import org.parallax.ui.charts.Drawing;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.widgets.NavigationHistory;

/**
 * The picture of a timeline and where a person is in it. While a new picture is made, the last one is
 * shown in its place, moved and stretched. Pictures are refined when the person rests.
 */
final class TimelineControl {
  private static final int REFINE_AFTER_MS = 200;
  private static final int FLAG = 12;
  /** Steps of a kind that follow each other so soon are one step of the history. */
  private static final long SAME_STEP_MS = 600;

  /** How a person goes to another part of the time. */
  enum Step { JUMP, ZOOM, MOVE }

  private final Composite parent;
  private final ChartCanvas canvas;
  private final Label status;
  private final NavigationHistory<TimeWindow> history = new NavigationHistory<>();
  private final Consumer<TimelineControl> listener;
  /** Also read by the jobs that draw. */
  private volatile TimelineScene scene;
  private volatile TimelineDrawing drawn;
  /** The moment that is looked at, or null. */
  private Long cursorNs;
  private List<Long> bookmarks = List.of();
  /** What is told of the last search. */
  private String found = "";
  /** For timelines that are still to be shown. */
  private LaneHeight laneHeight = LaneHeight.READABLE;
  private Step lastStep = Step.JUMP;
  private long lastStepMs;
  private String work = "";
  private final Runnable refine = this::refine;
  /** Those of other runs that go where this one goes. */
  private Supplier<List<TimelineControl>> beside = List::of;

  /** @param listener is told that the person is at another place, or has seen a new picture */
  TimelineControl(Composite parent, Consumer<TimelineControl> listener) {
    this.listener = listener;
    this.parent = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(this.parent);
    canvas = new ChartCanvas(this.parent, SWT.V_SCROLL, OpenSession.current());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(canvas);
    status = new Label(this.parent, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).indent(4, 0).applyTo(status);
    canvas.setPlacement(this::paint);
    canvas.setDrawnListener(this::drawn);
    canvas.setDescription(this::description);
    canvas.addOverlay(this::paintBookmarks);
    canvas.addOverlay(this::paintCursor);
    ScrollBar bar = canvas.getVerticalBar();
    bar.setVisible(false);
    bar.addListener(SWT.Selection, event -> scrollTo(bar.getSelection()));
  }

  Composite widget() {
    return parent;
  }

  ChartCanvas canvas() {
    return canvas;
  }

  // ----------------------------------------------------------------- content

  /** Shows a timeline; where the person is stays if it is the same one. */
  void show(ProgramTimeline timeline, Lanes lanes, Phase phase, List<Phase> phases,
      Set<Integer> selected, Procedure procedure, boolean messages, boolean path, RunFrame frame) {
    TimelineScene before = scene;
    TimeWindow all = frame.all();
    boolean same = before != null && before.timeline() == timeline;
    boolean stays = same || before != null && before.isOlderReadingOf(timeline);
    if (!stays) {
      found = "";
      history.clear();
      lastStep = Step.JUMP;
    } else if (before.frame().originNs() != frame.originNs()) {
      // The other runs are elsewhere in its former steps.
      history.clear();
    }
    int current = same ? sameRow(before, lanes, selected)
        : stays ? Math.min(before.current(), lanes.rows().size() - 1) : firstThread(lanes, selected);
    scene = new TimelineScene(timeline, lanes, laneHeight,
        stays && !before.window().equals(before.all()) ? before.window().within(all) : all, all,
        stays ? before.scroll() : 0, current, selected, procedure, phase, phases, messages, path,
        Detail.FULL, frame);
    canvas.showDrawing(NLS.bind(Messages.title, timeline.name()), theme -> {
      TimelineScene wanted = scene;
      if (wanted == null) {
        throw new OperationCanceledException();
      }
      // Of what was shown last: a field that this job sets would keep a timeline that is closed meanwhile.
      TimelineDrawing last = drawn;
      StateColors colors = StateColors.of(wanted.timeline(), theme,
          last == null ? null : last.colors(), wanted.frame().colorsOf());
      return new TimelineDrawing(wanted, theme, colors, () -> scene == wanted);
    });
    tell();
  }

  /** Shows nothing, and keeps nothing of what was shown. */
  void clear() {
    scene = null;
    drawn = null;
    history.clear();
    canvas.showDrawing("", null);
  }

  /** Where the row is now that the keyboard was at. */
  private static int sameRow(TimelineScene before, Lanes lanes, Set<Integer> selected) {
    if (before.lanes().rows().equals(lanes.rows())) {
      return before.current();
    }
    if (before.current() >= 0) {
      Lanes.Lane old = before.lanes().rows().get(before.current());
      for (int row = 0; row < lanes.rows().size(); row++) {
        Lanes.Lane lane = lanes.rows().get(row);
        if (old.isThread() ? lane.model() == old.model() : Objects.equals(lane.group(), old.group())) {
          return row;
        }
      }
    }
    return firstThread(lanes, selected);
  }

  private static int firstThread(Lanes lanes, Set<Integer> selected) {
    int first = -1;
    for (int row = 0; row < lanes.rows().size(); row++) {
      Lanes.Lane lane = lanes.rows().get(row);
      if (!lane.threads().isEmpty() && (first < 0 || selected.size() == 1
          && lane.threads().containsAll(selected))) {
        first = row;
      }
    }
    return first;
  }

  /** What is known has changed. */
  void update() {
    if (scene != null) {
      set(scene);
    }
  }

  /** Tells what is being read; empty for nothing. */
  void setWork(String text) {
    work = text;
    tell();
  }

  TimelineScene scene() {
    return scene;
  }

  /** The picture that is shown, or null. */
  TimelineDrawing drawn() {
    return drawn;
  }

  void showProcedure(Procedure procedure) {
    if (scene != null && procedure != scene.procedure()) {
      set(scene.with(procedure));
    }
  }

  /** @param found the differences from another run; null for none */
  void showDifferences(RunDifferences found) {
    if (scene != null && scene.frame().differences() != found) {
      set(scene.with(found));
    }
  }

  void showLines(boolean messages, boolean path) {
    if (scene != null) {
      set(scene.withLines(messages, path));
    }
  }

  private void set(TimelineScene changed) {
    show(changed.at(changed.window(), changed.laneHeight(), changed.scroll(), changed.current(), Detail.FULL));
  }

  /** @param other another object in any case: drawings ask whether the one they are of is still wanted */
  private void show(TimelineScene other) {
    scene = other;
    canvas.refresh();
    canvas.redraw();
    tell();
  }

  private void set(TimeWindow window, int scroll, int current) {
    show(scene.at(window, scene.laneHeight(), scroll, current, Detail.FULL));
  }

  // ----------------------------------------------------------------- going around

  /** @param others the timelines of other runs, which show the same part of the time from now on */
  void setBeside(Supplier<List<TimelineControl>> others) {
    beside = others;
  }

  /** A moment of this run in the time of another one that is shown beside it. */
  long in(TimelineControl other, long ns) {
    return ns - scene.frame().originNs() + other.scene.frame().originNs();
  }

  /** Shows the part of the time that another one shows, without leaving a step to go back to. */
  void follow(TimelineControl other) {
    if (scene != null && other.scene != null) {
      TimeWindow to = other.scene.window().later(other.in(this, 0)).within(scene.all());
      if (!to.equals(scene.window())) {
        set(to, scene.scroll(), scene.current());
      }
    }
  }

  private void each(Consumer<TimelineControl> step) {
    step.accept(this);
    beside.get().stream().filter(other -> other != this && other.scene != null).forEach(step);
  }

  /** Goes to a part of the time, as far as there is some, with all runs that are shown. */
  void go(TimeWindow wanted, Step step) {
    if (scene != null) {
      each(other -> other.goAlone(wanted.later(in(other, 0)), step));
    }
  }

  private void goAlone(TimeWindow wanted, Step step) {
    if (scene == null) {
      return;
    }
    TimeWindow from = scene.window();
    TimeWindow to = wanted.within(scene.all());
    if (to.equals(from)) {
      return;
    }
    long now = System.currentTimeMillis();
    if (step == Step.JUMP || step != lastStep || now - lastStepMs > SAME_STEP_MS) {
      history.leave(from, to);
    }
    lastStep = step;
    lastStepMs = now;
    set(to, scene.scroll(), scene.current());
  }

  void zoom(double factor, long aroundNs) {
    if (scene != null) {
      go(scene.window().zoomed(factor, aroundNs), Step.ZOOM);
    }
  }

  void zoom(double factor) {
    if (scene != null) {
      zoom(factor, scene.window().beginNs() + scene.window().lengthNs() / 2);
    }
  }

  void move(double share) {
    if (scene != null) {
      go(scene.window().moved(share), Step.MOVE);
    }
  }

  void showAll() {
    if (scene != null) {
      go(scene.all(), Step.JUMP);
    }
  }

  boolean canGoBack() {
    return history.canGoBack();
  }

  boolean canGoForward() {
    return history.canGoForward();
  }

  void back() {
    if (scene != null) {
      each(other -> other.jump(other.history.back(other.scene.window())));
    }
  }

  void forward() {
    if (scene != null) {
      each(other -> other.jump(other.history.forward(other.scene.window())));
    }
  }

  private void jump(TimeWindow to) {
    lastStep = Step.JUMP;
    set(to.within(scene.all()), scene.scroll(), scene.current());
  }

  void scrollTo(int points) {
    if (scene == null || drawn == null) {
      return;
    }
    int scroll = Math.max(0, Math.min(drawn.layout().mostScroll(), points));
    if (scroll != scene.scroll()) {
      set(scene.window(), scroll, scene.current());
    }
  }

  void scrollBy(int rows) {
    if (scene != null && drawn != null) {
      scrollTo(scene.scroll() + (int) Math.round(rows * Math.max(1, drawn.layout().rowHeight())));
    }
  }

  /** Makes lanes higher or lower, here and in the other runs, around a height of this picture. */
  void setLaneHeight(LaneHeight wanted, int y) {
    each(other -> other.setLaneHeightAlone(wanted, y));
  }

  private void setLaneHeightAlone(LaneHeight wanted, int y) {
    laneHeight = wanted;
    if (scene == null || drawn == null) {
      return;
    }
    TimelineLayout before = drawn.layout();
    TimelineLayout now = before.with(wanted);
    double row = (y - before.plot().y + Math.min(scene.scroll(), before.mostScroll())) / before.rowHeight();
    int scroll = (int) Math.round(row * now.rowHeight()) - (y - before.plot().y);
    show(scene.at(scene.window(), wanted, Math.max(0, Math.min(now.mostScroll(), scroll)),
        scene.current(), Detail.FULL));
  }

  LaneHeight laneHeight() {
    return laneHeight;
  }

  /** @param factor by which lanes become higher */
  void zoomLanes(double factor, int y) {
    if (scene != null && drawn != null) {
      double points = drawn.layout().with(scene.laneHeight()).rowHeight() * factor;
      boolean fits = points * drawn.layout().rows() <= drawn.layout().space();
      setLaneHeight(fits && factor < 1 ? LaneHeight.FIT : new LaneHeight(points), y);
    }
  }

  void zoomLanes(double factor) {
    if (drawn != null) {
      java.awt.Rectangle plot = drawn.layout().plot();
      zoomLanes(factor, plot.y + plot.height / 2);
    }
  }

  void setLaneHeight(LaneHeight wanted) {
    setLaneHeight(wanted, drawn == null ? 0 : drawn.layout().plot().y);
  }

  /** Goes up or down to another lane. */
  void moveCurrent(int rows) {
    if (scene == null) {
      return;
    }
    int last = scene.lanes().rows().size() - 1;
    int row = Math.max(0, Math.min(last, scene.current() + rows));
    setCurrent(row);
  }

  void setCurrent(int row) {
    if (scene == null || row == scene.current() || row >= scene.lanes().rows().size()) {
      return;
    }
    int scroll = scene.scroll();
    if (drawn != null) {
      TimelineLayout layout = drawn.layout();
      int top = layout.top(row, 0) - layout.plot().y;
      int end = Math.max(top + 1, layout.top(row + 1, 0) - layout.plot().y);
      scroll = Math.max(end - layout.plot().height, Math.min(top, scroll));
      scroll = Math.max(0, Math.min(layout.mostScroll(), scroll));
    }
    set(scene.window(), scroll, row);
    canvas.descriptionChanged();
  }

  // ----------------------------------------------------------------- pictures

  private void drawn(Drawing drawing) {
    drawn = (TimelineDrawing) drawing;
    ScrollBar bar = canvas.getVerticalBar();
    TimelineLayout layout = drawn.layout();
    boolean scrolls = layout.mostScroll() > 0;
    // Lanes of all runs are equally wide: a common axis needs it.
    boolean shows = scrolls || beside.get().stream().anyMatch(TimelineControl::scrolls);
    if (bar.getVisible() != shows) {
      bar.setVisible(shows);
      beside.get().forEach(other -> other.canvas.getVerticalBar().setVisible(shows));
    }
    bar.setEnabled(scrolls);
    if (scrolls) {
      bar.setValues(Math.min(scene.scroll(), layout.mostScroll()), 0, layout.rowsHeight(),
          layout.plot().height, (int) Math.max(1, layout.rowHeight()), layout.plot().height);
    }
    if (drawn.scene() == scene && drawn.states().quality() == StateColumns.Quality.SHARES) {
      canvas.getDisplay().timerExec(REFINE_AFTER_MS, refine);
    }
    tell();
  }

  private boolean scrolls() {
    return drawn != null && drawn.layout().mostScroll() > 0;
  }

  private void refine() {
    if (!canvas.isDisposed() && scene != null && drawn != null && drawn.scene() == scene
        && drawn.states().quality() == StateColumns.Quality.SHARES) {
      scene = scene.at(scene.window(), scene.laneHeight(), scene.scroll(), scene.current(),
          Detail.EXACT);
      canvas.refresh();
    }
  }

  /** Puts the picture where its part of the time is now. */
  private void paint(GC gc, ChartPicture picture, Drawing drawing, Rectangle area) {
    Rectangle size = picture.bounds();
    TimelineDrawing of = (TimelineDrawing) drawing;
    TimelineScene now = scene;
    if (now == null || of.scene().window().equals(now.window())
        && of.scene().scroll() == now.scroll() && of.scene().laneHeight().equals(now.laneHeight())) {
      picture.drawPart(gc, size, area);
      return;
    }
    // Pixels of the picture for each point.
    double dense = size.width / (double) area.width;
    java.awt.Rectangle plot = of.layout().plot();
    double higher = of.layout().with(now.laneHeight()).rowHeight() / of.layout().rowHeight();
    int down = (int) Math.round(of.scene().scroll() * higher) - now.scroll();
    picture.drawPart(gc, new Rectangle(0, 0, pixels(plot.x, dense), size.height),
        new Rectangle(0, 0, plot.x, area.height));
    gc.setClipping(plot.x, plot.y, plot.width, plot.height);
    TimeWindow old = of.scene().window();
    // The part of the old picture that is in sight, and where it is now.
    long from = Math.max(old.beginNs(), now.window().beginNs());
    long to = Math.min(old.endNs(), now.window().endNs());
    int left = (int) Math.floor(old.place(from, plot.width));
    int right = (int) Math.ceil(old.place(to, plot.width));
    if (to > from && right > left) {
      int x = (int) Math.round(now.window().place(old.timeAt(left, plot.width), plot.width));
      int end = (int) Math.round(now.window().place(old.timeAt(right, plot.width), plot.width));
      picture.drawPart(gc, new Rectangle(pixels(plot.x + left, dense),
          pixels(plot.y, dense), pixels(right - left, dense), pixels(plot.height, dense)),
          new Rectangle(plot.x + x, plot.y + down, Math.max(1, end - x),
              Math.max(1, (int) Math.round(plot.height * higher))));
    }
    gc.setClipping((Rectangle) null);
  }

  void setCursor(Long ns) {
    if (!Objects.equals(cursorNs, ns)) {
      cursorNs = ns;
      found = "";
      canvas.redraw();
      tell();
    }
  }

  Long cursorNs() {
    return cursorNs;
  }

  /** @param moments that are marked */
  void setBookmarks(List<Long> moments) {
    bookmarks = moments;
    canvas.redraw();
  }

  /** Tells what was not found; empty for nothing. */
  void setFound(String text) {
    found = text;
    tell();
  }

  private void paintBookmarks(GC gc) {
    TimelineDrawing of = drawn;
    if (of == null || scene == null) {
      return;
    }
    java.awt.Rectangle plot = of.layout().plot();
    gc.setForeground(canvas.ink());
    gc.setBackground(canvas.ink());
    for (long mark : bookmarks) {
      double place = scene.window().place(mark, plot.width);
      if (place >= 0 && place <= plot.width) {
        int x = plot.x + (int) Math.round(place);
        gc.drawLine(x, plot.y - FLAG, x, plot.y + plot.height);
        gc.fillPolygon(new int[] {x, plot.y - FLAG, x + FLAG, plot.y - FLAG * 3 / 4, x, plot.y - FLAG / 2});
      }
    }
  }

  private void paintCursor(GC gc) {
    TimelineDrawing of = drawn;
    if (cursorNs == null || of == null || scene == null) {
      return;
    }
    java.awt.Rectangle plot = of.layout().plot();
    double place = scene.window().place(cursorNs, plot.width);
    if (place >= 0 && place <= plot.width) {
      int x = plot.x + (int) Math.round(place);
      gc.setForeground(canvas.getDisplay().getSystemColor(SWT.COLOR_LIST_SELECTION));
      gc.setBackground(canvas.getDisplay().getSystemColor(SWT.COLOR_LIST_SELECTION));
      gc.setLineWidth(2);
      gc.drawLine(x, plot.y, x, plot.y + plot.height);
      gc.fillPolygon(new int[] {x - 5, plot.y - 6, x + 5, plot.y - 6, x, plot.y});
      gc.setLineWidth(1);
    }
  }

  /** Brings a moment into sight, at the middle if it is out of sight. */
  void reveal(long ns) {
    if (scene != null && (ns < scene.window().beginNs() || ns > scene.window().endNs())) {
      long begin = ns - scene.window().lengthNs() / 2;
      go(new TimeWindow(begin, begin + scene.window().lengthNs()), Step.JUMP);
    }
  }

  private static int pixels(int points, double dense) {
    return (int) Math.round(points * dense);
  }

  // ----------------------------------------------------------------- words

  static String text(TimeWindow window) {
    return NLS.bind(Messages.status, new Object[] {TimeAxis.text(window.beginNs(), window),
        TimeAxis.text(window.endNs(), window), TimeAxis.length(window.lengthNs())});
  }

  private void tell() {
    if (scene != null && !status.isDisposed()) {
      StringBuilder text = new StringBuilder(text(scene.told(scene.window())));
      String note = drawn == null ? "" : drawn.note();
      String at = cursorNs == null ? ""
          : NLS.bind(Messages.cursor,
              TimeAxis.text(scene.told(cursorNs), scene.told(scene.window())));
      for (String more : List.of(at, found, note, work)) {
        text.append(more.isEmpty() ? "" : "   " + more);
      }
      if (!text.toString().equals(status.getText())) {
        status.setText(text.toString());
      }
    }
    listener.accept(this);
  }

  String status() {
    return status.getText();
  }

  /** What screen readers are told. */
  String description() {
    TimelineScene now = scene;
    if (now == null || now.current() < 0) {
      return null;
    }
    int state = drawn == null ? StateColumns.NONE
        : drawn.stateOfRow(now.current(), drawn.states().columns() / 2);
    long middle = now.window().beginNs() + now.window().lengthNs() / 2;
    return NLS.bind(Messages.description, new Object[] {
        now.lanes().rows().get(now.current()).name(), 
        TimeAxis.text(now.told(middle), now.told(now.window())),
        state == StateColumns.NONE ? "-" : now.timeline().name(state),
        text(now.told(now.window()))});
  }
}
