package org.parallax.ui.timeline;

import java.util.function.Consumer;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.RubberBand;

/** What a person does with the keyboard, the wheel and the pointer on a timeline. */
final class TimelineInput {
  private static final double ZOOM = 1.5;
  private static final double MOVE = 0.125;
  private static final double PAGE = 0.9;
  private static final int CLICK = 4;
  private static final int WHEEL_ROWS = 3;
  private static final double LANE_ZOOM = 1.25;

  /** What is done with what was pointed at. */
  interface Actions {
    /** A thread was chosen at a moment. */
    void select(int row, long timeNs);

    /** A moment was pointed at where no thread is. */
    void moveCursor(long timeNs);

    /** A part of the time was dragged over. */
    void selectRange(TimeWindow part);

    /** The run is to be shown later, or earlier, than others. */
    void shift(long byNs);

    /** The selected part of the time, or what is in sight, is to be kept. */
    void definePhase(TimeWindow visible);

    /** A group is to be folded or unfolded. */
    void turn(String group);

    /** What was selected of the time is to be forgotten. */
    void clearTime();

    /** The next or the last of something is looked for. */
    void find(FindJob.Sought sought, boolean forward);

    /** A person wants to go to a time that is still to be named. */
    void goToTime();

    /** The moment of the cursor is to be marked, or not any more. */
    void toggleBookmark();

    /** The next or the last bookmark is wanted. */
    void goToBookmark(boolean forward);

    /** Reading is to go on. */
    void readAgain();
  }

  private final TimelineControl control;
  private final Actions actions;
  private final RubberBand band;
  private int downX = -1;
  private int downY;

  TimelineInput(TimelineControl control, Actions actions) {
    this.control = control;
    this.actions = actions;
    ChartCanvas canvas = control.canvas();
    band = new RubberBand(canvas, new Drag());
    canvas.addOverlay(gc -> band.paint(gc));
    canvas.addListener(SWT.KeyDown, this::key);
    canvas.addListener(SWT.Traverse, event -> event.doit = event.detail == SWT.TRAVERSE_TAB_NEXT
        || event.detail == SWT.TRAVERSE_TAB_PREVIOUS);
    canvas.addListener(SWT.MouseVerticalWheel, event -> wheel(event, false));
    canvas.addListener(SWT.MouseHorizontalWheel, event -> wheel(event, true));
    canvas.addListener(SWT.MouseDown, event -> {
      downX = event.button == 1 ? event.x : -1;
      downY = event.y;
      canvas.setFocus();
    });
    canvas.addListener(SWT.MouseUp, this::click);
  }

  private void key(Event event) {
    boolean alt = (event.stateMask & SWT.ALT) != 0;
    boolean shift = (event.stateMask & SWT.SHIFT) != 0;
    boolean lanes = (event.stateMask & SWT.MOD1) != 0;
    Consumer<TimelineControl> action = switch (event.keyCode) {
      case SWT.ARROW_LEFT -> alt ? TimelineControl::back : by(shift ? -PAGE : -MOVE);
      case SWT.ARROW_RIGHT -> alt ? TimelineControl::forward : by(shift ? PAGE : MOVE);
      case SWT.ARROW_UP -> to -> to.moveCurrent(-1);
      case SWT.ARROW_DOWN -> to -> to.moveCurrent(1);
      case SWT.PAGE_UP -> to -> to.scrollBy(-pageRows());
      case SWT.PAGE_DOWN -> to -> to.scrollBy(pageRows());
      case SWT.HOME -> to -> edge(false);
      case SWT.END -> to -> edge(true);
      case SWT.KEYPAD_ADD -> zoom(lanes, true);
      case SWT.KEYPAD_SUBTRACT -> zoom(lanes, false);
      case SWT.CR, SWT.KEYPAD_CR -> to -> chooseCurrent();
      case SWT.F5 -> to -> actions.readAgain();
      case SWT.ESC -> event.doit ? to -> actions.clearTime() : null;
      default -> switch (event.character) {
        case '+', '=' -> zoom(lanes, true);
        case '-' -> zoom(lanes, false);
        case '0' -> lanes ? to -> to.setLaneHeight(LaneHeight.READABLE) : TimelineControl::showAll;
        case 'f' -> to -> to.setLaneHeight(LaneHeight.FIT);
        case 'o' -> to -> turnCurrent();
        case 'p' -> to -> defineVisible();
        case 'z' -> TimelineInput::zoomToRange;
        case 'n' -> to -> actions.find(FindJob.Sought.STATE, true);
        case 'N' -> to -> actions.find(FindJob.Sought.STATE, false);
        case 'w' -> to -> actions.find(FindJob.Sought.WAIT, true);
        case 'W' -> to -> actions.find(FindJob.Sought.WAIT, false);
        case 'm' -> to -> actions.find(FindJob.Sought.MESSAGE, true);
        case 'M' -> to -> actions.find(FindJob.Sought.MESSAGE, false);
        case 'g' -> to -> actions.goToTime();
        case 'b' -> to -> actions.toggleBookmark();
        case '.' -> to -> actions.goToBookmark(true);
        case ',' -> to -> actions.goToBookmark(false);
        default -> null;
      };
    };
    if (action != null) {
      action.accept(control);
      event.doit = false;
    }
  }

  private static Consumer<TimelineControl> zoom(boolean lanes, boolean in) {
    return lanes ? to -> to.zoomLanes(in ? LANE_ZOOM : 1 / LANE_ZOOM)
        : to -> to.zoom(in ? 1 / ZOOM : ZOOM);
  }

