package org.parallax.ui.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPartReference;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.Test;
import org.parallax.ui.testing.Screenshots;
import org.parallax.ui.testing.Workbench;

/**
 * Takes the pictures of experiments; not a test, see {@link Screenshots}. In the light theme only: the
 * platform cannot go from one theme to another and back without traces.
 */
class ExperimentScreenshots {
  private static final int HEIGHT = 1000;

  private final Path images = Path.of(System.getProperty("parallax.root"))
      .resolve(System.getProperty("parallax.screenshot.dir", "docs/images"));
  private final Shell shell = Workbench.window().getShell();

  @Test
  void experiment() throws Exception {
    Files.createDirectories(images);
    shell.setBounds(0, 0, Screenshots.WIDTH, HEIGHT);
    shell.getDisplay().setCursorLocation(Screenshots.WIDTH + 50, 5);
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(2);
    editor.designSection().request().setText("full");
    Driver.awaitCheck(editor);
    Workbench.page().saveEditor(editor, false);
    zoom(Workbench.page().getReference(editor));
    take("experiment-editor");
    zoom(Workbench.page().getReference(editor));
    ExperimentRunView run = Driver.runView();
    editor.runExperiment();
    ExperimentRun made = Experiments.get().run(editor.file());
    Workbench.await("half of it", () -> made.snapshot().done() >= 14 || !made.isRunning());
    take("experiment-run");
    Workbench.await("the end", () -> !made.isRunning());
    takeView(run, "view-experimentRun");
    ITextEditor source = driver.openSource();
    source.selectAndReveal(source.getDocumentProvider().getDocument(source.getEditorInput())
        .getLineOffset(Driver.STEP_LINE + 2), 0);
    EffectsView effects = Driver.effectsView();
    Workbench.await("effects", () -> effects.result() != null
        && effects.result().responses().observations().size() == 16);
    Workbench.page().hideView(Workbench.page().findView(IPageLayout.ID_OUTLINE));
    take("experiment-effects");
    takeView(effects, "view-effects");
  }

  private static void zoom(IWorkbenchPartReference part) {
    Workbench.page().toggleZoom(part);
  }

  /** All of the window. */
  private void take(String name) {
    Screenshots.take(shell, images.resolve(name + ".png"));
  }

  /** A view that has all of the window. */
  private void takeView(IViewPart view, String name) {
    shell.setBounds(0, 0, Screenshots.WIDTH, Screenshots.VIEW_HEIGHT);
    zoom(Workbench.page().getReference(view));
    Screenshots.take(view, images.resolve(name + ".png"));
    zoom(Workbench.page().getReference(view));
    shell.setBounds(0, 0, Screenshots.WIDTH, HEIGHT);
  }
}
