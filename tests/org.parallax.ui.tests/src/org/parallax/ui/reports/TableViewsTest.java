package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.calls.GprofReport;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.EfficiencyReport;
import org.parallax.analysis.reports.NptReport;
import org.parallax.analysis.reports.TrafficReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.text.ColumnHelp;
import org.parallax.analysis.text.TableFormat;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedure;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.table.CellText;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableExport;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;

/** The views of tables: what the core computes, and what a person does with it. */
class TableViewsTest extends TableViewsFixture {
  @Test
  void nothingOpen() throws Exception {
    for (String id : VIEWS) {
      ReportView view = show(id);
      Workbench.settle();
      assertTrue(view.message().contains("No trace is open"), id + ": " + view.message());
    }
    ComparisonView comparison = show(Ids.COMPARISON_VIEW);
    Workbench.settle();
    assertTrue(comparison.message().contains("No trace is open"), comparison.message());
  }

  @Test
  void damagedTrace() throws Exception {
    open(Path.of(System.getProperty("parallax.root"), "native/format/golden/damaged"));
    for (String id : VIEWS) {
      ReportView view = shown(id);
      assertEquals("", view.message(), id);
    }
    ComparisonView comparison = show(Ids.COMPARISON_VIEW);
    Workbench.settle();
    assertTrue(comparison.fault().startsWith(Messages.comparisonNothing), comparison.fault());
  }

  @Test
  void nptWaitsAndEfficiencyAreThoseOfTheCore() throws Exception {
    Path path = unbalanced("trace", 5);
    open(path);
    NptView npt = shown(Ids.NPT_VIEW);
    assertShows(core(path, analysis -> NptReport.of(analysis, Level.PROCEDURE, Weight.CPU, null,
        Progress.NONE)), npt);
    Views.choose(npt.weightChoice(), "Wall time");
    Views.choose(Views.levelChoice(npt), "Process");
    assertShows(core(path, analysis -> NptReport.of(analysis, Level.PROCESS, Weight.WALL, null,
        Progress.NONE)), npt);
    WaitsView waits = shown(Ids.WAITS_VIEW);
    assertShows(core(path, analysis -> WaitsReport.of(analysis, Level.PROCESS, false, null,
        Progress.NONE)), waits);
    // Ranks 1 to 3 wait 30 ms for rank 0 in each of five steps.
    assertEquals(450_000_000L, waits.result().total());
    Views.choose(Views.levelChoice(waits), "Procedure");
    waits.causesChoice().setSelection(true);
    waits.causesChoice().notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
    assertShows(core(path, analysis -> WaitsReport.of(analysis, Level.PROCEDURE, true, null,
        Progress.NONE)), waits);
    EfficiencyView efficiency = shown(Ids.EFFICIENCY_VIEW);
    assertShows(core(path, analysis -> EfficiencyReport.of(List.of(analysis), false,
        Progress.NONE)), efficiency);
    assertTrue(Views.cells(efficiency).stream().anyMatch(row -> row.get(0).startsWith("   ")),
        "factors stand below what they make up");
  }

  @Test
  void efficiencyHasAColumnForEachRun() throws Exception {
    open(unbalanced("small", 3), SampleTraces.wide(directory.resolve("wide"), 8));
    EfficiencyView view = shown(Ids.EFFICIENCY_VIEW);
    assertEquals(List.of("ring", "wide"),
        view.result().columns().stream().map(column -> column.label()).toList());
    Views.choose(view.scalingChoice(), "Weak");
    assertEquals("weak", view.result().parameters().get("scaling"));
  }

  private static void type(ResultTable table, String text) {
    table.filter().field().setText(text);
    Workbench.settle();
  }

  @Test
  void filterLeavesRowsWithTheTextAndCountsThem() throws Exception {
    open(unbalanced("trace", 5));
    ReportView view = shown(Ids.PROFILE_VIEW);
    view.setFocus();
    assertFalse(view.table().filter().isOpen());
    Workbench.window().getService(IHandlerService.class)
        .executeCommand(ActionFactory.FIND.getCommandId(), null);
    assertTrue(view.table().filter().isOpen());
    int all = view.table().rows().size();
    assertEquals(4, all);
    type(view.table(), "BARR");
    assertEquals(List.of("MPI_Barrier"), view.table().rows().stream().map(Row::name).toList());
    assertEquals(List.of("MPI_Barrier"), Views.cells(view).stream().map(row -> row.get(0)).toList());
    assertEquals("1 of 4 rows", view.table().filter().count());
    // What is typed stays for another scope, and any cell counts.
    OpenSession.current().setScope(
        OpenSession.current().state().trees().get(0).children().get(1));
    Workbench.settle();
    assertEquals("BARR", view.table().filter().field().getText());
    assertEquals(List.of("MPI_Barrier"), view.table().rows().stream().map(Row::name).toList());
    String time = new CellText(view.result()).cell(view.result().rows().get(0), 0);
    type(view.table(), time);
    assertTrue(view.table().rows().contains(view.result().rows().get(0)));
    type(view.table(), "no such text");
    assertEquals(0, view.table().widget().getItemCount());
    Event escape = new Event();
    escape.keyCode = SWT.ESC;
    view.table().filter().field().notifyListeners(SWT.KeyDown, escape);
    Workbench.settle();
    assertFalse(view.table().filter().isOpen());
    assertEquals(view.result().rows(), view.table().rows());
  }

