package org.parallax.ui.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.eclipse.swt.SWT;
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

  @Test
  void emptyViewsSayHowToOpenATrace() throws Exception {
    for (String view : new String[] {ParallaxUi.CRITICAL_PATH_VIEW, ParallaxUi.PROFILE_VIEW,
        ParallaxUi.METRICS_VIEW}) {
      ReportView report = Views.show(view);
      assertNull(report.result());
      assertTrue(report.message().contains("Open a trace: double-click the file manifest"),
          report.message());
    }
    assertTrue(Views.trees().message().contains("Open a trace"), Views.trees().message());
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
