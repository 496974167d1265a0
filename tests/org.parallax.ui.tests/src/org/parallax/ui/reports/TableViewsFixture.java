package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.table.CellText;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;

/** A workbench for tests of the views of tables, the traces that they show, and what they must show. */
abstract class TableViewsFixture {
  static final List<String> VIEWS = List.of(Ids.NPT_VIEW, Ids.GPROF_VIEW,
      Ids.WAITS_VIEW, Ids.EFFICIENCY_VIEW, Ids.COMMUNICATION_VIEW,
      Ids.EVENTS_VIEW, Ids.PHASES_VIEW);

  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    for (String view : VIEWS) {
      Workbench.page().hideView(Workbench.page().findViewReference(view));
    }
    Workbench.page().hideView(Workbench.page().findViewReference(Ids.COMPARISON_VIEW));
    Workbench.reset();
  }

  static void open(Path... traces) {
    OpenSession.current().open(List.of(traces));
    Workbench.await("the traces",
        () -> OpenSession.current().state().traces().size() == traces.length);
    Workbench.settle();
  }

  Path ring() throws Exception {
    Path path = SampleTraces.ring(directory.resolve("ring"), 4, 10);
    open(path);
    return path;
  }

  Path unbalanced(String name, int steps) {
    return SampleTraces.unbalanced(directory.resolve(name), steps);
  }

  @SuppressWarnings("unchecked")
  static <V> V show(String id) throws Exception {
    return (V) Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
  }

  static <V extends ReportView> V shown(String id) throws Exception {
    V view = show(id);
    Views.awaitTable(view);
    return view;
  }

  interface Core {
    Table compute(ApplicationAnalysis analysis) throws Exception;
  }

  static Table core(Path path, Core core) throws Exception {
    try (Trace trace = Trace.open(path)) {
      return core.compute(
          new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0)));
    }
  }

  /** What is on the screen is the table of the core. */
  static void assertShows(Table expected, ReportView view) {
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
}
