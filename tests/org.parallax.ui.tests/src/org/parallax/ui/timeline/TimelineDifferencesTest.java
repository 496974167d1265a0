package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.compare.Change;
import org.parallax.analysis.compare.PhaseDifferences.Occurrence;
import org.parallax.analysis.replay.Window;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.SessionFile;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.Procedures;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;

/** Marks in the timelines of several runs by what they differ from one of them. */
class TimelineDifferencesTest extends TimelineRunsFixture {
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
    assertEquals("", mark(run(view, 0), "prepare"), "it is the base");
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
    assertEquals("", mark(slower, "prepare"));
    marked = column(faster, 10 * MS);
    assertEquals(blue, marked.get(1), "a band at the top");
    assertFalse(marked.contains(red));
    OpenSession.current().setBaseline(List.of());
  }

  /** Rank 1 waits for a message of rank 0, which computes for some time before. */
  private Path waiting(String name, long computeMs) {
    TraceBuilder trace =
        new TraceBuilder(directory.resolve(name)).property("command", "mpirun -n 2 ./waiting");
    TracedThread sender = trace.process("node1", "/opt/waiting").mpi(7, 0, 2).thread(0);
    sender.threadBegin(0, -1);
    for (long ms = 1; ms <= computeMs; ms++) {
      sender.sample(ms * MS, "main/compute");
    }
    sender.send(computeMs * MS, (computeMs + 5) * MS, "main/MPI_Send", 1, 1, 5, 4096)
        .threadEnd((computeMs + 10) * MS);
    trace.process(0).exit((computeMs + 10) * MS, 0);
    trace.process("node1", "/opt/waiting").mpi(7, 1, 2).thread(0).threadBegin(0, -1)
        .receive(20 * MS, (computeMs + 10) * MS, "main/MPI_Recv", 1, 0, 5, 4096)
        .threadEnd((computeMs + 12) * MS);
    trace.process(1).exit((computeMs + 12) * MS, 0);
    return trace.write();
  }

  /** A picture, and the colours in a column of it. */
  private record Picture(TimelineDrawing drawing, BufferedImage image) {
    static Picture of(TimelineControl control) {
      BufferedImage image = new BufferedImage(800, 400, BufferedImage.TYPE_INT_RGB);
      TimelineDrawing drawing = new TimelineDrawing(
          control.scene(), control.canvas().theme(), control.drawn().colors(), () -> true);
      drawing.draw(image.createGraphics(), image.getWidth(), image.getHeight(), null);
      return new Picture(drawing, image);
    }

    int x(long ns) {
      java.awt.Rectangle plot = drawing.layout().plot();
      return plot.x + (int) Math.round(drawing.scene().window().place(ns, plot.width));
    }

    /** From the top down. */
    List<Integer> column(long ns, int top, int height) {
      return IntStream.range(top, top + height)
          .map(y -> image.getRGB(x(ns), y) & 0xffffff).boxed().toList();
    }
  }

  @Test
  void waitsThatDifferAreMarked() throws Exception {
    TimelineView view = view();
    ChartDriver.open(waiting("short", 40), waiting("long", 120));
    ChartDriver.select("long");
    view.together().setChecked(true);
    view.together().run();
    awaitPictures(view);
    TimelineControl longer = run(view, 1);
    assertEquals("\u25b2 +400 %", mark(longer, "late sender"), "100 ms instead of 20");
    assertEquals("", mark(run(view, 0), "late sender"));
    Picture picture = Picture.of(longer);
    TimelineLayout layout = picture.drawing.layout();
    String tip = TimelineTips.describe(picture.drawing, 1, picture.x(70 * MS) - layout.plot().x);
    assertTrue(tip.contains("more waiting than in ") && tip.contains("one run of each: not tested"), tip);
    int red = DifferenceMarks.SLOWER.getRGB() & 0xffffff;
    List<Integer> wait = picture.column(70 * MS, layout.top(1, 0), (int) layout.rowHeight());
    assertTrue(wait.contains(red), "of the lane that waits");
    assertFalse(picture.column(122 * MS, layout.top(0, 0), (int) layout.rowHeight()).contains(red),
        "the send takes as long");
  }

  @Test
  void phasesThatDifferAreMarkedAboveTheLanes() throws Exception {
    TimelineView view = view();
    ChartDriver.open(solver("short", 20, 0), solver("long", 20, 60_000, 60));
    ChartDriver.select("long");
    view.together().setChecked(true);
    view.together().run();
    awaitPictures(view);
    TimelineControl longer = run(view, 1);
    Picture picture = Picture.of(longer);
    TimelineLayout layout = picture.drawing.layout();
    assertEquals(1, layout.phaseRows());
    int red = DifferenceMarks.SLOWER.getRGB() & 0xffffff;
    int top = layout.phaseTop(0);
    int height = layout.phaseHeight() - 2;
    assertFalse(picture.column(50 * MS, top, height).contains(red), "the first one takes as long");
    List<Integer> marked = picture.column(80 * MS, top, height);
    assertEquals(red, marked.get(marked.size() - 1), "a band at the bottom");
    assertTrue(marked.get(1) != red);
    PhaseMarks marks = new PhaseMarks(longer.scene(), layout);
    assertEquals("solve (1): 40 ms", marks.at(picture.x(40 * MS), top + 2));
    assertTrue(marks.at(picture.x(80 * MS), top + 2).startsWith(
        "solve (2): 60 ms\nlonger than in solver in short: 60 ms instead of 40 ms (+50 %)\n"),
        marks.at(picture.x(80 * MS), top + 2));
    assertNull(marks.at(picture.x(10 * MS), top + 2), "no phase");
    assertNull(marks.at(picture.x(80 * MS), layout.plot().y + 5), "of a lane");
    // The base has its phases above the lanes, too.
    Picture base = Picture.of(run(view, 0));
    assertEquals(1, base.drawing.layout().phaseRows());
    assertFalse(base.column(80 * MS, top, height).contains(red));
    // The pointer is told.
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    awaitPictures(view);
    TimelineLayout shown = longer.drawn().layout();
    String told = longer.canvas().toolTip(x(longer, 80 * MS), shown.phaseTop(0) + 2);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    assertTrue(told != null && told.startsWith("solve (2)"), shown + ": " + told);
  }

  @Test
  void phasesThatHoldOthersAreAboveThem() {
    List<Occurrence> phases = new ArrayList<>();
    phases.add(new Occurrence("all", 1, true, new Window(0, 100), null));
    for (int i = 0; i < 3; i++) {
      phases.add(new Occurrence("step", i + 1, false, new Window(10 + 30 * i, 30 + 30 * i), null));
      phases.add(new Occurrence("part", i + 1, false, new Window(12 + 30 * i, 20 + 30 * i), null));
      phases.add(new Occurrence("fourth", i + 1, false, new Window(13 + 30 * i, 15 + 30 * i), null));
    }
    phases.add(new Occurrence("after", 1, true, new Window(100, 110), null));
    PhaseRows rows = PhaseRows.of(phases);
    assertEquals(List.of(List.of("all", "after"), List.of("step (1)", "step (2)", "step (3)"),
        List.of("part (1)", "part (2)", "part (3)")),
        rows.rows().stream().map(row -> row.stream().map(PhaseRows::name).toList()).toList());
  }

  /** Counts how often an element is asked for. */
  private static final class CountingList extends AbstractList<Occurrence> {
    private final List<Occurrence> all;
    private int count;

    CountingList(List<Occurrence> all) {
      this.all = all;
    }

    @Override
    public Occurrence get(int index) {
      count++;
      return all.get(index);
    }

    @Override
    public int size() {
      return all.size();
    }
  }

  @Test
  void onlyPhasesInSightAreLookedAt() throws Exception {
    TimelineView view = view();
    ChartDriver.open(solver("one", 150, 0));
    ChartDriver.select("one");
    Workbench.await("a picture", () -> view.control().drawn() != null);
    TimelineControl control = view.control();
    long beginNs = control.scene().all().beginNs();
    // A phase and a gap of a microsecond each.
    List<Occurrence> phases = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      long fromNs = beginNs + 2000L * i;
      phases.add(new Occurrence("step", i + 1, false, new Window(fromNs, fromNs + 1000), null));
    }
    CountingList counted = new CountingList(phases);
    TimelineScene scene = control.scene().with(RunDifferences.none(new PhaseRows(List.of(counted))));
    scene = scene.at(new TimeWindow(beginNs + 100 * MS, beginNs + 100 * MS + 20_000), scene.laneHeight(), 0, 0,
        Detail.FULL);
    BufferedImage image = new BufferedImage(800, 300, BufferedImage.TYPE_INT_RGB);
    TimelineDrawing drawing =
        new TimelineDrawing(scene, control.canvas().theme(), control.drawn().colors(), () -> true);
    drawing.draw(image.createGraphics(), image.getWidth(), image.getHeight(), null);
    assertTrue(counted.count < 200, () -> "the picture looks at " + counted.count);
    TimelineLayout layout = drawing.layout();
    PhaseMarks marks = new PhaseMarks(scene, layout);
    for (long ns = 500; ns < 20_000; ns += 1000) {
      int x = layout.plot().x
          + (int) Math.round(scene.window().place(scene.window().beginNs() + ns, layout.plot().width));
      counted.count = 0;
      String told = marks.at(x, layout.phaseTop(0) + 2);
      assertTrue(counted.count < 200, () -> "a place looks at " + counted.count);
      String expected = ns / 1000 % 2 == 0 ? "step (" + (50_001 + ns / 2000) + ")" : null;
      assertEquals(expected, told == null ? null : told.substring(0, told.indexOf(':')));
    }
  }

  /** Threads can be in different occurrences of a phase at the same time. */
  @Test
  void occurrencesThatOverlapAreInSeveralRows() {
    List<Occurrence> phases = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      phases.add(new Occurrence("round", i + 1, false, new Window(10 * i, 10 * i + 15), null));
    }
    assertEquals(List.of(List.of(1, 3, 5), List.of(2, 4, 6)), PhaseRows.of(phases).rows().stream()
        .map(row -> row.stream().map(Occurrence::number).toList()).toList());
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
}
