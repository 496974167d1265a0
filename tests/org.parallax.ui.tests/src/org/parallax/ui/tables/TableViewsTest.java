package org.parallax.ui.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.ToolBar;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.EfficiencyReport;
import org.parallax.analysis.EventsReport;
import org.parallax.analysis.GprofReport;
import org.parallax.analysis.NptReport;
import org.parallax.analysis.Phase;
import org.parallax.analysis.PhasesReport;
import org.parallax.analysis.Row;
import org.parallax.analysis.TrafficReport;
import org.parallax.analysis.WaitsReport;
import org.parallax.analysis.graph.Weight;
import org.parallax.analysis.graph.Window;
import org.parallax.analysis.text.ColumnHelp;
import org.parallax.analysis.text.TableFormat;
import org.parallax.model.Level;
import org.parallax.model.Procedure;
import org.parallax.model.SessionBuilder;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.ui.ParallaxUi;
import org.parallax.ui.session.Selection;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.CellText;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.ResultTable;
import org.parallax.ui.views.TableExport;
import org.parallax.ui.views.Views;

/** The views of tables: what the core computes, and what a person does with it. */
class TableViewsTest {
  private static final List<String> VIEWS = List.of(ParallaxUi.NPT_VIEW, ParallaxUi.GPROF_VIEW,
      ParallaxUi.WAITS_VIEW, ParallaxUi.EFFICIENCY_VIEW, ParallaxUi.COMMUNICATION_VIEW,
      ParallaxUi.EVENTS_VIEW, ParallaxUi.PHASES_VIEW);

  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    for (String view : VIEWS) {
      Workbench.page().hideView(Workbench.page().findViewReference(view));
    }
    Workbench.page().hideView(Workbench.page().findViewReference(ParallaxUi.COMPARISON_VIEW));
    Workbench.reset();
  }

  private static void open(Path... traces) {
    ParallaxUi.session().open(List.of(traces));
    Workbench.await("the traces",
        () -> ParallaxUi.session().state().traces().size() == traces.length);
    Workbench.settle();
  }

  private Path ring() throws Exception {
    Path path = SampleTraces.ring(directory.resolve("ring"), 4, 10);
    open(path);
    return path;
  }

  private Path unbalanced(String name, int steps) {
    return SampleTraces.unbalanced(directory.resolve(name), steps);
  }

  @SuppressWarnings("unchecked")
  private static <V> V show(String id) throws Exception {
    return (V) Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
  }

  private static <V extends ReportView> V shown(String id) throws Exception {
    V view = show(id);
    Views.awaitTable(view);
    return view;
  }

  private interface Core {
    org.parallax.analysis.Table compute(ApplicationAnalysis analysis) throws Exception;
  }

  private static org.parallax.analysis.Table core(Path path, Core core) throws Exception {
    try (Trace trace = Trace.open(path)) {
      return core.compute(
          new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0)));
    }
  }

  /** What is on the screen is the table of the core. */
  private static void assertShows(org.parallax.analysis.Table expected, ReportView view) {
    Views.awaitTable(view);
    assertFalse(expected.rows().isEmpty());
    assertEquals(expected.columns(), view.table().table().columns());
    CellText text = new CellText(expected);
    List<List<String>> cells = Views.cells(view);
    assertEquals(expected.rows().size(), cells.size());
    for (int i = 0; i < cells.size(); i++) {
      Row row = expected.rows().get(i);
      assertEquals(text.name(row), cells.get(i).get(0).strip());
      for (int column = 0; column < expected.columns().size(); column++) {
        assertEquals(text.cell(row, column), cells.get(i).get(column + 1));
      }
    }
  }

  @Test
  void nothingOpen() throws Exception {
    for (String id : VIEWS) {
      ReportView view = show(id);
      Workbench.settle();
      assertTrue(view.message().contains("There is no trace to show"), id + ": " + view.message());
    }
    ComparisonView comparison = show(ParallaxUi.COMPARISON_VIEW);
    Workbench.settle();
    assertTrue(comparison.message().contains("There is no trace to show"), comparison.message());
  }

  @Test
  void damagedTrace() throws Exception {
    open(Path.of(System.getProperty("parallax.root"), "native/format/golden/damaged"));
    for (String id : VIEWS) {
      ReportView view = shown(id);
      assertEquals("", view.message(), id);
    }
    ComparisonView comparison = show(ParallaxUi.COMPARISON_VIEW);
    Workbench.settle();
    assertTrue(comparison.fault().startsWith(Messages.comparisonNothing), comparison.fault());
  }

  @Test
  void nptWaitsAndEfficiencyAreThoseOfTheCore() throws Exception {
    Path path = unbalanced("trace", 5);
    open(path);
    NptView npt = shown(ParallaxUi.NPT_VIEW);
    assertShows(core(path, analysis -> NptReport.of(analysis, Level.PROCEDURE, Weight.CPU, null,
        Progress.NONE)), npt);
    Views.choose(npt.weightChoice(), "Wall time");
    Views.choose(Views.levelChoice(npt), "Process");
    assertShows(core(path, analysis -> NptReport.of(analysis, Level.PROCESS, Weight.WALL, null,
        Progress.NONE)), npt);
    WaitsView waits = shown(ParallaxUi.WAITS_VIEW);
    assertShows(core(path, analysis -> WaitsReport.of(analysis, Level.PROCESS, false, null,
        Progress.NONE)), waits);
    // Ranks 1 to 3 wait 30 ms for rank 0 in each of five steps.
    assertEquals(450_000_000L, Views.result(waits).total());
    Views.choose(Views.levelChoice(waits), "Procedure");
    waits.causesChoice().setSelection(true);
    waits.causesChoice().notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
    assertShows(core(path, analysis -> WaitsReport.of(analysis, Level.PROCEDURE, true, null,
        Progress.NONE)), waits);
    EfficiencyView efficiency = shown(ParallaxUi.EFFICIENCY_VIEW);
    assertShows(core(path, analysis -> EfficiencyReport.of(List.of(analysis), false,
        Progress.NONE)), efficiency);
    assertTrue(Views.cells(efficiency).stream().anyMatch(row -> row.get(0).startsWith("   ")),
        "factors stand below what they make up");
  }

  @Test
  void efficiencyHasAColumnForEachRun() throws Exception {
    open(unbalanced("small", 3), SampleTraces.wide(directory.resolve("wide"), 8));
    EfficiencyView view = shown(ParallaxUi.EFFICIENCY_VIEW);
    assertEquals(List.of("ring", "wide"),
        Views.result(view).columns().stream().map(column -> column.label()).toList());
    Views.choose(view.scalingChoice(), "Weak");
    assertEquals("weak", Views.result(view).parameters().get("scaling"));
  }

  private static void type(ResultTable table, String text) {
    table.filter().field().setText(text);
    Workbench.settle();
  }

  @Test
  void filterLeavesRowsWithTheTextAndCountsThem() throws Exception {
    open(unbalanced("trace", 5));
    ReportView view = shown(ParallaxUi.PROFILE_VIEW);
    view.setFocus();
    assertFalse(view.table().filter().isOpen());
    Workbench.window().getService(IHandlerService.class)
        .executeCommand(ActionFactory.FIND.getCommandId(), null);
    assertTrue(view.table().filter().isOpen());
    int all = view.table().rows().size();
    assertEquals(4, all);
    type(view.table(), "SOL");
    assertEquals(List.of("solve"), view.table().rows().stream().map(Row::name).toList());
    assertEquals(List.of("solve"), Views.cells(view).stream().map(row -> row.get(0)).toList());
    assertEquals("1 of 4 rows", view.table().filter().count());
    // What is typed stays for another scope, and any cell counts.
    ParallaxUi.session().setScope(
        ParallaxUi.session().state().trees().get(0).children().get(1));
    Workbench.settle();
    assertEquals("SOL", view.table().filter().field().getText());
    assertEquals(List.of("solve"), view.table().rows().stream().map(Row::name).toList());
    String time = new CellText(Views.result(view)).cell(Views.result(view).rows().get(0), 0);
    type(view.table(), time);
    assertTrue(view.table().rows().contains(Views.result(view).rows().get(0)));
    type(view.table(), "no such text");
    assertEquals(0, view.table().widget().getItemCount());
    Event escape = new Event();
    escape.keyCode = SWT.ESC;
    view.table().filter().field().notifyListeners(SWT.KeyDown, escape);
    Workbench.settle();
    assertFalse(view.table().filter().isOpen());
    assertEquals(Views.result(view).rows(), view.table().rows());
  }

  @Test
  void filesHaveWhatTheCommandLinePrints() throws Exception {
    Path path = ring();
    for (String id : List.of(ParallaxUi.NPT_VIEW, ParallaxUi.GPROF_VIEW, ParallaxUi.WAITS_VIEW,
        ParallaxUi.EFFICIENCY_VIEW, ParallaxUi.COMMUNICATION_VIEW, ParallaxUi.EVENTS_VIEW)) {
      ReportView view = shown(id);
      List<String> warnings = Views.result(view).warnings();
      for (String ending : List.of("csv", "json", "txt")) {
        Path file = directory.resolve("file." + ending);
        Job job = TableExport.write(view.table().shown(), () -> warnings, file,
            Workbench.window().getShell());
        job.join();
        org.parallax.analysis.Table expected = core(path, analysis -> switch (id) {
          case ParallaxUi.NPT_VIEW -> NptReport.of(
              analysis, Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
          case ParallaxUi.GPROF_VIEW -> GprofReport.of(
              analysis, Weight.CPU, null, 0, Progress.NONE);
          case ParallaxUi.WAITS_VIEW -> WaitsReport.of(
              analysis, Level.PROCESS, false, null, Progress.NONE);
          case ParallaxUi.EFFICIENCY_VIEW -> EfficiencyReport.of(
              List.of(analysis), false, Progress.NONE);
          case ParallaxUi.COMMUNICATION_VIEW -> TrafficReport.of(
              analysis, Level.PROCESS, null, Progress.NONE);
          default -> EventsReport.of(analysis, null,
              new EventsReport.Wanted(Long.MIN_VALUE / 2, 100, Set.of(), null), Progress.NONE);
        });
        TableFormat format = ending.equals("csv") ? TableFormat.CSV
            : ending.equals("json") ? TableFormat.JSON : TableFormat.TEXT;
        assertEquals(format.print(expected, Integer.MAX_VALUE, warnings),
            Files.readString(file), id + " as " + ending);
      }
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsTold() throws Exception {
    ring();
    NptView view = shown(ParallaxUi.NPT_VIEW);
    TableExport.write(view.table().shown(), List::of, directory.resolve("no/such/file.csv"),
        Workbench.window().getShell()).join();
    String[] told = {""};
    Workbench.window().getShell().getDisplay().timerExec(200, () -> {
      var dialog = Workbench.dialog("Export Table");
      told[0] = dialog == null ? "" : Workbench.texts(dialog);
      if (dialog != null) {
        dialog.close();
      }
    });
    Workbench.await("the message", () -> !told[0].isEmpty());
    assertTrue(told[0].contains("cannot be written"), told[0]);
  }

  @Test
  void columnsAreRememberedWhenTheViewIsClosed() throws Exception {
    open(unbalanced("trace", 5));
    ReportView view = shown(ParallaxUi.PROFILE_VIEW);
    Table table = view.table().widget();
    assertEquals(List.of("name", "time [ms]", "%time", "CPU time [ms]"),
        headings(table).subList(0, 4));
    assertFalse(headings(table).contains("exact"), "it is told with the visits");
    table.getColumn(2).setWidth(177);
    Workbench.handleEvents();
    int[] order = table.getColumnOrder();
    int moved = order[1];
    order[1] = order[3];
    order[3] = moved;
    table.setColumnOrder(order);
    table.getColumn(1).notifyListeners(SWT.Move, new Event());
    table.getColumn(3).notifyListeners(SWT.Selection, new Event());
    table.getColumn(3).notifyListeners(SWT.Selection, new Event());
    List<String> names = view.table().rows().stream().map(Row::name).toList();
    List<String> before = headings(table);
    Workbench.page().hideView(view);
    Workbench.settle();
    ReportView again = shown(ParallaxUi.PROFILE_VIEW);
    assertNotEquals(view, again);
    Table widget = again.table().widget();
    assertEquals(before, headings(widget));
    assertEquals(177, widget.getColumn(2).getWidth());
    assertEquals(SWT.UP, widget.getSortDirection());
    assertEquals(widget.getColumn(3), widget.getSortColumn());
    assertEquals(names, again.table().rows().stream().map(Row::name).toList());
  }

  private static List<String> headings(Table table) {
    List<String> headings = new ArrayList<>();
    for (int index : table.getColumnOrder()) {
      if (index < table.getColumnCount() - 1 && table.getColumn(index).getWidth() > 0) {
        headings.add(table.getColumn(index).getText());
      }
    }
    return headings;
  }

  @Test
  void columnsTellWhatTheyAre() throws Exception {
    open(unbalanced("trace", 5));
    ReportView view = shown(ParallaxUi.WAITS_VIEW);
    for (int i = 0; i < Views.result(view).columns().size(); i++) {
      String tip = view.table().widget().getColumn(i + 1).getToolTipText();
      assertFalse(tip.isEmpty(), Views.result(view).columns().get(i).key());
      assertEquals(ColumnHelp.of(Views.result(view), i), tip);
    }
  }

  @Test
  void gprofGoesToCallersAndCalleesAndBack() throws Exception {
    Path path = ring();
    GprofView view = shown(ParallaxUi.GPROF_VIEW);
    org.parallax.analysis.Table whole = core(path,
        analysis -> GprofReport.of(analysis, Weight.CPU, null, 0, Progress.NONE));
    assertEquals(whole.rows(), Views.result(view).rows().stream()
        .map(row -> new Row(row.name(), find(whole, row), null, row.values())).toList());
    assertEntry(whole, view, view.heading());
    String first = view.heading();
    assertTrue(view.callees().rows().size() > 0, first + " calls others");
    assertFalse(view.backAction().isEnabled());
    Row callee = view.callees().rows().get(0);
    view.callees().widget().setSelection(0);
    view.callees().widget().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.handleEvents();
    assertEquals(callee.name(), view.heading());
    assertEntry(whole, view, callee.name());
    assertEquals(callee.name(), view.table().selection().get(0).name());
    Procedure looked = ParallaxUi.session().state().selection().procedure();
    assertEquals(callee.name(), looked.getName());
    assertTrue(view.callers().rows().stream().anyMatch(row -> row.name().equals(first)));
    view.backAction().run();
    assertEquals(first, view.heading());
    view.forwardAction().run();
    assertEquals(callee.name(), view.heading());
    // What is looked at in another view is shown here.
    Procedure pass = Views.result(view).rows().stream().map(Row::subject)
        .filter(Procedure.class::isInstance).map(Procedure.class::cast)
        .filter(each -> each.getName().equals("pass")).findFirst().orElseThrow();
    ParallaxUi.session().setProcedure(pass);
    assertEquals("pass", view.heading());
    assertEntry(whole, view, "pass");
  }

  /** Subjects are of another model. */
  private static Object find(org.parallax.analysis.Table table, Row row) {
    return table.rows().stream().filter(each -> each.values().equals(row.values())
        && each.name().equals(row.name())).findFirst().orElseThrow().subject();
  }

  /** Callers and callees are the rows of the entry, in their order, with their numbers. */
  private static void assertEntry(
      org.parallax.analysis.Table whole, GprofView view, String entry) {
    for (String role : List.of(GprofReport.PARENT, GprofReport.CHILD)) {
      List<Row> expected = whole.rows().stream()
          .filter(row -> row.values().get(whole.column("of")).equals(entry)
              && row.values().get(whole.column("role")).equals(role)).toList();
      ResultTable table = role.equals(GprofReport.PARENT) ? view.callers() : view.callees();
      assertEquals(expected.stream().map(Row::name).toList(),
          table.rows().stream().map(Row::name).toList(), role + " of " + entry);
      for (String key : List.of("self", "descendants", "called", "total")) {
        assertEquals(
            expected.stream().map(row -> row.values().get(whole.column(key))).toList(),
            table.rows().stream().map(row -> row.values().get(table.table().column(key)))
                .toList(), key);
      }
    }
  }

  private static void press(Button button) {
    Workbench.press(button);
    Workbench.settle();
  }

  private static void enter(org.eclipse.swt.widgets.Text field, String text) {
    field.setText(text);
    field.notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
  }

  @Test
  void eventsByPagesFiltersAndTimes() throws Exception {
    Path path = ring();
    EventsView view = shown(ParallaxUi.EVENTS_VIEW);
    view.countField().setSelection(25);
    view.countField().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
    List<Object> all = new ArrayList<>();
    List<Object> expected = core(path, analysis -> EventsReport.of(analysis, null,
        new EventsReport.Wanted(Long.MIN_VALUE / 2, 100_000, Set.of(), null), Progress.NONE))
        .rows().stream().map(Row::values).map(Object.class::cast).toList();
    assertTrue(expected.size() > 100, "events: " + expected.size());
    for (int pages = 0; Views.result(view).rows().size() > 0 && pages < 100; pages++) {
      assertTrue(Views.result(view).rows().size() <= 25);
      view.table().rows().forEach(row -> all.add(row.values()));
      press(view.nextButton());
    }
    assertEquals(expected, all);
    assertEquals(List.of(Messages.eventsNoneAfter), view.warnings());
    press(view.lastButton());
    assertEquals(expected.subList(expected.size() - 25, expected.size()),
        view.table().rows().stream().map(Row::values).toList());
    press(view.previousButton());
    assertEquals(expected.subList(expected.size() - 50, expected.size() - 25),
        view.table().rows().stream().map(Row::values).toList());
    press(view.firstButton());
    assertEquals(expected.subList(0, 25),
        view.table().rows().stream().map(Row::values).toList());
    enter(view.atField(), "20ms");
    assertShows(core(path, analysis -> EventsReport.of(analysis, null,
        new EventsReport.Wanted(20_000_000, 25, Set.of(), null), Progress.NONE)), view);
    assertEquals("0", view.table().selection().get(0).name());
    assertEquals("0.021000000", Views.cells(view).get(12).get(1), "to the nanosecond");
    view.setKinds(Set.of(Kind.SEND));
    Workbench.settle();
    assertEquals(Set.of("Send"), Set.copyOf(
        view.table().rows().stream().map(row -> row.values().get(2)).toList()));
    enter(view.textField(), "circle\\[2\\]");
    assertShows(core(path, analysis -> EventsReport.of(analysis, null, new EventsReport.Wanted(
        20_000_000, 25, Set.of(Kind.SEND), Pattern.compile("circle\\[2\\]")), Progress.NONE)), view);
    enter(view.textField(), "(");
    assertTrue(view.textField().getToolTipText().startsWith("No regular expression"));
    enter(view.textField(), "");
    enter(view.atField(), "tomorrow");
    assertTrue(view.warnings().get(0).contains("is no time"), view.warnings().toString());
    enter(view.atField(), "900s");
    assertTrue(view.warnings().get(0).contains("outside of the run"));
    view.setKinds(Set.of());
    enter(view.atField(), "");
    assertEquals(List.of(), view.warnings());
    Phase late = new Phase("late", new Window(30_000_000, 40_000_000));
    ParallaxUi.session().setPhase(late);
    Workbench.settle();
    assertTrue((Long) view.table().rows().get(0).values().get(0) >= 30_000_000);
  }

  @Test
  void anEventSelectsItsProcedure() throws Exception {
    ring();
    EventsView view = shown(ParallaxUi.EVENTS_VIEW);
    int kind = view.table().table().column("kind");
    Row sample = view.table().rows().stream()
        .filter(row -> row.values().get(kind).equals("Sample")).findFirst().orElseThrow();
    view.table().select(sample);
    view.table().widget().notifyListeners(SWT.Selection, new Event());
    assertEquals("compute", ParallaxUi.session().state().selection().procedure().getName());
  }

  @Test
  void doubleClickGoesToTheOtherEndOfAMessage() throws Exception {
    ring();
    EventsView view = shown(ParallaxUi.EVENTS_VIEW);
    view.countField().setSelection(5);
    view.setKinds(Set.of(Kind.SEND, Kind.RECEIVE));
    Workbench.settle();
    Row send = view.table().rows().stream()
        .filter(row -> row.values().get(2).equals("Send")).findFirst().orElseThrow();
    view.table().select(send);
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    awaitKind(view, "Receive");
    Row receive = view.table().selection().get(0);
    assertEquals("Receive", receive.values().get(2));
    assertEquals(send.values().get(5), receive.values().get(5), "bytes");
    assertTrue(((String) send.values().get(4)).contains(process(receive)),
        send.values() + " is received by " + receive.values());
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    awaitKind(view, "Send");
    assertEquals(send.values(), view.table().selection().get(0).values());
    // The other end can be where filters do not let it be seen.
    view.setKinds(Set.of(Kind.SEND));
    Workbench.settle();
    view.table().widget().setSelection(0);
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.await("what is hidden", () -> !view.warnings().isEmpty());
    assertTrue(view.warnings().get(0).contains("filters leave it out"),
        view.warnings().toString());
  }

  private static void awaitKind(EventsView view, String kind) {
    Workbench.await("the other end", () -> view.table().selection().size() == 1
        && view.table().selection().get(0).values().get(2).equals(kind));
    Workbench.settle();
  }

  private static String process(Row row) {
    return (String) row.values().get(1);
  }

  @Test
  void matrixTellsOfPairsAndSelectsThem() throws Exception {
    Path path = ring();
    CommunicationView view = shown(ParallaxUi.COMMUNICATION_VIEW);
    assertShows(core(path, analysis -> TrafficReport.of(analysis, Level.PROCESS, null,
        Progress.NONE)), view);
    MatrixCanvas matrix = view.canvas();
    assertEquals(4, matrix.shownCount());
    Rectangle cell = matrix.bounds(1, 2);
    int x = cell.x + cell.width / 2;
    int y = cell.y + cell.height / 2;
    String tip = matrix.toolTip(x, y);
    assertTrue(tip.startsWith("node1:circle[1] \u2192 node2:circle[2]\n10 messages, 19.5 KiB"),
        tip);
    Rectangle empty = matrix.bounds(0, 3);
    assertTrue(matrix.toolTip(empty.x + 2, empty.y + 2).endsWith("nothing"));
    assertNull(matrix.toolTip(1, 1));
    Event event = new Event();
    event.x = x;
    event.y = y;
    event.button = 1;
    matrix.canvas().notifyListeners(SWT.MouseDown, event);
    matrix.canvas().notifyListeners(SWT.MouseUp, event);
    Workbench.await("the pair", () -> ParallaxUi.session().state().selection().nodes().size() == 2);
    Workbench.settle();
    assertEquals(List.of("circle[1]", "circle[2]"), ParallaxUi.session().state().selection()
        .nodes().stream().map(node -> node.name()).toList());
    assertEquals(4, Views.result(view).rows().size(), "the matrix stays as it is");
    assertEquals(4, matrix.shownCount());
    assertEquals("Msg: node1:circle[1]->node2:circle[2]",
        view.table().selection().get(0).name());
    // By keyboard: to the right, in, and all of it again.
    key(matrix, SWT.ARROW_RIGHT, '\0');
    assertEquals(List.of(1, 3), matrix.marked());
    Views.choose(view.metricChoice(), "Messages");
    Views.choose(Views.levelChoice(view), "Machine");
    assertEquals(2, matrix.shownCount());
  }

  private static void key(MatrixCanvas matrix, int code, char character) {
    Event event = new Event();
    event.keyCode = code;
    event.character = character;
    matrix.canvas().notifyListeners(SWT.KeyDown, event);
  }

  @Test
  void thousandProcessesAreAMatrix() throws Exception {
    open(SampleTraces.ring(directory.resolve("many"), 1000, 1));
    CommunicationView view = shown(ParallaxUi.COMMUNICATION_VIEW);
    MatrixCanvas matrix = view.canvas();
    assertEquals(1000, matrix.shownCount());
    Rectangle first = matrix.bounds(500, 501);
    assertEquals(1, first.width);
    assertTrue(matrix.toolTip(first.x, first.y).contains(" messages, ")
        || matrix.toolTip(first.x, first.y).contains("nothing"));
    matrix.mark(500, 501);
    for (int i = 0; i < 20; i++) {
      key(matrix, 0, '+');
    }
    assertTrue(matrix.shownCount() < 20, "shown: " + matrix.shownCount());
    Rectangle large = matrix.bounds(500, 501);
    assertTrue(large.width > 4 && matrix.toolTip(large.x + 2, large.y + 2)
        .contains("1 messages"), large + " " + matrix.toolTip(large.x + 2, large.y + 2));
    key(matrix, 0, '0');
    assertEquals(1000, matrix.shownCount());
  }

  @Test
  void phasesAreSelectedKeptRenamedAndRemoved() throws Exception {
    open(unbalanced("trace", 50));
    PhasesView view = shown(ParallaxUi.PHASES_VIEW);
    assertEquals(List.of(Messages.phasesNoneNamed), view.warnings());
    assertTrue(view.table().rows().get(0).name().startsWith("proposed"), "without being asked");
    Phase first = new Phase("first half", new Window(0, 1_000_000_000));
    ParallaxUi.session().definePhase(first);
    Workbench.settle();
    assertEquals(List.of("first half"), view.table().rows().stream().map(Row::name).toList());
    assertEquals("1.000", Views.cells(view).get(0).get(5));
    view.table().widget().setSelection(0);
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
    assertEquals(first, ParallaxUi.session().state().selection().phase());
    view.proposeChoice().setSelection(true);
    view.proposeChoice().notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
    assertTrue(view.table().rows().size() > 1, "phases are proposed");
    assertEquals("proposed[1]", view.table().rows().get(1).name());
    answer("Rename a Phase", "begin");
    view.table().widget().setSelection(0);
    Event f2 = new Event();
    f2.keyCode = SWT.F2;
    view.table().widget().notifyListeners(SWT.Selection, new Event());
    view.table().widget().notifyListeners(SWT.KeyDown, f2);
    Workbench.settle();
    assertEquals(List.of(new Phase("begin", first.window())),
        ParallaxUi.session().state().phases());
    assertEquals("begin", ParallaxUi.session().state().selection().phase().name());
    view.table().widget().setSelection(0);
    view.table().widget().notifyListeners(SWT.Selection, new Event());
    Event delete = new Event();
    delete.keyCode = SWT.DEL;
    view.table().widget().notifyListeners(SWT.KeyDown, delete);
    Workbench.settle();
    assertEquals(List.of(), ParallaxUi.session().state().phases());
    assertNull(ParallaxUi.session().state().selection().phase());
  }

  private static void answer(String title, String text) {
    Workbench.window().getShell().getDisplay().timerExec(100, () -> {
      var dialog = Workbench.dialog(title);
      if (dialog == null) {
        answer(title, text);
        return;
      }
      Workbench.find(dialog, org.eclipse.swt.widgets.Text.class, each -> each.isEnabled()
          && (each.getStyle() & SWT.READ_ONLY) == 0).get(0).setText(text);
      Workbench.press(Workbench.button(dialog, "OK"));
    });
  }

  @Test
  void runsAreCompared() throws Exception {
    open(unbalanced("a1", 5), unbalanced("a2", 5), unbalanced("b1", 8), unbalanced("b2", 8));
    ComparisonView view = show(ParallaxUi.COMPARISON_VIEW);
    Workbench.await("a comparison", () -> view.comparison() != null);
    Workbench.settle();
    List<Trace> traces = ParallaxUi.session().state().traces();
    Map<Trace, ComparisonView.Part> parts = new LinkedHashMap<>();
    for (int i = 0; i < traces.size(); i++) {
      parts.put(traces.get(i), i < 2 ? ComparisonView.Part.BASE : ComparisonView.Part.NEW);
    }
    view.setParts(parts);
    Workbench.settle();
    org.parallax.analysis.Table table = view.comparison().table();
    assertEquals("2", table.parameters().get("baseRuns"));
    assertEquals("a1,a2", table.parameters().get("base"));
    assertEquals("time", view.columnChoice().getText());
    // Three more steps: of 41 ms for each of four ranks.
    assertEquals(4 * 3 * 41_000_000L, table.total());
    Row relax = view.table().rows().stream().filter(row -> row.name().equals("relax")).findFirst()
        .orElseThrow();
    assertEquals("more", relax.values().get(view.table().table().column("verdict")));
    assertEquals(relax.values().get(view.table().table().column("low")),
        relax.values().get(view.table().table().column("difference")), "runs do not vary");
    Workbench.await("the chart", () -> view.canvas().info() != null);
    assertTrue(view.canvas().info().getEntityCollection().getEntities().stream()
        .anyMatch(each -> String.valueOf(((org.jfree.chart.entity.ChartEntity) each)
            .getToolTipText()).contains("relax")));
    Views.choose(view.columnChoice(), "samples");
    assertEquals(-1, view.table().table().column("time.base"));
    assertEquals("base", view.table().widget().getColumn(1).getText());
    Views.choose(view.chartChoice(), "Utilization over Time");
    Workbench.settle();
    assertTrue(view.comparison().time().rows().size() > 10);
    Views.choose(view.kindChoice(), "Metrics");
    assertEquals("metrics", view.comparison().table().report());
  }

  @Test
  void directoriesOfOneNameAreToldApart() throws Exception {
    open(unbalanced("before/run", 5), unbalanced("after/run", 8));
    ComparisonView view = show(ParallaxUi.COMPARISON_VIEW);
    Workbench.await("a comparison", () -> view.comparison() != null);
    Workbench.settle();
    Map<String, String> parameters = view.comparison().table().parameters();
    assertEquals("before/run", parameters.get("base"));
    assertEquals("after/run", parameters.get("new"));
    assertEquals(4 * 3 * 41_000_000L, view.comparison().table().total());
    Workbench.await("the chart", () -> view.canvas().info() != null);
    assertTrue(view.canvas().info().getEntityCollection().getEntities().stream().anyMatch(each ->
        String.valueOf(((org.jfree.chart.entity.ChartEntity) each).getToolTipText())
            .matches("(?s).*relax.* ms.*")));
  }

  @Test
  void runsOfDifferentProgramsAreNotCompared() throws Exception {
    TraceBuilder other = new TraceBuilder(directory.resolve("other"));
    other.process("node1", "/opt/other").exit(4_000_000, 0);
    other.process(0).thread(0).threadBegin(0, -1).sample(1_000_000, "alpha/beta")
        .threadEnd(4_000_000);
    open(unbalanced("a", 5), other.write());
    ComparisonView view = show(ParallaxUi.COMPARISON_VIEW);
    Workbench.await("a comparison", () -> view.comparison() != null);
    Workbench.settle();
    assertTrue(view.fault().contains("different programs"), view.fault());
    assertEquals(0, view.table().widget().getItemCount());
  }

  @Test
  void rowsAreSelectedInTheTrees() throws Exception {
    ring();
    ReportView view = shown(ParallaxUi.PROFILE_VIEW);
    Row pass = view.table().rows().stream().filter(row -> row.name().equals("compute")).findFirst()
        .orElseThrow();
    org.parallax.ui.views.NodeFinder.select(null, List.of(pass.subject()));
    Workbench.settle();
    Selection selection = ParallaxUi.session().state().selection();
    assertEquals(4, selection.nodes().size(), "one for each rank");
    assertTrue(selection.nodes().stream().allMatch(node -> node.name().equals("compute")));
  }

  @Test
  void namedPhasesAreThoseOfTheCore() throws Exception {
    Path golden = Path.of(System.getProperty("parallax.root"), "native/format/golden/messages");
    open(golden);
    PhasesView view = shown(ParallaxUi.PHASES_VIEW);
    org.parallax.analysis.Table expected =
        core(golden, analysis -> PhasesReport.of(analysis, null, false, Progress.NONE));
    if (expected.rows().isEmpty()) {
      assertEquals(List.of(view.table().rows().isEmpty() ? Messages.phasesNone
          : Messages.phasesNoneNamed), view.warnings());
    } else {
      assertShows(expected, view);
    }
  }

  @Test
  void menusSortAndChooseColumns() throws Exception {
    open(unbalanced("trace", 5));
    ReportView view = shown(ParallaxUi.PROFILE_VIEW);
    Table table = view.table().widget();
    List<Row> ofTheAnalysis = view.table().rows();
    Menus.choose(table.getMenu(), "Sort By", "name");
    assertEquals(List.of("MPI_Barrier", "main", "relax", "solve"),
        view.table().rows().stream().map(Row::name).toList());
    Menus.choose(table.getMenu(), "Sort By", "Sort Descending");
    assertEquals(List.of("solve", "relax", "main", "MPI_Barrier"),
        view.table().rows().stream().map(Row::name).toList());
    Menus.choose(table.getMenu(), "Sort By", "Order of the Analysis");
    assertEquals(ofTheAnalysis, view.table().rows());
    assertNull(table.getSortColumn());
    String second = table.getColumn(2).getText();
    table.getDisplay().timerExec(100, () -> {
      var dialog = Workbench.dialog("Columns");
      Table columns = Workbench.find(dialog, Table.class, each -> true).get(0);
      columns.getItem(2).setChecked(false);
      Event check = new Event();
      check.item = columns.getItem(2);
      check.detail = SWT.CHECK;
      columns.notifyListeners(SWT.Selection, check);
      columns.setSelection(3);
      Workbench.press(Workbench.button(dialog, "Move Up"));
      Workbench.press(Workbench.button(dialog, "Move Up"));
      Workbench.press(Workbench.button(dialog, "OK"));
    });
    Menus.choose(table.getMenu(), "Columns\u2026");
    assertFalse(headings(table).contains(second));
    assertEquals("CPU time [ms]", headings(table).get(1));
    table.getDisplay().timerExec(100,
        () -> Workbench.press(Workbench.button(Workbench.dialog("Columns"), "Restore Defaults")));
    Menus.choose(table.getMenu(), "Columns\u2026");
    assertEquals(List.of("name", "time [ms]", "%time", "CPU time [ms]"),
        headings(table).subList(0, 4));
  }

  @Test
  void theToolBarChoosesThePhase() throws Exception {
    open(unbalanced("trace", 50));
    Phase half = new Phase("half", new Window(0, 1_000_000_000));
    ParallaxUi.session().definePhase(half);
    ToolBar bar = Workbench.find(Workbench.window().getShell(), ToolBar.class,
        each -> each.getItemCount() == 1 && each.getItem(0).getText().equals("All of the time"))
        .get(0);
    assertTrue(bar.getItem(0).isEnabled());
    ParallaxUi.session().setPhase(half);
    assertEquals("half", bar.getItem(0).getText());
    ParallaxUi.session().setPhase(null);
    assertEquals("All of the time", bar.getItem(0).getText());
  }
}
