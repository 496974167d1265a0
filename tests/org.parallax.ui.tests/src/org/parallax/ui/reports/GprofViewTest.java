package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.calls.GprofReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Procedure;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.testing.Workbench;

/** The gprof table: an entry, its callers and its callees. */
class GprofViewTest extends TableViewsFixture {
  @Test
  void gprofGoesToCallersAndCalleesAndBack() throws Exception {
    Path path = ring();
    GprofView view = shown(Ids.GPROF_VIEW);
    Table whole = core(path,
        analysis -> GprofReport.of(analysis, Weight.CPU, null, 0, Progress.NONE));
    assertEquals(whole.rows(), view.result().rows().stream()
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
    Procedure looked = OpenSession.current().state().selection().procedure();
    assertEquals(callee.name(), looked.getName());
    assertTrue(view.callers().rows().stream().anyMatch(row -> row.name().equals(first)));
    view.backAction().run();
    assertEquals(first, view.heading());
    view.forwardAction().run();
    assertEquals(callee.name(), view.heading());
    // What is looked at in another view is shown here.
    Procedure pass = view.result().rows().stream().map(Row::subject)
        .filter(Procedure.class::isInstance).map(Procedure.class::cast)
        .filter(each -> each.getName().equals("pass")).findFirst().orElseThrow();
    OpenSession.current().setProcedure(pass);
    Workbench.await("pass to be shown", () -> view.heading().equals("pass"));
    assertEntry(whole, view, "pass");
  }

  /** Subjects are of another model. */
  private static Object find(Table table, Row row) {
    return table.rows().stream().filter(each -> each.values().equals(row.values())
        && each.name().equals(row.name())).findFirst().orElseThrow().subject();
  }

  /** Callers and callees are the rows of the entry, in their order, with their numbers. */
  private static void assertEntry(
      Table whole, GprofView view, String entry) {
    for (String role : List.of(GprofReport.PARENT, GprofReport.CHILD)) {
      List<Row> expected = whole.rows().stream()
          .filter(row -> row.values().get(whole.column("of")).equals(entry)
              && row.values().get(whole.column("role")).equals(role)).toList();
      ResultTable table = role.equals(GprofReport.PARENT) ? view.callers() : view.callees();
      List<String> names = expected.stream().map(Row::name).toList();
      Workbench.await(role + " of " + entry + ": " + names,
          () -> names.equals(table.rows().stream().map(Row::name).toList()));
      for (String key : List.of("self", "descendants", "called", "total")) {
        assertEquals(
            expected.stream().map(row -> row.values().get(whole.column(key))).toList(),
            table.rows().stream().map(row -> row.values().get(table.table().column(key)))
                .toList(), key);
      }
    }
  }
}
