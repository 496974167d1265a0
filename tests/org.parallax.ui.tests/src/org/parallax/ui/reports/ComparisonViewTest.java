package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.ui.IWorkbenchPage;
import org.jfree.chart.entity.ChartEntity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.Views;

/** The comparison of runs. */
class ComparisonViewTest extends TableViewsFixture {
  /** In its place there is little room for a chart below the choices. */
  private static ComparisonView large() throws Exception {
    ComparisonView view = show(Ids.COMPARISON_VIEW);
    IWorkbenchPage page = Workbench.page();
    page.setPartState(page.getReference(view), IWorkbenchPage.STATE_MAXIMIZED);
    return view;
  }

  @AfterEach
  void putBack() {
    IWorkbenchPage page = Workbench.page();
    page.setPartState(page.findViewReference(Ids.COMPARISON_VIEW),
        IWorkbenchPage.STATE_RESTORED);
  }

  @Test
  void runsAreCompared() throws Exception {
    open(unbalanced("a1", 5), unbalanced("a2", 5), unbalanced("b1", 8), unbalanced("b2", 8));
    ComparisonView view = large();
    Workbench.await("a comparison", () -> view.comparison() != null);
    Workbench.settle();
    List<Trace> traces = OpenSession.current().state().traces();
    Map<Trace, ComparisonView.Part> parts = new LinkedHashMap<>();
    for (int i = 0; i < traces.size(); i++) {
      parts.put(traces.get(i), i < 2 ? ComparisonView.Part.BASE : ComparisonView.Part.NEW);
    }
    view.setParts(parts);
    Workbench.settle();
    Table table = view.comparison().table();
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
        .anyMatch(each -> String.valueOf(((ChartEntity) each)
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
    ComparisonView view = large();
    Workbench.await("a comparison", () -> view.comparison() != null);
    Workbench.settle();
    Map<String, String> parameters = view.comparison().table().parameters();
    assertEquals("before/run", parameters.get("base"));
    assertEquals("after/run", parameters.get("new"));
    assertEquals(4 * 3 * 41_000_000L, view.comparison().table().total());
    Workbench.await("the chart", () -> view.canvas().info() != null);
    assertTrue(view.canvas().info().getEntityCollection().getEntities().stream().anyMatch(each ->
        String.valueOf(((ChartEntity) each).getToolTipText())
            .matches("(?s).*relax.* ms.*")));
  }

  /** Also when they have functions of the same names. */
  @Test
  void anotherProgramIsComparedOnlyIfAPersonSaysSo() throws Exception {
    TraceBuilder other = new TraceBuilder(directory.resolve("other"));
    other.process("node1", "/opt/other").exit(4_000_000, 0);
    other.process(0).thread(0).threadBegin(0, -1).sample(1_000_000, "main/relax").threadEnd(4_000_000);
    open(unbalanced("a", 5), other.write());
    ComparisonView view = large();
    Workbench.await("a message", () -> view.comparison() != null);
    Workbench.settle();
    assertTrue(view.fault().startsWith(Messages.comparisonOthers), view.fault());
    List<Trace> traces = OpenSession.current().state().traces();
    view.setParts(Map.of(traces.get(0), ComparisonView.Part.BASE, traces.get(1), ComparisonView.Part.NEW));
    Workbench.await("a comparison", () -> view.comparison() != null
        && view.comparison().table() != null);
    Workbench.settle();
    assertTrue(view.warningDetails().startsWith("other minus a:"), view.warningDetails());
    assertTrue(view.warningDetails().contains("choose them with Runs"), view.warningDetails());
  }

  /** In a narrow place the numbers are seen: the chart is below the table, or not there at all. */
  @Test
  void aNarrowPlaceShowsTheNumbers() throws Exception {
    open(unbalanced("a", 5), unbalanced("b", 8));
    ComparisonView view = show(Ids.COMPARISON_VIEW);
    Workbench.await("a comparison", () -> view.comparison() != null
        && view.comparison().table() != null);
    Workbench.settle();
    int width = view.table().widget().getClientArea().width;
    int chart = view.canvas().isVisible() ? view.canvas().getSize().x : 0;
    assertTrue(chart == 0 || chart == view.canvas().getParent().getSize().x
        || width >= 480, width + " beside " + chart);
  }

  @Test
  void runsOfDifferentProgramsAreNotCompared() throws Exception {
    TraceBuilder other = new TraceBuilder(directory.resolve("other"));
    other.process("node1", "/opt/other").exit(4_000_000, 0);
    other.process(0).thread(0).threadBegin(0, -1).sample(1_000_000, "alpha/beta")
        .threadEnd(4_000_000);
    open(unbalanced("a", 5), other.write());
    ComparisonView view = large();
    Workbench.await("a comparison", () -> view.comparison() != null);
    Workbench.settle();
    assertTrue(view.fault().contains("different programs"), view.fault());
    assertEquals(0, view.table().widget().getItemCount());
  }
}
