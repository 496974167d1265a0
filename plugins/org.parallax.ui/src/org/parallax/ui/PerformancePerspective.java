package org.parallax.ui;

import java.util.List;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Monitor;
import org.eclipse.ui.IFolderLayout;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.IPerspectiveFactory;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.progress.IProgressConstants;
import org.parallax.ui.platform.Ids;

/**
 * What there is on the left: the program trees above the workspace. Beside it what is drawn over time,
 * above the tables of it; on the right the sources, once one is opened, above what compares, launches
 * and experiments.
 *
 * <pre>
 * trees     | drawings          | sources
 * ----------+-------------------+---------
 * workspace | tables            | runs
 * </pre>
 *
 * On a screen with little room, such as one of 1,920 x 1,080 pixels at 200 %, the workspace is behind the trees,
 * the runs are behind the tables, and the tables have more of the height.
 */
public final class PerformancePerspective implements IPerspectiveFactory {
  private static final String TREES = "org.parallax.ui.trees";
  private static final String TABLES = "org.parallax.ui.tables";
  private static final String DRAWINGS = "org.parallax.ui.drawings";
  /** That of org.parallax.launch, which need not be there. */
  private static final String MEASUREMENTS = "org.parallax.launch.views.measurements";
  /** That of org.parallax.source, below the sources. */
  private static final String DISASSEMBLY = "org.parallax.source.views.disassembly";
  private static final float LEFT = 0.21f;
  private static final float ABOVE = 0.52f;
  private static final float ABOVE_IF_LOW = 0.42f;
  /** In points: with less, two folders beside each other show too few columns. */
  private static final int LEAST_WIDTH = 1200;
  /** In points: with less, two folders above each other show too few rows. */
  private static final int LEAST_HEIGHT = 700;
  private static final float DRAWN = 0.62f;
  private static final float TREES_ABOVE = 0.62f;

  /** A folder's views; those of the second list come when they are asked for. */
  private static void fill(IPageLayout layout, IFolderLayout folder, List<String> first,
      List<String> later) {
    first.forEach(folder::addView);
    later.forEach(folder::addPlaceholder);
    first.forEach(layout::addShowViewShortcut);
    later.forEach(layout::addShowViewShortcut);
  }

  @Override
  public void createInitialLayout(IPageLayout layout) {
    createInitialLayout(layout, screen());
  }

  /** How much room a window has at most, in points. */
  private static Rectangle screen() {
    IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
    Monitor monitor = window == null || window.getShell() == null
        ? Display.getCurrent().getPrimaryMonitor() : window.getShell().getMonitor();
    return monitor.getClientArea();
  }

  /** @param screen that the window can fill, in points */
  static void createInitialLayout(IPageLayout layout, Rectangle screen) {
    boolean isLow = screen.height < LEAST_HEIGHT;
    boolean isNarrow = screen.width < LEAST_WIDTH;
    String editors = layout.getEditorArea();
    IFolderLayout trees = layout.createFolder(TREES, IPageLayout.LEFT, LEFT, editors);
    fill(layout, trees, List.of(Ids.TREES_VIEW), List.of());
    IFolderLayout workspace = isLow ? trees : layout.createFolder("org.parallax.ui.workspace",
        IPageLayout.BOTTOM, TREES_ABOVE, TREES);
    fill(layout, workspace, List.of(IPageLayout.ID_PROJECT_EXPLORER),
        List.of(Ids.PHASES_VIEW));
    IFolderLayout tables =
        layout.createFolder(TABLES, IPageLayout.BOTTOM, isLow ? ABOVE_IF_LOW : ABOVE, editors);
    IFolderLayout drawings =
        layout.createFolder(DRAWINGS, IPageLayout.LEFT, DRAWN, editors);
    IFolderLayout runs = isNarrow ? tables : layout.createFolder("org.parallax.ui.runs", IPageLayout.RIGHT,
        DRAWN, TABLES);
    fill(layout, drawings, List.of(Ids.TIMELINE_VIEW, Ids.HISTOGRAM_VIEW,
        Ids.FLAME_GRAPH_VIEW),
        List.of(Ids.COMMUNICATION_VIEW, Ids.EFFECTS_VIEW));
    fill(layout, tables, List.of(Ids.CRITICAL_PATH_VIEW, Ids.PROFILE_VIEW,
        Ids.METRICS_VIEW, Ids.CALL_TREE_VIEW), List.of(Ids.WAITS_VIEW,
        Ids.NPT_VIEW, Ids.GPROF_VIEW, Ids.EFFICIENCY_VIEW,
        Ids.EVENTS_VIEW, Ids.REPORT_VIEW));
    if (PlatformUI.getWorkbench().getViewRegistry().find(MEASUREMENTS) != null) {
      // A launch brings it into sight; beside the tables, its tab would take the room of their tool bar.
      List<String> measurements = List.of(MEASUREMENTS);
      fill(layout, runs, isNarrow ? List.of() : measurements, isNarrow ? measurements : List.of());
    }
    fill(layout, runs, List.of(Ids.COMPARISON_VIEW), List.of(Ids.RUN_VIEW));
    runs.addPlaceholder(IProgressConstants.PROGRESS_VIEW_ID);
    if (PlatformUI.getWorkbench().getViewRegistry().find(DISASSEMBLY) != null) {
      fill(layout, runs, List.of(), List.of(DISASSEMBLY));
      layout.addShowInPart(DISASSEMBLY);
    }
    // It comes with the first source that is opened.
    layout.setEditorAreaVisible(false);

    layout.addPerspectiveShortcut(Ids.PERSPECTIVE);
    for (String view : List.of(Ids.TIMELINE_VIEW, Ids.HISTOGRAM_VIEW,
        Ids.CALL_TREE_VIEW, Ids.FLAME_GRAPH_VIEW, Ids.CRITICAL_PATH_VIEW,
        Ids.PROFILE_VIEW, Ids.METRICS_VIEW, Ids.NPT_VIEW,
        Ids.GPROF_VIEW, Ids.WAITS_VIEW, Ids.EFFICIENCY_VIEW,
        Ids.COMMUNICATION_VIEW, Ids.EVENTS_VIEW, Ids.PHASES_VIEW,
        Ids.REPORT_VIEW, Ids.COMPARISON_VIEW)) {
      layout.addShowInPart(view);
    }
    layout.addNewWizardShortcut("org.parallax.ui.newExperiment");
  }
}
