package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.table.Row;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.table.CellText;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.LevelNames;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;

/** What the views show of a trace that was opened by double click is what the core computes. */
class TablesTest {
  @TempDir Path directory;
  private IProject project;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    project = Workbench.project("runs");
  }

  private Path open(Path source) throws Exception {
    IFolder folder = Workbench.copy(source, project, "trace");
    Workbench.doubleClickInExplorer(folder.getFile("manifest"));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    return folder.getLocation().toPath();
  }

  private void openUnbalanced() throws Exception {
    open(SampleTraces.unbalanced(Files.createDirectory(directory.resolve("source")), 5));
  }

  /** The core's analysis, by objects of its own. */
  private interface Core {
    org.parallax.analysis.table.Table compute(ApplicationAnalysis analysis, TreeNode tree);
  }

  private static void assertShows(Core core, ReportView view) throws Exception {
    Views.awaitTable(view);
    try (Trace trace = Trace.open(Path.of(view.result().trace()))) {
      var application = SessionBuilder.of(trace).getApplications().get(0);
      var expected = core.compute(new ApplicationAnalysis(application),
          ProgramTree.logical(application));
      assertEquals(expected.columns(), view.result().columns());
      assertFalse(expected.rows().isEmpty());
      List<String> names = expected.rows().stream().map(Row::name).toList();
      assertEquals(names, Views.cells(view).stream().map(row -> row.get(0)).toList());
      CellText text = new CellText(expected);
      for (int i = 0; i < names.size(); i++) {
        Row row = expected.rows().get(i);
        assertEquals(row.values(), view.table().rows().get(i).values());
        for (int column = 0; column < expected.columns().size(); column++) {
          assertEquals(text.cell(row, column), Views.cells(view).get(i).get(column + 1));
        }
      }
    }
  }

  private static TreeNode child(TreeNode node, String name) {
    return node.children().stream().filter(each -> each.name().equals(name)).findFirst()
        .orElseThrow();
  }

  @Test
  void criticalPathHasTheRowsOfTheCore() throws Exception {
    openUnbalanced();
    CriticalPathView view = Views.criticalPath();
    assertShows((analysis, tree) -> CriticalPathReport.of(analysis, Level.PROCEDURE, Weight.CPU,
        null, Progress.NONE), view);
    // Rank 0 computes 40 of the 41 ms of each of five steps, in solve and relax.
    List<List<String>> rows = Views.cells(view);
    assertEquals(List.of("relax", "solve"),
        rows.subList(0, 2).stream().map(row -> row.get(0)).sorted().toList());
    assertEquals("time [ms]", view.table().widget().getColumn(3).getText());
    double ms = Double.parseDouble(rows.get(0).get(3)) + Double.parseDouble(rows.get(1).get(3));
    assertEquals(200, ms, 0.001);
    for (Level level : view.kind().levels()) {
      Views.choose(Views.levelChoice(view), LevelNames.of(level));
      assertShows((analysis, tree) -> CriticalPathReport.of(analysis, level, Weight.CPU, null,
          Progress.NONE), view);
    }
    Views.choose(view.weightChoice(), "Wall time");
    assertShows((analysis, tree) -> CriticalPathReport.of(analysis, Level.PROCEDURE, Weight.WALL,
        null, Progress.NONE), view);
    Views.choose(view.weightChoice(), "CPU time");
  }

  @Test
  void selectionInTheTreesIsTheScopeOfAllTables() throws Exception {
    openUnbalanced();
    CriticalPathView path = Views.criticalPath();
    Views.choose(Views.levelChoice(path), "Procedure");
    Views.awaitTable(path);
    long whole = path.result().total();
    Views.click("ring", "node1", "ring[0]");
    assertShows((analysis, tree) -> CriticalPathReport.of(analysis, Level.PROCEDURE, Weight.CPU,
        child(child(tree, "node1"), "ring[0]"), Progress.NONE), path);
    assertTrue(path.result().total() > 0 && path.result().total() <= whole);
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    assertShows((analysis, tree) -> ProfileReport.of(analysis, Level.PROCEDURE,
        child(child(tree, "node1"), "ring[0]"), Progress.NONE), profile);
    ReportView metrics = Views.show(Ids.METRICS_VIEW);
    assertShows((analysis, tree) -> MetricsReport.of(analysis, Level.PROCESS,
        child(child(tree, "node1"), "ring[0]"), Progress.NONE), metrics);
    Views.click("Physical tree", "node2");
    assertShows((analysis, tree) -> MetricsReport.of(analysis, Level.PROCESS,
        child(tree, "node2"), Progress.NONE), metrics);
    Views.criticalPath();
    Workbench.settle();
    Views.click("ring");
    Workbench.await("the whole path", () -> path.result().total() == whole);
  }

  @ParameterizedTest
  @ValueSource(strings = {"messages", "threads"})
  void goldenTracesOpen(String name) throws Exception {
    Path golden = Path.of(System.getProperty("parallax.root"), "native/format/golden", name);
    Path opened = open(golden);
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(profile);
    assertEquals(opened.toString(), profile.result().trace());
    assertShows((analysis, tree) ->
        ProfileReport.of(analysis, Level.PROCEDURE, null, Progress.NONE), profile);
  }

  @Test
  void whatADamagedTraceHasIsShownWithItsWarnings() throws Exception {
    Path opened =
        open(Path.of(System.getProperty("parallax.root"), "native/format/golden/damaged"));
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(profile);
    try (Trace trace = Trace.open(opened)) {
      // Some of the damage is found when the events are read.
      new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0))
          .profiles(Progress.NONE);
      List<String> expected =
          trace.warnings().stream().map(Texts::sentence).toList();
      assertFalse(expected.isEmpty());
      assertEquals(expected, Views.trees().warnings());
    }
  }

  @Test
  void clickOnAHeadingSorts() throws Exception {
    openUnbalanced();
    ReportView view = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(view);
    Table table = view.table().widget();
    List<Long> times = new ArrayList<>(
        view.table().rows().stream().map(row -> (Long) row.values().get(0)).toList());
    assertTrue(times.size() > 2);
    table.getColumn(1).notifyListeners(SWT.Selection, new Event());
    times.sort(Comparator.reverseOrder());
    assertEquals(times, view.table().rows().stream().map(row -> row.values().get(0)).toList());
    assertEquals(SWT.DOWN, table.getSortDirection());
    table.getColumn(1).notifyListeners(SWT.Selection, new Event());
    times.sort(Comparator.naturalOrder());
    assertEquals(times, view.table().rows().stream().map(row -> row.values().get(0)).toList());
    assertEquals(view.table().rows().get(0).name(), Views.cells(view).get(0).get(0));
    table.getColumn(0).notifyListeners(SWT.Selection, new Event());
    List<String> names = view.table().rows().stream().map(Row::name).toList();
    assertEquals(names.stream().sorted().toList(), names);
    assertNotEquals(0, table.getColumn(1).getStyle() & SWT.RIGHT);
    // The order stays when the scope changes.
    Views.click("ring", "node2");
    names = view.table().rows().stream().map(Row::name).toList();
    assertEquals(names.stream().sorted().toList(), names);
  }

  @Test
  void copyTakesTheSelectedRowsOrAll() throws Exception {
    openUnbalanced();
    ReportView view = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(view);
    view.setFocus();
    view.table().widget().setSelection(1);
    IHandlerService handlers = Workbench.window().getService(IHandlerService.class);
    handlers.executeCommand(ActionFactory.COPY.getCommandId(), null);
    String[] lines = clipboard().split("\n");
    assertEquals(2, lines.length);
    assertTrue(lines[0].startsWith("name\ttime [ms]\t%time\t"), lines[0]);
    assertEquals(String.join("\t", Views.shownCells(view).get(1)), lines[1]);
    handlers.executeCommand(ActionFactory.SELECT_ALL.getCommandId(), null);
    handlers.executeCommand(ActionFactory.COPY.getCommandId(), null);
    assertEquals(1 + view.table().rows().size(), clipboard().split("\n").length);
  }

  private static String clipboard() {
    Clipboard clipboard = new Clipboard(Workbench.window().getShell().getDisplay());
    try {
      return (String) clipboard.getContents(TextTransfer.getInstance());
    } finally {
      clipboard.dispose();
    }
  }

  @Test
  void whatMonitorsMeasuredIsInTheTreesAndAmongTheMetrics() throws Exception {
    Path source = SampleTraces.unbalanced(Files.createDirectory(directory.resolve("source")), 5);
    Files.writeString(source.resolve("power.series"), "parallax-series 1\nobject machine node2\n"
        + "clock run\nmetric watts gauge W\ndata\n0 120\n1 120\n");
    open(source);
    TreeItem node2 = Views.item("Physical tree", "node2");
    assertTrue(node2.getText().endsWith("2 processes"), node2.getText());
    TreeItem power = Views.item("ring", "node2", "power");
    assertTrue(power.getText().endsWith("1 metric"), power.getText());
    assertTrue(power.getImage() != null && power.getItemCount() == 0, "an icon, and a leaf");
    Views.click("ring");
    ReportView metrics = Views.show(Ids.METRICS_VIEW);
    Views.choose(Views.levelChoice(metrics), "Machine");
    assertShows((analysis, tree) -> MetricsReport.of(analysis, Level.MACHINE, null,
        Progress.NONE), metrics);
    List<List<String>> cells = Views.cells(metrics);
    List<String> watts = cells.get(cells.size() - 1);
    assertEquals(List.of("external:watts [W]", "", "120.00"), watts);
    Views.click("ring", "node2", "power");
    assertShows((analysis, tree) -> MetricsReport.of(analysis, Level.MACHINE,
        child(child(tree, "node2"), "power"), Progress.NONE), metrics);
    assertEquals(List.of(List.of("external:watts [W]", "120.00")), Views.cells(metrics));
    Views.choose(Views.levelChoice(metrics), "Process");
  }

  @Test
  void proceduresOfAThreadComeWhenItIsUnfolded() throws Exception {
    open(SampleTraces.threads(Files.createDirectory(directory.resolve("source"))));
    TreeItem reader = Views.item("server", "node1", "server", "reader");
    Views.trees().viewer().setExpandedState(reader.getData(), true);
    Workbench.await("the procedures", () -> reader.getItemCount() == 2
        && reader.getItem(0).getText().startsWith("read"));
    assertTrue(reader.getItem(0).getText().endsWith("server.c:400"), reader.getItem(0).getText());
    assertTrue(reader.getItem(1).getText().startsWith("serve"));
    Views.click("server", "node1", "server", "reader", "read");
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(profile);
    assertEquals(List.of("read"), Views.cells(profile).stream().map(row -> row.get(0)).toList());
  }

  @Test
  void tracesAreShownSideBySideAndClosed() throws Exception {
    openUnbalanced();
    IFolder second = Workbench.copy(
        SampleTraces.threads(Files.createDirectory(directory.resolve("other"))), project, "second");
    Workbench.doubleClickInExplorer(second.getFile("manifest"));
    Workbench.await("the second trace",
        () -> OpenSession.current().state().traces().size() == 2);
    Workbench.settle();
    assertEquals("server", OpenSession.current().state().scope().name());
    CriticalPathView view = Views.criticalPath();
    Views.click("Physical tree");
    assertTrue(Views.applicationChoice(view).isVisible());
    Views.choose(Views.applicationChoice(view), "server");
    assertEquals("server", view.result().parameters().get("application"));
    Views.choose(Views.applicationChoice(view), "ring");
    assertEquals("ring", view.result().parameters().get("application"));
    Application ring = OpenSession.current().state().session().getApplications().get(0);
    ApplicationAnalysis analysis = OpenSession.current().state().analyses().of(ring);
    Views.click("server");
    assertFalse(Views.applicationChoice(view).isVisible());
    OpenSession.current().close(List.of(OpenSession.current().state().traces().get(1)));
    Workbench.await("one trace", () -> OpenSession.current().state().traces().size() == 1);
    // What was computed of the other application is still there.
    assertSame(analysis, OpenSession.current().state().analyses().of(ring));
    assertEquals("ring", OpenSession.current().state().scope().name());
  }

  @Test
  void anotherSelectionDoesNotBeginAnewWhatIsBeingRead() throws Exception {
    openUnbalanced();
    CriticalPathView view = Views.criticalPath();
    Views.awaitTable(view);
    TreeNode tree = OpenSession.current().state().scope();
    TreeNode process = tree.children().get(0).children().get(0);
    Phase begin = new Phase("begin", new Window(0, 100_000_000));
    List<Boolean> ended = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    JobChangeAdapter listener = new JobChangeAdapter() {
      private boolean isPath(IJobChangeEvent event) {
        return event.getJob().getName().startsWith("Computing the critical path");
      }

      /** Called in the thread of the job, before it does anything. */
      @Override
      public void running(IJobChangeEvent event) {
        if (isPath(event)) {
          running.countDown();
          try {
            mayGoOn.await(60, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      }

      @Override
      public void done(IJobChangeEvent event) {
        if (isPath(event)) {
          ended.add(event.getResult().isOK());
        }
      }
    };
    Job.getJobManager().addJobChangeListener(listener);
    try {
      OpenSession.current().setPhase(begin);
      Workbench.await("the job to run", () -> running.getCount() == 0);
      OpenSession.current().setScope(process);
      Workbench.handleEvents();
      mayGoOn.countDown();
      Workbench.settle();
    } finally {
      mayGoOn.countDown();
      Job.getJobManager().removeJobChangeListener(listener);
    }
    assertEquals(List.of(true, true), ended, "the first has gone on");
    assertEquals("begin", view.result().parameters().get("phase"));
    assertEquals(1, labels(view, text -> text.startsWith(process.path())));
  }

  /** How many labels of a view, which is in sight, have a text. */
  private static int labels(ReportView view, Predicate<String> text) {
    CTabFolder folder = Workbench.find(Workbench.window().getShell(), CTabFolder.class,
        each -> each.isVisible() && each.getSelection() != null
            && each.getSelection().getText().equals(view.getTitle())).get(0);
    return Workbench.find((Composite) folder.getSelection().getControl(), Label.class,
        each -> each.isVisible() && text.test(each.getText())).size();
  }

  @Test
  void severalNodesAreOneScope() throws Exception {
    openUnbalanced();
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(profile);
    long all = profile.result().total();
    TreeNode tree = OpenSession.current().state().scope();
    List<TreeNode> processes = tree.children().stream().flatMap(
        machine -> machine.children().stream()).toList();
    long sum = 0;
    for (TreeNode process : processes.subList(0, 3)) {
      OpenSession.current().setScope(process);
      Workbench.settle();
      sum += profile.result().total();
    }
    OpenSession.current().select(
        OpenSession.current().state().selection().withNodes(processes.subList(0, 3)));
    Workbench.settle();
    assertEquals(sum, profile.result().total());
    assertTrue(sum < all);
    String scope = "ring > ring[0], ring[1], ring[2]";
    assertEquals(1, labels(profile, scope::equals), "the view says of what");
    // In all other views, too.
    for (String id : List.of(Ids.METRICS_VIEW, Ids.CRITICAL_PATH_VIEW,
        Ids.NPT_VIEW, Ids.WAITS_VIEW, Ids.COMMUNICATION_VIEW,
        Ids.EVENTS_VIEW)) {
      ReportView view = Views.show(id);
      Views.awaitTable(view);
      String title = view.result().title() + view.result().parameters();
      assertTrue(Workbench.find(Workbench.window().getShell(), Label.class,
          each -> each.isVisible() && each.getText().startsWith(scope)).size() >= 1, title);
    }
    ReportView metrics = Views.show(Ids.METRICS_VIEW);
    assertEquals(3, metrics.result().columns().stream()
        .filter(column -> column.label().contains(":ring[")).count(),
        metrics.result().columns().toString());
  }

  @Test
  void pinnedViewStaysAndPhasesLimitTheOthers() throws Exception {
    open(SampleTraces.unbalanced(Files.createDirectory(directory.resolve("pin")), 50));
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(profile);
    long all = profile.result().total();
    profile.pin().setChecked(true);
    profile.pin().run();
    ReportView metrics = Views.show(Ids.METRICS_VIEW);
    Views.awaitTable(metrics);
    var threads = OpenSession.current().state().scope().threads();
    long end = threads.stream().mapToLong(each -> each.getEndNs()).max().orElseThrow();
    Phase half = new Phase("half", new Window(0, end / 2));
    OpenSession.current().definePhase(half);
    OpenSession.current().setPhase(half);
    Workbench.settle();
    assertEquals("half", metrics.result().parameters().get("phase"));
    Views.show(Ids.PROFILE_VIEW);
    Workbench.settle();
    assertNull(profile.result().parameters().get("phase"), "it is pinned");
    assertEquals(all, profile.result().total());
    profile.pin().setChecked(false);
    profile.pin().run();
    Workbench.settle();
    assertEquals("half", profile.result().parameters().get("phase"));
    assertTrue(profile.result().total() < all);
    OpenSession.current().removePhase(half);
    Workbench.settle();
    assertEquals(all, profile.result().total());
  }
}
