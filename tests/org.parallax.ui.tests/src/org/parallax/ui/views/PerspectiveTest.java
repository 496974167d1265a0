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
import org.parallax.ui.ParallaxUi;
import org.parallax.ui.testing.Workbench;

class PerspectiveTest {
  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  @Test
  void perspectiveOpensWithItsViews() throws Exception {
    var descriptor = PlatformUI.getWorkbench().getPerspectiveRegistry()
        .findPerspectiveWithId(ParallaxUi.PERSPECTIVE);
    assertEquals("Parallel Performance", descriptor.getLabel());
    assertEquals(ParallaxUi.PERSPECTIVE, Workbench.page().getPerspective().getId());
    String[] titles = {"Program Trees", "Critical Path Profile", "Profile", "Metrics"};
    String[] views = {ParallaxUi.TREES_VIEW, ParallaxUi.CRITICAL_PATH_VIEW,
        ParallaxUi.PROFILE_VIEW, ParallaxUi.METRICS_VIEW};
    for (int i = 0; i < views.length; i++) {
      var reference = Workbench.page().findViewReference(views[i]);
      assertNotNull(reference, views[i]);
      assertEquals(titles[i], reference.getPartName());
      assertNotNull(reference.getTitleImage());
    }
    assertTrue(Workbench.page()
        .isPartVisible(Workbench.page().findView(ParallaxUi.CRITICAL_PATH_VIEW)));
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
      CTabFolder drawings = folder(ParallaxUi.TIMELINE_VIEW);
      CTabFolder tables = folder(ParallaxUi.CRITICAL_PATH_VIEW);
      CTabFolder runs = folder(ParallaxUi.COMPARISON_VIEW);
      CTabFolder trees = folder(ParallaxUi.TREES_VIEW);
      assertEquals(4, Set.of(drawings, tables, runs, trees).size());
      assertTrue(bounds(drawings).y < bounds(tables).y);
      assertTrue(bounds(tables).x < bounds(runs).x);
      assertTrue(bounds(trees).x < bounds(drawings).x);
      assertTrue(bounds(drawings).width > Workbench.window().getShell().getSize().x / 2);
      assertSame(drawings, folder(ParallaxUi.HISTOGRAM_VIEW));
      assertSame(drawings, folder(ParallaxUi.COMMUNICATION_VIEW));
      assertSame(tables, folder(ParallaxUi.WAITS_VIEW));
      assertSame(tables, folder(ParallaxUi.CALL_TREE_VIEW));
      assertSame(drawings, folder(ParallaxUi.EFFECTS_VIEW));
      assertSame(runs, folder(ParallaxUi.RUN_VIEW));
      // Whatever was closed, a reset brings it back.
      Workbench.page().hideView(Workbench.page().findView(ParallaxUi.TIMELINE_VIEW));
      Workbench.page().hideView(Workbench.page().findView(ParallaxUi.CRITICAL_PATH_VIEW));
      Workbench.page().hideView(Workbench.page().findView(ParallaxUi.TREES_VIEW));
      Workbench.page().resetPerspective();
      Workbench.settle();
      assertNull(Workbench.page().findViewReference(ParallaxUi.WAITS_VIEW));
    }
    // That of launches is in front of it, where it is installed.
    String measurements = "org.parallax.launch.views.measurements";
    String run = Workbench.page().findViewReference(measurements) == null
        ? ParallaxUi.COMPARISON_VIEW : measurements;
    for (String view : List.of(ParallaxUi.TREES_VIEW, ParallaxUi.TIMELINE_VIEW,
        ParallaxUi.CRITICAL_PATH_VIEW, run)) {
      assertTrue(Workbench.page().isPartVisible(Workbench.page().findView(view)), view);
    }
  }

  @Test
  void emptyViewsSayHowToOpenATrace() throws Exception {
    for (String view : new String[] {ParallaxUi.CRITICAL_PATH_VIEW, ParallaxUi.PROFILE_VIEW,
        ParallaxUi.METRICS_VIEW}) {
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
