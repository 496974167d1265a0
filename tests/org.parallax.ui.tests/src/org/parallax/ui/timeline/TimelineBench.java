package org.parallax.ui.timeline;

import java.util.Random;
import java.util.function.BooleanSupplier;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IWorkbenchPage;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.ui.bench.Figures;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.testing.Workbench;

/** How long a person waits for the timeline of the trace that is open. */
public final class TimelineBench {
  private static final int STEPS = 120;
  private static final int EARLY_STEPS = 20;
  private static final int IN_AND_OUT = 40;
  private static final int IN = 24;

  private final Figures figures;
  private TimelineControl control;
  private TimelineDrawing painted;
  /** Overlays cannot be removed, and a drawing holds its trace. */
  private boolean isOver;

  public TimelineBench(Figures figures) {
    this.figures = figures;
  }

  /** The timeline is in front of the others at the end. */
  public void run() throws Exception {
    long beginNs = System.nanoTime();
    TimelineView view = (TimelineView) Workbench.page().showView(
        Ids.TIMELINE_VIEW, null, IWorkbenchPage.VIEW_ACTIVATE);
    control = view.control();
    control.canvas().addOverlay(gc -> painted = isOver ? null : control.drawn());
    figures.await(() -> painted != null);
    tell("timeline: until its first picture", beginNs);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    figures.await(this::isPainted);
    steps("zoom and pan steps while events are read", EARLY_STEPS);
    figures.await(() -> control.drawn().states().quality() != StateColumns.Quality.SAMPLED);
    tell("timeline: until all states are exact but for waits", beginNs);
    figures.await(() -> control.scene().timeline().hasPath() && Figures.isIdle());
    tell("timeline: until waits, messages and the path are there", beginNs);
    control.showAll();
    figures.await(this::isPainted);
    figures.tell("timeline: plot", "%d x %d, %d threads", control.drawn().layout().plot().width,
        control.drawn().layout().plot().height, control.scene().lanes().threads().length);
    steps("zoom and pan steps", STEPS);
    figures.seconds("timeline: until all of the time is exact, at rest",
        figures.secondsOf(control::showAll, exactly()));
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    figures.await(Figures::isIdle);
    figures.tell("timeline: longest stall, in our code / with the platform", figures.stalls());
    end();
  }

  /** The timeline of many threads that are all in sight; its trace has just been opened. */
  public void runLanes() throws Exception {
    TimelineView view = (TimelineView) Workbench.page().showView(
        Ids.TIMELINE_VIEW, null, IWorkbenchPage.VIEW_ACTIVATE);
    control = view.control();
    control.canvas().addOverlay(gc -> painted = isOver ? null : control.drawn());
    figures.await(() -> painted != null && control.scene() != null);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    figures.await(Figures::isIdle);
    figures.stalls();
    int lanes = control.scene().lanes().rows().size();
    figures.seconds("timeline: until " + lanes + " lanes are in sight",
        figures.secondsOf(() -> key('f', 'f'), this::isPainted));
    steps("zoom and pan steps with " + lanes + " lanes in sight", STEPS);
    control.showAll();
    figures.await(this::isPainted);
    double[] tookMs = new double[EARLY_STEPS];
    for (int i = 0; i < tookMs.length; i++) {
      int turn = i < tookMs.length / 2 ? 1 : -1;
      tookMs[i] = 1e3 * figures.secondsOf(() -> wheel(control.canvas().getBounds().width / 2,
          control.canvas().getBounds().height / 2, turn, SWT.MOD1 | SWT.SHIFT), this::isPainted);
    }
    figures.steps("steps of the height of lanes", tookMs);
    control.setLaneHeight(LaneHeight.READABLE);
    figures.await(this::isPainted);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    figures.await(Figures::isIdle);
    figures.tell("many lanes: longest stall, in our code / with the platform", figures.stalls());
    end();
  }

  private void end() {
    isOver = true;
    painted = null;
  }

  private BooleanSupplier exactly() {
    return () -> isPainted() && painted.states().quality() == StateColumns.Quality.EXACT;
  }

  private void tell(String what, long beginNs) {
    figures.seconds(what, (System.nanoTime() - beginNs) / 1e9);
  }

  private boolean isPainted() {
    return painted != null && control.scene() != null
        && painted.scene().window().equals(control.scene().window())
        && painted.scene().laneHeight().equals(control.scene().laneHeight())
        && painted.scene().timeline() == control.scene().timeline();
  }

  /** Goes in and out and around, as a person who looks for something, and waits for each picture. */
  private void steps(String what, int count) throws Exception {
    Random random = new Random(1);
    double[] tookMs = new double[count];
    for (int i = 0; i < count; i++) {
      boolean in = i % IN_AND_OUT < IN;
      tookMs[i] = 1e3 * figures.secondsOf(() -> step(random, in), this::isPainted);
    }
    figures.steps(what, tookMs);
  }

  private void step(Random random, boolean in) {
    TimeWindow before = control.scene().window();
    switch (random.nextInt(3)) {
      case 0 -> key(SWT.ARROW_RIGHT, '\0');
      case 1 -> wheel(random, in ? 1 : -1);
      default -> key(in ? '+' : '-', in ? '+' : '-');
    }
    if (control.scene().window().equals(before)) {
      key(SWT.ARROW_LEFT, '\0');
    }
  }

  private void key(int code, char character) {
    Event event = new Event();
    event.keyCode = code;
    event.character = character;
    control.canvas().notifyListeners(SWT.KeyDown, event);
  }

  private void wheel(Random random, int count) {
    java.awt.Rectangle plot = control.drawn().layout().plot();
    wheel(plot.x + plot.width / 4 + random.nextInt(plot.width / 2), plot.y + 1, count, SWT.MOD1);
  }

  private void wheel(int x, int y, int count, int mask) {
    Event event = new Event();
    event.x = x;
    event.y = y;
    event.count = count;
    event.stateMask = mask;
    control.canvas().notifyListeners(SWT.MouseVerticalWheel, event);
  }
}
