package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.eclipse.swt.SWT;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.Phase;
import org.parallax.analysis.compare.Alignment;
import org.parallax.analysis.replay.Window;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;

/** Several runs below each other in one timeline. */
class TimelineRunsTest extends TimelineRunsFixture {
  /** Opens a run that prepares for 20 ms, and one a minute later that prepares for 50 ms; the first is selected. */
  private TimelineView openBoth() throws Exception {
    TimelineView view = view();
    ChartDriver.open(solver("first", 20, 0), solver("second", 50, 60_000));
    ChartDriver.select("first");
    view.together().setChecked(true);
    view.together().run();
    awaitPictures(view);
    assertEquals(2, view.runs().size());
    return view;
  }

  private static void align(TimelineView view, Alignment kind) {
    OpenSession.current().align(OpenSession.current().state().alignment().with(kind));
    awaitPictures(view);
  }

  private static void choose(TimelineView view, String text) {
    view.align().choices().stream().filter(each -> each != null && each.getText().equals(text))
        .findFirst().orElseThrow().run();
    awaitPictures(view);
  }

  @Test
  void runsHaveACommonAxisAndGoToTheSameTime() throws Exception {
    TimelineView view = openBoth();
    TimelineControl first = run(view, 0);
    TimelineControl second = run(view, 1);
    assertEquals(new TimeWindow(0, 150 * MS), first.scene().window(), "as long as the longer one");
    assertEquals(new TimeWindow(0, 150 * MS), second.scene().window());
    assertEquals(first.drawn().layout().plot().x, second.drawn().layout().plot().x);
    assertEquals(first.drawn().layout().plot().width, second.drawn().layout().plot().width);
    assertEquals(first, view.control());
    assertTrue(view.runs().get(1).heading().contains("second"), view.runs().get(1).heading());
    second.go(new TimeWindow(30 * MS, 60 * MS), TimelineControl.Step.JUMP);
    awaitPictures(view);
    assertEquals(new TimeWindow(30 * MS, 60 * MS), first.scene().window());
    first.go(new TimeWindow(40 * MS, 50 * MS), TimelineControl.Step.JUMP);
    second.back();
    assertEquals(new TimeWindow(30 * MS, 60 * MS), first.scene().window());
    assertEquals(new TimeWindow(30 * MS, 60 * MS), second.scene().window());
    first.showAll();
    // States of one name have one colour.
    awaitPictures(view);
    Workbench.await("states", () -> run(view, 0).drawn().state(0, 20) >= 0);
    int solve = first.drawn().state(0, x(first, 40 * MS) - first.drawn().layout().plot().x);
    int same = second.drawn().state(0, x(second, 70 * MS) - second.drawn().layout().plot().x);
    assertEquals("solve", first.scene().timeline().name(solve));
    assertEquals("solve", second.scene().timeline().name(same));
    assertEquals(first.drawn().colors().of(solve), second.drawn().colors().of(same));
    // One of them again.
    view.together().setChecked(false);
    view.together().run();
    awaitPictures(view);
    assertEquals(1, view.runs().size());
    assertEquals(new TimeWindow(0, 120 * MS), view.control().scene().window());
  }

  @Test
  void aPhaseCanBeTheSameMomentOfAllRuns() throws Exception {
    TimelineView view = openBoth();
    choose(view, "Phase solve (1)");
    TimelineControl first = run(view, 0);
    TimelineControl second = run(view, 1);
    assertEquals(20 * MS, first.scene().frame().originNs());
    assertEquals(50 * MS, second.scene().frame().originNs());
    assertEquals(new TimeWindow(-50 * MS, 100 * MS), first.scene().told(first.scene().window()));
    assertEquals(new TimeWindow(-50 * MS, 100 * MS), second.scene().told(second.scene().window()));
    String tip = TimelineTips.describe(second.drawn(), 0,
        x(second, 60 * MS) - second.drawn().layout().plot().x);
    assertTrue(tip.lines().findFirst().orElseThrow().matches(".* at (9\\.9|10).*, (59\\.9|60).* of the run"), tip);
    align(view, Alignment.of("solve", 2));
    assertEquals(70 * MS, first.scene().frame().originNs());
    assertEquals(100 * MS, second.scene().frame().originNs());
    // What a run does not have.
    align(view, Alignment.of("solve", 3));
    assertEquals(0, first.scene().frame().originNs());
    assertTrue(view.runs().get(0).heading().contains("no phase solve (3)"), view.runs().get(0).heading());
    align(view, Alignment.TIME);
    assertEquals(new TimeWindow(0, 60_150 * MS), second.scene().told(second.scene().window()));
    assertEquals(-60_000 * MS, second.scene().frame().originNs());
  }

