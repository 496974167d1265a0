package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.swt.SWT;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.Phase;
import org.parallax.analysis.compare.Alignment;
import org.parallax.analysis.compare.ProcedureDifferences.Change;
import org.parallax.analysis.replay.Window;
import org.parallax.model.files.SessionFile;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.Procedures;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.RunAlignment;
import org.parallax.ui.session.Selection;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;

/** Several runs below each other in one timeline. */
class TimelineRunsTest extends TimelineFixture {
  @AfterEach
  void showOneRun() throws Exception {
    OpenSession.current().align(RunAlignment.START);
    view().together().setChecked(false);
    view().together().run();
    Workbench.settle();
  }

  /**
   * A run that prepares for some time, and then solves twice for 40 ms, 10 ms apart.
   *
   * @param laterMs how much later than others it ran
   */
  private Path solver(String name, long prepareMs, long laterMs) {
    TraceBuilder trace =
        new TraceBuilder(directory.resolve(name)).property("command", "./solver");
    TracedProcess process = trace.process("node1", "/opt/solver").realtimeShift(laterMs * MS);
    int solve = process.phase("solve");
    TracedThread thread = process.thread(0);
    thread.threadBegin(0, -1);
    for (long ms = 5; ms < prepareMs; ms += 5) {
      thread.sample(ms * MS, "main/prepare");
    }
    for (long begin : new long[] {prepareMs, prepareMs + 50}) {
      thread.event(begin * MS, Kind.PHASE_BEGIN, solve);
      for (long ms = 5; ms <= 35; ms += 5) {
        thread.sample((begin + ms) * MS, "main/solve");
      }
      thread.event((begin + 40) * MS, Kind.PHASE_END, solve);
    }
    thread.threadEnd((prepareMs + 100) * MS);
    process.exit((prepareMs + 100) * MS, 0);
    return trace.write();
  }

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

  private static void awaitPictures(TimelineView view) {
    Workbench.settle();
    Workbench.await("pictures", () -> view.runs().stream().map(TimelineStrip::control)
        .allMatch(each -> each.drawn() != null && each.drawn().scene() == each.scene()));
    Workbench.settle();
  }

  private static TimelineControl run(TimelineView view, int index) {
    return view.runs().get(index).control();
  }

  private static Selection selection() {
    return OpenSession.current().state().selection();
  }

  private static void align(TimelineView view, Alignment kind) {
    OpenSession.current().align(OpenSession.current().state().alignment().with(kind));
    awaitPictures(view);
  }

