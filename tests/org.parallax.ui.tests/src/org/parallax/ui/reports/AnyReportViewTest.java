package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Text;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.InstalledReports;
import org.parallax.ui.views.Views;

/** Every report of the catalogue is in the IDE, and so is that of another plug-in. */
class AnyReportViewTest extends TableViewsFixture {
  private static String[] titles(List<ReportKind> kinds) {
    return kinds.stream().map(ReportKind::title).toArray(String[]::new);
  }

  @Test
  void everyReportOfTheCatalogueCanBeChosen() throws Exception {
    Path path = ring();
    AnyReportView view = shown(Ids.REPORT_VIEW);
    assertEquals("what-if", view.table().table().report());
    List<ReportKind> all = InstalledReports.catalogue().all();
    assertEquals(List.of(), InstalledReports.catalogue().faults());
    assertArrayEquals(titles(all), view.kindChoice().getItems());
    assertTrue(all.size() > StandardReport.values().length, "the example is installed");
    for (ReportKind kind : all) {
      Views.choose(view.kindChoice(), kind.title());
      Workbench.await(kind.id(), () -> view.table().table() != null
          && view.table().table().report().equals(kind.id()));
      assertEquals("", view.message(), kind.id());
      if (kind.id().equals("disassembly")) {
        // The program of this trace never was: the view says so.
        assertEquals(0, view.table().table().rows().size());
        assertTrue(view.warnings().toString().contains("the file does not exist"), view.warnings().toString());
        // All of the tree is selected.
        assertFalse(view.warnings().toString().contains("larger part"), view.warnings().toString());
        continue;
      }
      // The call tree of all processes has a limit on the command line only.
      assertEquals(core(path, analysis -> kind.make(analysis,
          ReportRequest.of(kind, ParameterValues.NONE), Progress.NONE)).rows().size(),
          view.table().table().rows().size(), kind.id());
    }
  }

  @Test
  void theParametersOfAnotherPluginAreChoices() throws Exception {
    open(unbalanced("trace", 5));
    AnyReportView view = shown(Ids.REPORT_VIEW);
    Views.choose(view.kindChoice(), "Lifetimes");
    Views.awaitTable(view);
    assertEquals(4, view.table().table().rows().size());
    assertNull(view.choice("faster"), "of the report that was chosen before");
    Combo order = (Combo) view.choice("order");
    assertEquals(List.of("(default)", "time", "name"), Arrays.asList(order.getItems()));
    Views.choose(order, "name");
    List<String> names = Views.cells(view).stream().map(row -> row.get(0)).toList();
    assertEquals(names.stream().sorted().toList(), names);
    Text least = (Text) view.choice("at-least");
    assertNotNull(least.getToolTipText());
    least.setText("1000000");
    least.notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
    assertEquals(0, view.table().table().rows().size());
    least.setText("long");
    least.notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
    assertTrue(view.warnings().toString().contains("at-least cannot be \"long\""),
        view.warnings().toString());
  }

  /** A short thread: what typical costs say of it is more than a twentieth of its time. */
  @Test
  void threadsWithMuchIntrusionAreMarked() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace"));
    builder.process("node1", "/opt/solver").thread(0).threadBegin(0, -1).sample(1_000_000, "main/solve")
        .threadEnd(2_000_000);
    open(builder.write());
    AnyReportView view = shown(Ids.REPORT_VIEW);
    Views.choose(view.kindChoice(), "Intrusion");
    Views.awaitTable(view);
    Workbench.await("intrusion", () -> view.table().table().report().equals("intrusion"));
    assertTrue(Views.cells(view).stream().anyMatch(row -> row.contains("above 5 %")), Views.cells(view).toString());
    assertTrue(view.warnings().toString().contains("typical costs are used"), view.warnings().toString());
  }

  @Test
  void theSameReportsAreComparedAsOnTheCommandLine() throws Exception {
    open(unbalanced("before", 5), unbalanced("after", 8));
    ComparisonView view = show(Ids.COMPARISON_VIEW);
    Workbench.await("a comparison", () -> view.comparison() != null);
    Workbench.settle();
    List<ReportKind> kinds = InstalledReports.catalogue().comparable();
    assertArrayEquals(titles(kinds), view.kindChoice().getItems());
    assertEquals("Profile", view.kindChoice().getText());
    for (ReportKind kind : kinds) {
      Views.choose(view.kindChoice(), kind.title());
      Workbench.await(kind.id(), () -> view.comparison() != null
          && (view.comparison().table() == null
              || view.comparison().table().report().equals(kind.id())));
      assertNotNull(view.comparison().table(), kind.id() + ": " + view.fault());
    }
  }
}