  @Test
  void filesHaveWhatTheCommandLinePrints() throws Exception {
    Path path = ring();
    for (String id : List.of(Ids.NPT_VIEW, Ids.GPROF_VIEW, Ids.WAITS_VIEW,
        Ids.EFFICIENCY_VIEW, Ids.COMMUNICATION_VIEW, Ids.EVENTS_VIEW)) {
      ReportView view = shown(id);
      List<String> warnings = view.result().warnings();
      for (String ending : List.of("csv", "json", "txt")) {
        Path file = directory.resolve("file." + ending);
        Job job = TableExport.write(view.table().shown(), () -> warnings, file,
            Workbench.window().getShell());
        job.join();
        org.parallax.analysis.table.Table expected = core(path, analysis -> switch (id) {
          case Ids.NPT_VIEW -> NptReport.of(
              analysis, Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
          case Ids.GPROF_VIEW -> GprofReport.of(
              analysis, Weight.CPU, null, 0, Progress.NONE);
          case Ids.WAITS_VIEW -> WaitsReport.of(
              analysis, Level.PROCESS, false, null, Progress.NONE);
          case Ids.EFFICIENCY_VIEW -> EfficiencyReport.of(
              List.of(analysis), false, Progress.NONE);
          case Ids.COMMUNICATION_VIEW -> TrafficReport.of(
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
    NptView view = shown(Ids.NPT_VIEW);
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
    ReportView view = shown(Ids.PROFILE_VIEW);
    Table table = view.table().widget();
    assertEquals(List.of("name", "time [ms]", "%time", "CPU time [ms]"),
        headings(view.table()).subList(0, 4));
    assertFalse(headings(view.table()).contains("exact"), "it is told with the visits");
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
    List<String> before = headings(view.table());
    Workbench.page().hideView(view);
    Workbench.settle();
    ReportView again = shown(Ids.PROFILE_VIEW);
    assertNotEquals(view, again);
    Table widget = again.table().widget();
    assertEquals(before, headings(again.table()));
    Workbench.await("the width", () -> widget.getColumn(2).getWidth() == 177);
    assertEquals(SWT.UP, widget.getSortDirection());
    assertEquals(widget.getColumn(3), widget.getSortColumn());
    assertEquals(names, again.table().rows().stream().map(Row::name).toList());
  }

  private static List<String> headings(ResultTable table) {
    return table.columnOrder().stream().filter(table::isVisible).map(table::heading).toList();
  }

  @Test
  void columnsTellWhatTheyAre() throws Exception {
    open(unbalanced("trace", 5));
    ReportView view = shown(Ids.WAITS_VIEW);
    for (int i = 0; i < view.result().columns().size(); i++) {
      String tip = view.table().widget().getColumn(i + 1).getToolTipText();
      assertFalse(tip.isEmpty(), view.result().columns().get(i).key());
      assertEquals(ColumnHelp.of(view.result(), i), tip);
    }
  }

  @Test
  void rowsAreSelectedInTheTrees() throws Exception {
    ring();
    ReportView view = shown(Ids.PROFILE_VIEW);
    Row pass = view.table().rows().stream().filter(row -> row.name().equals("compute")).findFirst()
        .orElseThrow();
    org.parallax.ui.views.NodeFinder.select(null, List.of(pass.subject()));
    Workbench.settle();
    Selection selection = OpenSession.current().state().selection();
    assertEquals(4, selection.nodes().size(), "one for each rank");
    assertTrue(selection.nodes().stream().allMatch(node -> node.name().equals("compute")));
  }

  @Test
  void menusSortAndChooseColumns() throws Exception {
    open(unbalanced("trace", 5));
    ReportView view = shown(Ids.PROFILE_VIEW);
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
    assertFalse(headings(view.table()).contains(second));
    assertEquals("CPU time [ms]", headings(view.table()).get(1));
    table.getDisplay().timerExec(100,
        () -> Workbench.press(Workbench.button(Workbench.dialog("Columns"), "Restore Defaults")));
    Menus.choose(table.getMenu(), "Columns\u2026");
    assertEquals(List.of("name", "time [ms]", "%time", "CPU time [ms]"),
        headings(view.table()).subList(0, 4));
  }
}