  private static int x(TimelineControl control, long ns) {
    java.awt.Rectangle plot = control.drawn().layout().plot();
    return plot.x + (int) Math.round(control.scene().window().place(ns, plot.width));
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

  private static String mark(TimelineControl control, String name) {
    for (int state = 0; state < control.scene().timeline().stateCount(); state++) {
      if (control.scene().timeline().name(state).equals(name)) {
        return control.scene().frame().differences().mark(state);
      }
    }
    throw new AssertionError("no " + name);
  }

  /** The colours in a column of the first lane, from the top down. */
  private static List<Integer> column(TimelineControl control, long ns) {
    BufferedImage image = new BufferedImage(800, 300, BufferedImage.TYPE_INT_RGB);
    TimelineDrawing drawing = new TimelineDrawing(
        control.scene(), control.canvas().theme(), control.drawn().colors(), () -> true);
    drawing.draw(image.createGraphics(), image.getWidth(), image.getHeight(), null);
    TimelineLayout layout = drawing.layout();
    List<Integer> colors = new ArrayList<>();
    int x = layout.plot().x
        + (int) Math.round(control.scene().window().place(ns, layout.plot().width));
    for (int y = layout.top(0, 0) + 1; y < layout.top(0, 0) + (int) layout.rowHeight() - 1; y++) {
      colors.add(image.getRGB(x, y) & 0xffffff);
    }
    return colors;
  }

  @Test
  void statesOfProceduresThatDifferAreMarked() throws Exception {
    TimelineView view = view();
    ChartDriver.open(solver("short", 20, 0), solver("long", 150, 60_000));
    ChartDriver.select("long");
    view.together().setChecked(true);
    view.together().run();
    awaitPictures(view);
    TimelineControl slower = run(view, 1);
    assertNull(run(view, 0).scene().frame().differences(), "it is the base");
    assertTrue(view.runs().get(0).heading().endsWith("base of the comparison"));
    assertTrue(mark(slower, "prepare").startsWith("\u25b2 +"), mark(slower, "prepare"));
    assertEquals("", mark(slower, "solve"));
    String tip = TimelineTips.describe(slower.drawn(), 0,
        x(slower, 60 * MS) - slower.drawn().layout().plot().x);
    assertTrue(tip.contains("slower than in ") && tip.contains("one run of each"), tip);
    int red = DifferenceMarks.SLOWER.getRGB() & 0xffffff;
    int blue = DifferenceMarks.FASTER.getRGB() & 0xffffff;
    List<Integer> marked = column(slower, 60 * MS);
    assertEquals(red, marked.get(marked.size() - 2), "a band at the bottom");
    assertFalse(marked.contains(blue));
    assertFalse(column(slower, 170 * MS).contains(red), "solve takes as long");
    // The other way round.
    OpenSession.current().setBaseline(List.of(directory.resolve("long")));
    awaitPictures(view);
    TimelineControl faster = run(view, 0);
    assertTrue(mark(faster, "prepare").startsWith("\u25bc \u2212"), mark(faster, "prepare"));
    assertNull(slower.scene().frame().differences());
    marked = column(faster, 10 * MS);
    assertEquals(blue, marked.get(1), "a band at the top");
    assertFalse(marked.contains(red));
    OpenSession.current().setBaseline(List.of());
  }

  /** A run with functions of one name in two files: for some milliseconds that of the program, for 100 ms another. */
  private Path twoOfOneName(String name, long ownMs) {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name)).property("command", "./solver");
    TracedProcess process = trace.process("node1", "/opt/solver").library("/lib/libmesh.so");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    for (long ms = 1; ms <= ownMs; ms++) {
      thread.sample(ms * MS, "main/step");
    }
    for (long ms = 1; ms <= 100; ms++) {
      thread.sample((ownMs + ms) * MS, "main/libmesh.so:step");
    }
    thread.threadEnd((ownMs + 100) * MS);
    process.exit((ownMs + 100) * MS, 0);
    return trace.write();
  }

  @Test
  void functionsOfOneNameInSeveralFilesAreComparedEachByItself() throws Exception {
    TimelineView view = view();
    ChartDriver.open(twoOfOneName("short", 50), twoOfOneName("long", 100));
    ChartDriver.select("long");
    view.together().setChecked(true);
    view.together().run();
    awaitPictures(view);
    RunDifferences differences = view.runs().get(1).differences();
    Procedures procedures = view.runs().get(1).run().timeline().workload().procedures();
    Map<String, String> marks = new TreeMap<>();
    for (int state = 0; state < procedures.count(); state++) {
      ProcedureInfo info = procedures.get(state);
      if (info.name().equals("step")) {
        marks.put(info.file(), differences.mark(state));
      }
    }
    assertEquals(Map.of("/src/solver.c", "\u25b2 +100 %", "/src/libmesh.so.c", ""), marks);
  }

  /** By what a procedure of the selected run differs. */
  private static Change change(TimelineView view, String name) {
    TimelineStrip strip = view.runs().stream()
        .filter(each -> each.control() == view.control()).findFirst().orElseThrow();
    Workbench.await("the comparison", () -> strip.differences() != null);
    for (int state = 0; state < strip.run().timeline().stateCount(); state++) {
      if (strip.run().timeline().name(state).equals(name)) {
        return strip.differences().of(state);
      }
    }
    throw new AssertionError("no " + name);
  }

  private static void addRun(Session session, Path trace, RunMode mode, String group) {
    Run run = ModelFactory.eINSTANCE.createRun();
    run.setName(String.valueOf(trace.getFileName()));
    run.setTrace(run.getName());
    run.setMode(mode);
    run.setGroup(group);
    session.getRuns().add(run);
  }

  /** Repetitions count whether or not there is room for them in the view. */
  @Test
  void runsAreComparedAgainWhenTheirRepetitionsAreClosedAndOpened() throws Exception {
    TimelineView view = view();
    Session session = ModelFactory.eINSTANCE.createSession();
    addRun(session, solver("a1", 20, 0), RunMode.COMPARISON, "a");
    addRun(session, solver("b1", 150, 0), RunMode.REPLAY, "b");
    for (int i = 0; i < AlignedRuns.MOST - 2; i++) {
      addRun(session, solver("c" + i, 20, 0), RunMode.REPLAY, "c" + i);
    }
    Path[] more = {solver("a2", 20, 0), solver("b2", 150, 0)};
    addRun(session, more[0], RunMode.COMPARISON, "a");
    addRun(session, more[1], RunMode.REPLAY, "b");
    Path file = directory.resolve("runs" + SessionFile.SUFFIX);
    SessionFile.write(session, file);
    OpenSession.current().open(List.of(file));
    Workbench.await("the traces", () -> OpenSession.current().state().traces().size() == 10);
    ChartDriver.select("b1");
    view.together().setChecked(true);
    view.together().run();
    Workbench.settle();
    assertFalse(change(view, "prepare").isOneRun());
    OpenSession.current().close(OpenSession.current().state().traces().stream()
        .filter(trace -> List.of(more).contains(trace.directory())).toList());
    Workbench.await("fewer traces", () -> OpenSession.current().state().traces().size() == 8);
    Workbench.settle();
    assertTrue(change(view, "prepare").isOneRun());
    OpenSession.current().open(List.of(more));
    Workbench.await("the traces", () -> OpenSession.current().state().traces().size() == 10);
    ChartDriver.select("b1");
    Workbench.settle();
    assertFalse(change(view, "prepare").isOneRun());
  }

  @Test
  void aComparisonThatWasCancelledIsMadeWhenRunsAreShownAgain() throws Exception {
    JobChangeAdapter cancels = new JobChangeAdapter() {
      @Override
      public void scheduled(IJobChangeEvent event) {
        if (event.getJob() instanceof DifferencesJob) {
          event.getJob().cancel();
        }
      }
    };
    Job.getJobManager().addJobChangeListener(cancels);
    TimelineView view = view();
    ChartDriver.open(solver("first", 20, 0), solver("second", 150, 60_000));
    ChartDriver.select("first");
    try {
      view.together().setChecked(true);
      view.together().run();
      awaitPictures(view);
    } finally {
      Job.getJobManager().removeJobChangeListener(cancels);
    }
    assertNull(run(view, 1).scene().frame().differences());
    view.together().run();
    awaitPictures(view);
    assertTrue(mark(run(view, 1), "prepare").startsWith("\u25b2 +"));
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
