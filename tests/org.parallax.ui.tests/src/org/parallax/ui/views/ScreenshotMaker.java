package org.parallax.ui.views;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.jface.action.ActionContributionItem;
import org.eclipse.jface.action.IAction;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.Test;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Trace;
import org.parallax.ui.open.ExampleTrace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.reports.ComparisonView;
import org.parallax.ui.reports.EventsView;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.Screenshots;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.trees.ProgramTreesView;

/**
 * Takes the pictures of the documentation: each view of our category with the bundled example, in the
 * light and the dark theme. Not a test; it is run by {@code ./parallax screenshots}.
 */
class ScreenshotMaker {
  /** They have pictures of their own, with an experiment. */
  private static final Set<String> ELSEWHERE =
      Set.of(Ids.RUN_VIEW, Ids.EFFECTS_VIEW);

  private static final long MOMENT_NS = 1_500_000_000;

  private final Path images = Path.of(System.getProperty("parallax.root"))
      .resolve(System.getProperty("parallax.screenshot.dir", "docs/images"));
  private final Shell shell = Workbench.window().getShell();

  /**
   * In one theme, {@code dark} if {@code PARALLAX_SCREENSHOT_THEME} says so: what there is in the other one
   * by then would be in the pictures.
   */
  @Test
  void pictures() throws Exception {
    boolean dark = "dark".equals(System.getenv("PARALLAX_SCREENSHOT_THEME"));
    String theme = "org.eclipse.e4.ui.css.theme.e4_" + (dark ? "dark" : "default");
    String suffix = dark ? "-dark" : "";
    Files.createDirectories(images);
    Workbench.reset();
    PlatformUI.getWorkbench().getService(IThemeEngine.class).setTheme(theme, false);
    // No tool tip of where the pointer happens to be.
    shell.getDisplay().setCursorLocation(Screenshots.WIDTH + 50, 5);
    shell.setBounds(0, 0, Screenshots.VIEW_WIDTH, Screenshots.VIEW_HEIGHT);
    openExample();
    List<String> laidOut = OurViews.ids().stream()
        .filter(id -> Workbench.page().findViewReference(id) != null).toList();
    for (String id : OurViews.ids()) {
      if (ELSEWHERE.contains(id)) {
        continue;
      }
      IViewPart view = Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
      prepare(view);
      Workbench.page().toggleZoom(Workbench.page().getReference(view));
      if (id.equals(Ids.CALL_TREE_VIEW)) {
        Workbench.settle();
        Tree tree = Workbench.find(Workbench.window().getShell(), Tree.class, Tree::isVisible).get(0);
        tree.setTopItem(tree.getItem(0));
      }
      Screenshots.take(view,
          images.resolve("view-" + id.substring(id.lastIndexOf('.') + 1) + suffix + ".png"));
      Workbench.page().toggleZoom(Workbench.page().getReference(view));
      closeOther();
      if (!laidOut.contains(id)) {
        // Its tab would take room from those of the others.
        Workbench.page().hideView(view);
      }
    }
    takeRuns(images.resolve("view-timeline-runs" + suffix + ".png"));
  }

  /** Two runs below each other. */
  private void takeRuns(Path file) throws Exception {
    IViewPart view = Workbench.page().showView(Ids.TIMELINE_VIEW, null, IWorkbenchPage.VIEW_ACTIVATE);
    openOther();
    IAction together = Arrays.stream(view.getViewSite().getActionBars().getToolBarManager().getItems())
        .filter(ActionContributionItem.class::isInstance)
        .map(item -> ((ActionContributionItem) item).getAction())
        .filter(action -> "Runs Below Each Other".equals(action.getText())).findFirst().orElseThrow();
    together.setChecked(true);
    together.run();
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    Screenshots.take(view, file);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    together.setChecked(false);
    together.run();
    closeOther();
  }

  private static void openExample() {
    ExampleTrace.open(Workbench.window());
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
  }

  /** Brings into sight what a view is for. */
  private static void prepare(IViewPart view) {
    if (view instanceof ProgramTreesView) {
      unfoldFirstProcess();
    } else if (view instanceof EventsView events) {
      Workbench.settle();
      events.showMoment(MOMENT_NS);
    } else if (view instanceof ComparisonView) {
      openOther();
    }
    Workbench.settle();
  }

  private static void openOther() {
    Path trace = OpenSession.current().state().traces().get(0).directory();
    OpenSession.current().open(List.of(trace.resolveSibling(ExampleTrace.OTHER)));
    Workbench.await("the other run",
        () -> OpenSession.current().state().traces().size() == 2);
  }

  private static void closeOther() {
    List<Trace> open = OpenSession.current().state().traces();
    if (open.size() > 1) {
      OpenSession.current().close(open.subList(1, open.size()));
      Workbench.settle();
    }
  }

  /** Shows the procedures of a process. */
  private static void unfoldFirstProcess() {
    TreeNode process = OpenSession.current().state().scope();
    while (process.level() != Level.PROCESS) {
      process = process.children().get(0);
    }
    TreeNode thread = process.children().get(0);
    thread.children();
    Views.trees().viewer().setExpandedState(process, true);
    Views.trees().viewer().setExpandedState(thread, true);
    Workbench.settle();
  }
}
