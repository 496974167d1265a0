package org.parallax.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.jface.preference.PreferenceDialog;
import org.eclipse.jface.text.IDocument;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.dialogs.PreferencesUtil;
import org.eclipse.ui.editors.text.EditorsUI;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.ide.IDE;
import org.eclipse.ui.navigator.CommonNavigator;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.Test;
import org.parallax.model.program.Procedure;
import org.parallax.ui.open.ExampleTrace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.testing.Screenshots;
import org.parallax.ui.testing.Workbench;

/** Takes the pictures of source annotations; not a test, see {@link Screenshots}. */
class SourceScreenshots {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 620;

  private final Path images = Path.of(System.getProperty("parallax.root"))
      .resolve(System.getProperty("parallax.screenshot.dir", "docs/images"));
  private final Shell shell = Workbench.window().getShell();

  @Test
  void pictures() throws Exception {
    Files.createDirectories(images);
    Workbench.reset();
    shell.getDisplay().setCursorLocation(Screenshots.WIDTH + 50, 5);
    ExampleTrace.open(Workbench.window());
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    IThemeEngine themes = PlatformUI.getWorkbench().getService(IThemeEngine.class);
    for (String theme : List.of("default", "dark")) {
      String suffix = theme.equals("dark") ? "-dark.png" : ".png";
      themes.setTheme("org.eclipse.e4.ui.css.theme.e4_" + theme, false);
      perspective(suffix);
      source(suffix);
    }
    for (String theme : List.of("default", "dark")) {
      themes.setTheme("org.eclipse.e4.ui.css.theme.e4_" + theme, false);
      disassembly(theme.equals("dark") ? "-dark.png" : ".png");
    }
  }

  /** A program whose slow instruction is known; the example was recorded on another machine. */
  private void disassembly(String suffix) throws Exception {
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    Path directory = Files.createTempDirectory("disassembly");
    DisassemblyViewTest.record(directory);
    shell.setBounds(0, 0, Screenshots.VIEW_WIDTH, Screenshots.VIEW_HEIGHT);
    IViewPart view = Workbench.page().showView(DisassemblyView.ID);
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    Screenshots.take(view, images.resolve("view-disassembly" + suffix));
    Workbench.page().toggleZoom(Workbench.page().getReference(view));
    Workbench.page().hideView(view);
  }

  /** The whole window, with the source of what is longest on the critical path. */
  private void perspective(String suffix) throws Exception {
    shell.setBounds(0, 0, Screenshots.WIDTH, Screenshots.HEIGHT);
    IProject project = ResourcesPlugin.getWorkspace().getRoot().getProjects()[0];
    ((CommonNavigator) Workbench.page().showView(IPageLayout.ID_PROJECT_EXPLORER))
        .getCommonViewer().setExpandedState(project, true);
    Procedure procedure = OpenSession.current().state().session().getApplications().get(0)
        .getProcedures().stream().filter(each -> each.getName().equals("refine_cells"))
        .findFirst().orElseThrow();
    SourceOpener.open(Workbench.page(), SourceLocation.of(procedure));
    Workbench.await("the source", () -> Workbench.page().getActiveEditor() != null);
    Workbench.page().showView(Ids.CRITICAL_PATH_VIEW);
    Screenshots.take(shell, images.resolve("perspective" + suffix));
    Workbench.page().closeAllEditors(false);
  }

  private void source(String suffix) throws Exception {
    shell.setBounds(0, 0, WIDTH, HEIGHT);
    IProject project = ResourcesPlugin.getWorkspace().getRoot().getProjects()[0];
    ITextEditor editor = (ITextEditor) IDE.openEditor(Workbench.page(),
        project.getFile("solver.c"), EditorsUI.DEFAULT_TEXT_EDITOR_ID);
    Workbench.page().toggleZoom(Workbench.page().getReference(editor));
    Screenshots.take(shell, images.resolve("source" + suffix));
    showLine(editor, 37);
    Screenshots.take(shell, images.resolve("source-line" + suffix));
    closeDialogs(shell);
    PreferenceDialog dialog = PreferencesUtil.createPreferenceDialogOn(
        shell, "org.parallax.source.preferences", null, null);
    dialog.setBlockOnOpen(false);
    dialog.open();
    dialog.getShell().setBounds(0, 0, WIDTH, HEIGHT);
    Screenshots.take(dialog.getShell(), images.resolve("source-preferences" + suffix));
    dialog.close();
    Workbench.page().toggleZoom(Workbench.page().getReference(editor));
    Workbench.page().closeAllEditors(false);
  }

  private static void showLine(ITextEditor editor, int line) throws Exception {
    Workbench.page().activate(editor);
    IDocument document = editor.getDocumentProvider().getDocument(editor.getEditorInput());
    editor.selectAndReveal(document.getLineOffset(line - 1), 0);
    editor.getSite().getService(IHandlerService.class)
        .executeCommand("org.parallax.source.showLineProfile", null);
  }

  private static void closeDialogs(Shell window) {
    for (Shell each : new ArrayList<>(List.of(window.getDisplay().getShells()))) {
      if (!each.isDisposed() && each != window && each.isVisible()) {
        each.close();
      }
    }
  }
}