  /** The group that the keyboard is at, or in whose lanes it is. */
  private void turnCurrent() {
    TimelineScene scene = control.scene();
    for (int row = scene == null ? -1 : scene.current(); row >= 0; row--) {
      Lanes.Lane lane = scene.lanes().rows().get(row);
      if (lane.group() != null
          && (row == scene.current() || lane.depth() < scene.lanes().rows().get(scene.current()).depth())) {
        actions.turn(lane.group());
        return;
      }
    }
  }

  private static Consumer<TimelineControl> by(double share) {
    return to -> to.move(share);
  }

  private int pageRows() {
    TimelineDrawing drawn = control.drawn();
    return drawn == null ? 1
        : (int) Math.max(1, drawn.layout().plot().height / Math.max(1, drawn.layout().rowHeight()) - 1);
  }

  private void edge(boolean end) {
    TimelineScene scene = control.scene();
    if (scene != null) {
      long length = scene.window().lengthNs();
      long begin = end ? scene.all().endNs() - length : scene.all().beginNs();
      control.go(new TimeWindow(begin, begin + length), TimelineControl.Step.JUMP);
    }
  }

  private void defineVisible() {
    if (control.scene() != null) {
      actions.definePhase(control.scene().window());
    }
  }

  private static void zoomToRange(TimelineControl control) {
    TimelineScene scene = control.scene();
    if (scene != null && scene.phase() != null) {
      control.go(new TimeWindow(scene.phase().window().beginNs(),
          scene.phase().window().endNs(scene.phase().window().count() - 1)),
          TimelineControl.Step.JUMP);
    }
  }

  private void chooseCurrent() {
    TimelineScene scene = control.scene();
    if (scene != null && scene.current() >= 0) {
      actions.select(
          scene.current(), scene.window().beginNs() + scene.window().lengthNs() / 2);
    }
  }

  private void wheel(Event event, boolean horizontal) {
    TimelineDrawing drawn = control.drawn();
    if (drawn == null || event.count == 0) {
      return;
    }
    boolean zooms = (event.stateMask & SWT.MOD1) != 0
        || !horizontal && (event.stateMask & SWT.SHIFT) == 0 && drawn.layout().mostScroll() == 0;
    int turns = Integer.signum(event.count);
    boolean lanes = (event.stateMask & SWT.MOD1) != 0
        && ((event.stateMask & SWT.SHIFT) != 0 || event.x < drawn.layout().plot().x);
    if (lanes) {
      control.zoomLanes(turns > 0 ? LANE_ZOOM : 1 / LANE_ZOOM, event.y);
    } else if (zooms) {
      control.zoom(turns > 0 ? 1 / ZOOM : ZOOM, timeAt(event.x));
    } else if (horizontal || (event.stateMask & SWT.SHIFT) != 0) {
      control.move(-turns * MOVE);
    } else {
      control.scrollBy(-turns * WHEEL_ROWS);
    }
    event.doit = false;
  }

  private long timeAt(int x) {
    java.awt.Rectangle plot = control.drawn().layout().plot();
    return control.scene().window().timeAt(x - plot.x, plot.width);
  }

  private void click(Event event) {
    TimelineDrawing drawn = control.drawn();
    boolean moved = Math.abs(event.x - downX) >= CLICK || Math.abs(event.y - downY) >= CLICK;
    if (event.button != 1 || downX < 0 || drawn == null || moved) {
      return;
    }
    downX = -1;
    int row = drawn.layout().rowAt(event.y, control.scene().scroll());
    if (row >= 0 && isMark(row, event.x)) {
      actions.turn(control.scene().lanes().rows().get(row).group());
    } else if (row >= 0) {
      control.setCurrent(row);
      actions.select(row, event.x < drawn.layout().plot().x ? Long.MIN_VALUE : timeAt(event.x));
    } else if (event.x >= drawn.layout().plot().x && event.y < drawn.layout().plot().y) {
      actions.moveCursor(timeAt(event.x));
    }
  }

  /** Whether the mark that folds a group is there. */
  private boolean isMark(int row, int x) {
    Lanes.Lane lane = control.scene().lanes().rows().get(row);
    return lane.group() != null && x < 2 * TimelineLayout.MARGIN + Lanes.indent(lane);
  }

  private TimeWindow part(int fromX, int toX) {
    return new TimeWindow(timeAt(fromX), Math.max(timeAt(fromX) + 1, timeAt(toX)));
  }

  private final class Drag implements RubberBand.Target {
    @Override
    public Rectangle area() {
      if (control.drawn() == null) {
        return null;
      }
      java.awt.Rectangle plot = control.drawn().layout().plot();
      return new Rectangle(plot.x, 0, plot.width, plot.y + plot.height);
    }

    @Override
    public String text(int fromX, int toX, int stateMask) {
      return isShift(stateMask) ? NLS.bind(Messages.shiftBy,
          TimeAxis.length(shiftNs(fromX, toX)))
          : TimeAxis.length(part(fromX, toX).lengthNs());
    }

    private long shiftNs(int fromX, int toX) {
      boolean isToTheLeft = Math.abs(downX - toX) < Math.abs(downX - fromX);
      return (timeAt(toX) - timeAt(fromX)) * (isToTheLeft ? -1 : 1);
    }

    /** With both keys the run is taken along. */
    private boolean isShift(int stateMask) {
      return (stateMask & SWT.SHIFT) != 0 && (stateMask & SWT.MOD1) != 0
          && !control.scene().frame().isAlone();
    }

    @Override
    public void dragged(int fromX, int toX, int stateMask) {
      if (isShift(stateMask)) {
        actions.shift(shiftNs(fromX, toX));
      } else if ((stateMask & (SWT.SHIFT | SWT.MOD1)) != 0) {
        control.go(part(fromX, toX), TimelineControl.Step.JUMP);
      } else {
        actions.selectRange(part(fromX, toX));
      }
    }
  }
}
