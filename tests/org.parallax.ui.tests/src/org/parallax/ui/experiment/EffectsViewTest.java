package org.parallax.ui.experiment;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.testing.Workbench;

/** Where there is little room, the effects have it. */
class EffectsViewTest {
  private static final Path FILE = Path.of(System.getProperty("parallax.root"))
      .resolve("tests/org.parallax.studies/resources/recorded/experiments/delay.experiment");

  private final Shell shell = Workbench.window().getShell();
  private Point size;
  private EffectsView view;

  @BeforeEach
  void show() throws Exception {
    Workbench.reset();
    size = shell.getSize();
    Experiments.get().select(FILE);
    view = Driver.effectsView();
    Workbench.await("effects", () -> view.result() != null);
    IWorkbenchPage page = Workbench.page();
    page.setPartState(page.getReference(view), IWorkbenchPage.STATE_MAXIMIZED);
    Workbench.settle();
  }

  @AfterEach
  void putBack() {
    shell.setSize(size);
    IWorkbenchPage page = Workbench.page();
    page.setPartState(page.findViewReference(Ids.EFFECTS_VIEW), IWorkbenchPage.STATE_RESTORED);
    page.hideView(view);
  }

  private void await(int height, boolean isLow) {
    shell.setSize(size.x, height);
    Workbench.await("another height", () -> view.plots().getSize().x == 0 == isLow);
  }

  @Test
  void aLowViewHasTheTableAlone() {
    await(900, false);
    assertTrue(view.table().control().isVisible());
    boolean proposes = view.proposals().control().isVisible();
    await(330, true);
    assertTrue(view.table().control().isVisible());
    assertFalse(view.proposals().control().isVisible());
    int rows = view.table().widget().getClientArea().height / view.table().widget().getItemHeight();
    assertTrue(rows >= 2, "rows in sight: " + rows);
    await(900, false);
    assertTrue(view.proposals().control().isVisible() == proposes);
  }
}
