package org.parallax.ui;

import org.eclipse.ui.IFolderLayout;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.IPerspectiveFactory;
import org.eclipse.ui.progress.IProgressConstants;

/** The program trees and the workspace on the left; sources above the tables on the right. */
public final class PerformancePerspective implements IPerspectiveFactory {
  @Override
  public void createInitialLayout(IPageLayout layout) {
    String editors = layout.getEditorArea();
    IFolderLayout trees =
        layout.createFolder("org.parallax.ui.trees", IPageLayout.LEFT, 0.26f, editors);
    trees.addView(ParallaxUi.TREES_VIEW);
    IFolderLayout workspace = layout.createFolder("org.parallax.ui.workspace", IPageLayout.BOTTOM,
        0.62f, "org.parallax.ui.trees");
    workspace.addView(IPageLayout.ID_PROJECT_EXPLORER);
    IFolderLayout tables =
        layout.createFolder("org.parallax.ui.tables", IPageLayout.BOTTOM, 0.42f, editors);
    tables.addView(ParallaxUi.CRITICAL_PATH_VIEW);
    tables.addView(ParallaxUi.PROFILE_VIEW);
    tables.addView(ParallaxUi.METRICS_VIEW);
    tables.addPlaceholder(IProgressConstants.PROGRESS_VIEW_ID);

    layout.addPerspectiveShortcut(ParallaxUi.PERSPECTIVE);
    layout.addShowViewShortcut(ParallaxUi.TREES_VIEW);
    layout.addShowViewShortcut(ParallaxUi.CRITICAL_PATH_VIEW);
    layout.addShowViewShortcut(ParallaxUi.PROFILE_VIEW);
    layout.addShowViewShortcut(ParallaxUi.METRICS_VIEW);
    layout.addShowViewShortcut(IPageLayout.ID_PROJECT_EXPLORER);
  }
}
