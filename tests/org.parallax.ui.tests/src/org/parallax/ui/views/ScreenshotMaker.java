package org.parallax.ui.views;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.IPath;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageLoader;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.navigator.CommonNavigator;
import org.junit.jupiter.api.Test;
import org.parallax.model.Level;
import org.parallax.model.Procedure;
import org.parallax.model.TreeNode;
import org.parallax.ui.ParallaxUi;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.testing.Workbench;

/**
 * Takes the pictures of the documentation: the perspective with a trace, as PNG. Not a test; run it
 * by name, on a display with a window manager:
 *
 * <pre>
 * mvn verify -pl tests/org.parallax.ui.tests -am -Dtest=ScreenshotMaker
 *     -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dparallax.screenshot.trace=TRACE -Dparallax.screenshot.dir=docs/images
 * </pre>
 */
class ScreenshotMaker {
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 800;

  @Test
  void perspective() throws Exception {
    String traceName = System.getProperty("parallax.screenshot.trace", "");
    assertFalse(traceName.isEmpty(), "set parallax.screenshot.trace");
    Path trace = Path.of(System.getProperty("parallax.root")).resolve(traceName);
    Path images = Files.createDirectories(Path.of(System.getProperty("parallax.root"))
        .resolve(System.getProperty("parallax.screenshot.dir", "docs/images")));
    Workbench.reset();
    Shell shell = Workbench.window().getShell();
    shell.setBounds(0, 0, WIDTH, HEIGHT);
    IProject project = Workbench.project("runs");
    IFolder folder = project.getFolder(trace.getFileName().toString());
    folder.createLink(IPath.fromPath(trace.toRealPath()), 0, null);
    Workbench.doubleClickInExplorer(folder.getFile("manifest"));
    var explorer =
        (CommonNavigator) Workbench.page().findView(IPageLayout.ID_PROJECT_EXPLORER);
    explorer.getCommonViewer().collapseAll();
    explorer.getCommonViewer().setExpandedState(project, true);
    CriticalPathView view = Views.criticalPath();
    Views.awaitTable(view);
    unfoldFirstProcess();
    view.table().rows().stream()
        .filter(row -> row.subject() instanceof Procedure procedure
            && Files.isRegularFile(Path.of(procedure.getFile())))
        .findFirst().ifPresent(row -> {
          view.table().widget().setSelection(view.table().rows().indexOf(row));
          SourceOpener.open(Workbench.page(), SourceLocation.of((Procedure) row.subject()));
          Workbench.await("the source", () -> Workbench.page().getActiveEditor() != null);
        });
    Views.criticalPath();
    take(shell, images.resolve("perspective.png"));
    for (String id : new String[] {ParallaxUi.PROFILE_VIEW, ParallaxUi.METRICS_VIEW}) {
      Views.awaitTable(Views.show(id));
      take(shell, images.resolve(id.substring(id.lastIndexOf('.') + 1) + ".png"));
    }
  }

  /** Shows the procedures of a process. */
  private static void unfoldFirstProcess() {
    TreeNode process = ParallaxUi.session().state().scope();
    while (process.level() != Level.PROCESS) {
      process = process.children().get(0);
    }
    TreeNode thread = process.children().get(0);
    thread.children();
    Views.trees().viewer().setExpandedState(process, true);
    Views.trees().viewer().setExpandedState(thread, true);
    Workbench.settle();
  }

  private static void take(Shell shell, Path file) {
    Workbench.settle();
    // Wait for what is painted and decorated later.
    long end = System.currentTimeMillis() + 1_500;
    Workbench.await("a still picture", () -> System.currentTimeMillis() > end);
    Display display = shell.getDisplay();
    var bounds = shell.getBounds();
    Image image = new Image(display, bounds.width, bounds.height);
    GC gc = new GC(display);
    gc.copyArea(image, bounds.x, bounds.y);
    gc.dispose();
    ImageLoader loader = new ImageLoader();
    loader.data = new ImageData[] {image.getImageData()};
    loader.save(file.toString(), SWT.IMAGE_PNG);
    image.dispose();
    System.out.println("wrote " + file);
  }
}
