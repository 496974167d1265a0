package org.parallax.ui.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.testing.Workbench;

class PerspectiveTest {
  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  @Test
  void perspectiveOpensWithItsViews() throws Exception {
    var descriptor = PlatformUI.getWorkbench().getPerspectiveRegistry()
        .findPerspectiveWithId(Ids.PERSPECTIVE);
    assertEquals("Parallel Performance", descriptor.getLabel());
    assertEquals(Ids.PERSPECTIVE, Workbench.page().getPerspective().getId());
    String[] titles = {"Program Trees", "Critical Path Profile", "Profile", "Metrics"};
    String[] views = {Ids.TREES_VIEW, Ids.CRITICAL_PATH_VIEW,
        Ids.PROFILE_VIEW, Ids.METRICS_VIEW};
    for (int i = 0; i < views.length; i++) {
      var reference = Workbench.page().findViewReference(views[i]);
      assertNotNull(reference, views[i]);
      assertEquals(titles[i], reference.getPartName());
      assertNotNull(reference.getTitleImage());
    }
    assertTrue(Workbench.page()
        .isPartVisible(Workbench.page().findView(Ids.CRITICAL_PATH_VIEW)));
    assertNotNull(Workbench.page().findView(IPageLayout.ID_PROJECT_EXPLORER));
  }

  /** The folder of tabs in which a view is; it must be the one in front. */
  private static CTabFolder folder(String view) throws Exception {
    String title = Workbench.page().showView(view).getTitle();
    return Workbench.find(Workbench.window().getShell(), CTabFolder.class, each ->
        each.isVisible() && each.getSelection() != null
            && each.getSelection().getText().replace("*", "").equals(title)).get(0);
  }

  private static Rectangle bounds(CTabFolder folder) {
    return folder.getDisplay().map(folder.getParent(), null, folder.getBounds());
  }

  @Test
  void drawingsAreAboveTheirTablesAndAllIsInSightAtOnce() throws Exception {
    for (int time = 0; time < 2; time++) {
      // A source comes beside the drawings, which have its place until then.
      assertFalse(Workbench.page().isEditorAreaVisible());
      CTabFolder drawings = folder(Ids.TIMELINE_VIEW);
      CTabFolder tables = folder(Ids.CRITICAL_PATH_VIEW);
      CTabFolder runs = folder(Ids.COMPARISON_VIEW);
      CTabFolder trees = folder(Ids.TREES_VIEW);
      assertEquals(4, Set.of(drawings, tables, runs, trees).size());
      assertTrue(bounds(drawings).y < bounds(tables).y);
      assertTrue(bounds(tables).x < bounds(runs).x);
      assertTrue(bounds(trees).x < bounds(drawings).x);
      assertTrue(bounds(drawings).width > Workbench.window().getShell().getSize().x / 2);
      assertSame(drawings, folder(Ids.HISTOGRAM_VIEW));
      assertSame(drawings, folder(Ids.COMMUNICATION_VIEW));
      assertSame(tables, folder(Ids.WAITS_VIEW));
      assertSame(tables, folder(Ids.CALL_TREE_VIEW));
      assertSame(drawings, folder(Ids.EFFECTS_VIEW));
      assertSame(runs, folder(Ids.RUN_VIEW));
      // Whatever was closed, a reset brings it back.
      Workbench.page().hideView(Workbench.page().findView(Ids.TIMELINE_VIEW));
      Workbench.page().hideView(Workbench.page().findView(Ids.CRITICAL_PATH_VIEW));
      Workbench.page().hideView(Workbench.page().findView(Ids.TREES_VIEW));
      Workbench.page().resetPerspective();
      Workbench.settle();
      assertNull(Workbench.page().findViewReference(Ids.WAITS_VIEW));
    }
    // That of launches is in front of it, where it is installed.
    String measurements = "org.parallax.launch.views.measurements";
    String run = Workbench.page().findViewReference(measurements) == null
        ? Ids.COMPARISON_VIEW : measurements;
    for (String view : List.of(Ids.TREES_VIEW, Ids.TIMELINE_VIEW,
        Ids.CRITICAL_PATH_VIEW, run)) {
      assertTrue(Workbench.page().isPartVisible(Workbench.page().findView(view)), view);
    }
  }

  @Test
  void emptyViewsSayHowToOpenATrace() throws Exception {
    for (String view : new String[] {Ids.CRITICAL_PATH_VIEW, Ids.PROFILE_VIEW,
        Ids.METRICS_VIEW}) {
      ReportView report = Views.show(view);
      assertNull(report.result());
      assertTrue(report.message().contains("Open the bundled example"),
          report.message());
    }
    assertTrue(Views.trees().message().contains("Open the bundled example"), Views.trees().message());
  }

  @Test
  void linkInAnEmptyViewOpensTheImportWizard() throws Exception {
    Views.criticalPath();
    Link link = Workbench.find(Workbench.window().getShell(), Link.class,
        each -> each.isVisible() && each.getText().contains("critical path profile")).get(0);
    Event event = new Event();
    event.text = "import";
    String[] seen = {null};
    link.getDisplay().timerExec(300, () -> {
      var dialog = Workbench.dialog("Import Trace");
      seen[0] = dialog == null ? null : dialog.getText();
      if (dialog != null) {
        dialog.close();
      }
    });
    link.notifyListeners(SWT.Selection, event);
    assertEquals("Import Trace", seen[0]);
  }
}
