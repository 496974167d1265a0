package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchPartReference;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.Widgets;

/**
 * Every table sorts, filters, copies, exports and remembers its columns, and every chart is saved as PNG
 * and SVG: whatever views there are. Those of experiments are looked at where there is one.
 */
class EveryTableAndChartTest {
  /** What shows neither a table nor a chart of a trace. */
  private static final int CHOSEN_WIDTH = 231;
  private static final List<String> NEITHER =
      List.of(Ids.TREES_VIEW, Ids.RUN_VIEW, Ids.EFFECTS_VIEW);

  @TempDir
  Path folder;

  @BeforeEach
  void open() throws Exception {
    Workbench.reset();
    OpenSession.current().open(List.of(SampleTraces.ring(folder.resolve("before"), 4, 10),
        SampleTraces.ring(folder.resolve("after"), 4, 12)));
    Workbench.await("the traces", () -> OpenSession.current().state().traces().size() == 2);
    Workbench.settle();
  }

  private static IViewPart show(String id) throws Exception {
    IViewPart view = Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
    Workbench.settle();
    return view;
  }

  @Test
  void tablesDoWhatTablesDo() throws Exception {
    TreeSet<String> without = new TreeSet<>(OurViews.ids());
    for (String id : OurViews.ids()) {
      IViewPart view = show(id);
      List<Control> tables = Widgets.tables(view);
      for (int i = 0; i < tables.size(); i++) {
        Widgets.assertDoesWhatTablesDo(view.getTitle() + ", table " + (i + 1), tables.get(i));
        without.remove(id);
      }
    }
    without.removeAll(NEITHER);
    without.removeAll(List.of(
        Ids.TIMELINE_VIEW, Ids.HISTOGRAM_VIEW, Ids.FLAME_GRAPH_VIEW));
    assertTrue(without.isEmpty(), "no table in " + without);
  }

  @Test
  void tablesRememberTheirColumns() throws Exception {
    for (String id : OurViews.ids()) {
      IViewPart view = show(id);
      List<Integer> widths = new ArrayList<>();
      for (Control table : Widgets.tables(view)) {
        widths.add(CHOSEN_WIDTH + widths.size());
        Widgets.width(table, 0, widths.get(widths.size() - 1));
      }
      Workbench.handleEvents();
      Workbench.page().hideView(view);
      IViewPart again = show(id);
      List<Control> tables = Widgets.tables(again);
      assertEquals(widths.size(), tables.size(), again.getTitle());
      for (int i = 0; i < widths.size(); i++) {
        Control table = tables.get(i);
        int wanted = widths.get(i);
        Workbench.await("the width of " + again.getTitle() + ", table " + (i + 1),
            () -> Widgets.width(table, 0, 0) == wanted);
      }
    }
  }

  @Test
  void chartsAreSaved() throws Exception {
    TreeSet<String> with = new TreeSet<>();
    for (String id : OurViews.ids()) {
      IViewPart view = show(id);
      // A small view leaves its chart out.
      IWorkbenchPartReference part = Workbench.page().getReference(view);
      Workbench.page().setPartState(part, IWorkbenchPage.STATE_MAXIMIZED);
      Workbench.settle();
      List<ChartCanvas> charts = Widgets.charts(view);
      for (int i = 0; i < charts.size() && !NEITHER.contains(id); i++) {
        Widgets.assertIsSaved(view.getTitle() + i, charts.get(i), folder);
        with.add(id);
      }
      Workbench.page().setPartState(part, IWorkbenchPage.STATE_RESTORED);
    }
    assertTrue(with.containsAll(List.of(Ids.TIMELINE_VIEW, Ids.HISTOGRAM_VIEW,
        Ids.FLAME_GRAPH_VIEW, Ids.COMMUNICATION_VIEW,
        Ids.COMPARISON_VIEW)), with.toString());
  }
}