  @Test
  void runsAreShiftedByHand() throws Exception {
    TimelineView view = openBoth();
    TimelineControl second = run(view, 1);
    ChartDriver.drag(second.canvas(), x(second, 60 * MS), x(second, 30 * MS), 60, SWT.SHIFT | SWT.MOD1);
    awaitPictures(view);
    double pixel = 150.0 * MS / second.drawn().layout().plot().width;
    assertEquals(30 * MS, second.scene().frame().originNs(), 2 * pixel);
    assertTrue(view.runs().get(1).heading().contains("shifted by -"), view.runs().get(1).heading());
    ChartDriver.answer("Shift a Run", "10ms");
    choose(view, "Shift the Selected Run\u2026");
    assertEquals(-10 * MS, run(view, 0).scene().frame().originNs());
    choose(view, "Reset Shifts");
    assertEquals(0, second.scene().frame().originNs());
    assertEquals(0, run(view, 0).scene().frame().originNs());
  }

  @Test
  void theCursorAndTheRangeAreTheSameInAllRuns() throws Exception {
    TimelineView view = openBoth();
    align(view, Alignment.of("solve", 1));
    TimelineControl first = run(view, 0);
    TimelineControl second = run(view, 1);
    OpenSession.current().setCursor(30 * MS);
    assertEquals(30 * MS, first.cursorNs());
    assertEquals(60 * MS, second.cursorNs());
    // A range that is dragged in the other run is one of the selected run.
    ChartDriver.drag(second.canvas(), x(second, 60 * MS), x(second, 80 * MS), 60, 0);
    awaitPictures(view);
    double pixel = 150.0 * MS / second.drawn().layout().plot().width;
    assertEquals(30 * MS, selection().phase().window().beginNs(), 2 * pixel);
    assertEquals(50 * MS, selection().phase().window().endNs(0), 2 * pixel);
    long begin = selection().phase().window().beginNs();
    assertEquals(begin, first.scene().phase().window().beginNs());
    assertEquals(begin + 30 * MS, second.scene().phase().window().beginNs());
    // A click in the other run selects it; the picture stays.
    int row = second.drawn().layout().top(0, 0) + 5;
    ChartDriver.click(second.canvas(), x(second, 70 * MS), row);
    awaitPictures(view);
    assertEquals(second, view.control());
    assertEquals(70 * MS, selection().cursorNs(), 2 * pixel);
    assertEquals(begin + 30 * MS, selection().phase().window().beginNs());
    assertEquals(begin, first.scene().phase().window().beginNs());
    assertEquals(selection().cursorNs() - 30 * MS, first.cursorNs());
    // Times are asked for on the axis.
    ChartDriver.answer("Go to Time", "-20ms");
    ChartDriver.key(second.canvas(), 'g', 'g', 0);
    assertEquals(30 * MS, selection().cursorNs());
    assertEquals(0, first.cursorNs());
    OpenSession.current().clearTime();
    awaitPictures(view);
    assertNull(second.cursorNs());
    assertNull(second.scene().phase());
  }

  @Test
  void definedPhasesAreOfTheirRunAndAlignIt() throws Exception {
    TimelineView view = openBoth();
    OpenSession.current().definePhase(new Phase("mine", new Window(10 * MS, 20 * MS)));
    awaitPictures(view);
    assertEquals(1, run(view, 0).scene().phases().size());
    assertEquals(0, run(view, 1).scene().phases().size());
    choose(view, "Phase mine (1)");
    assertEquals(10 * MS, run(view, 0).scene().frame().originNs());
    assertEquals(0, run(view, 1).scene().frame().originNs());
    OpenSession.current().removePhase(OpenSession.current().state().phases().get(0));
  }

  /** Times of a trace are told from the begin of the first one that ran beside it. */
  @Test
  void bookmarksStayAtTheirMomentWhenTheTimeBaseChanges() throws Exception {
    TimelineView view = open(solver("late", 20, 15));
    OpenSession.current().setCursor(30 * MS);
    key(view, 'b', 'b', 0);
    ChartDriver.key(view.control().canvas(), '0', '0', 0);
    OpenSession.current().open(List.of(solver("early", 20, 0)));
    Workbench.await("both", () -> OpenSession.current().state().traces().size() == 2);
    ChartDriver.select("late");
    awaitPicture(view);
    assertEquals(15 * MS, view.control().scene().timeline().beginNs());
    OpenSession.current().setCursor(16 * MS);
    key(view, '.', '.', 0);
    assertEquals(45 * MS, selection().cursorNs());
    // Taken off there, it is gone.
    key(view, 'b', 'b', 0);
    OpenSession.current().setCursor(16 * MS);
    key(view, '.', '.', 0);
    assertEquals(16 * MS, selection().cursorNs());
  }
}
