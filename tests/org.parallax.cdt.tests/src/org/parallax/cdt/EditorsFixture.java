package org.parallax.cdt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.text.ITextHover;
import org.eclipse.jface.text.ITextHoverExtension2;
import org.eclipse.jface.text.ITextOperationTarget;
import org.eclipse.jface.text.ITextSelection;
import org.eclipse.jface.text.ITextViewer;
import org.eclipse.jface.text.source.Annotation;
import org.eclipse.jface.text.source.CompositeRuler;
import org.eclipse.jface.text.source.IAnnotationModel;
import org.eclipse.jface.text.source.IVerticalRulerColumn;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.jface.text.source.IVerticalRulerInfoExtension;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.parallax.model.program.Procedure;
import org.parallax.ui.open.ExampleTrace;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.testing.Workbench;

/** The bundled example, whose sources open in an editor that is made as one of CDT's. */
@ExtendWith(DialogGuard.class)
abstract class EditorsFixture {
  /** Where refine_cells is declared, and its innermost line, which has most of the time. */
  static final int DECLARED = 37;
  static final int HOT = 43;
  IProject project;

  /** Whether projects want the editor for language servers. */
  abstract boolean isLsp();

  @BeforeEach
  void openExample() throws Exception {
    Workbench.reset();
    ExampleTrace.open(Workbench.window());
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    settle();
    project = ResourcesPlugin.getWorkspace().getRoot().getProjects()[0];
    LspLikeAssociation.set(project, isLsp());
  }

  @AfterEach
  void closeEditors() throws Exception {
    Workbench.page().closeAllEditors(false);
    LspLikeAssociation.set(project, false);
  }

  static void settle() {
    Workbench.settle();
    Workbench.settle();
  }

  static Procedure procedure(String name) {
    return OpenSession.current().state().session().getApplications().get(0).getProcedures()
        .stream().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
  }

  /** Jumps to the costly function of the example, as the views do. */
  final ITextEditor openHot() {
    SourceOpener.open(Workbench.page(), SourceLocation.of(procedure("refine_cells")));
    return editorAt("solver.c", DECLARED);
  }

  /** Waits for the editor, which must be of the wanted type, at a line. */
  final ITextEditor editorAt(String title, int line) {
    Workbench.await("an editor", () -> Workbench.page().getActiveEditor() != null
        && Workbench.page().getActiveEditor().getTitle().equals(title));
    ITextEditor editor = (ITextEditor) Workbench.page().getActiveEditor();
    assertEquals(isLsp() ? LspLikeEditor.class : CdtLikeEditor.class, editor.getClass());
    Workbench.await("line " + line, () -> editor.getSelectionProvider().getSelection()
        instanceof ITextSelection selection && selection.getStartLine() == line - 1);
    settle();
    return editor;
  }

  static IDocument document(ITextEditor editor) {
    return editor.getDocumentProvider().getDocument(editor.getEditorInput());
  }

  static StyledText text(ITextEditor editor) {
    return (StyledText) editor.getAdapter(Control.class);
  }

  /** The column of the ruler, when it has numbers. */
  static IVerticalRulerColumn column(ITextEditor editor) {
    CompositeRuler ruler = (CompositeRuler) editor.getAdapter(IVerticalRulerInfo.class);
    List<IVerticalRulerColumn> found = new ArrayList<>();
    ruler.getDecoratorIterator().forEachRemaining(each -> {
      if (each.getClass().getName().equals("org.parallax.source.ProfileColumn")) {
        found.add(each);
      }
    });
    assertEquals(1, found.size());
    Workbench.await("numbers", () -> found.get(0).getWidth() > 0);
    settle();
    return found.get(0);
  }

  /** What the ruler tells of a line, from 1; null for nothing. */
  static String rulerHover(ITextEditor editor, int line) {
    return ((IVerticalRulerInfoExtension) column(editor)).getHover().getHoverInfo(null, line - 1);
  }

  /** The lines of the annotations of a type, from 1. */
  static List<Integer> marked(ITextEditor editor, String type) throws BadLocationException {
    IAnnotationModel model =
        editor.getDocumentProvider().getAnnotationModel(editor.getEditorInput());
    List<Annotation> all = new ArrayList<>();
    model.getAnnotationIterator().forEachRemaining(all::add);
    List<Integer> lines = new ArrayList<>();
    for (Annotation each : all) {
      if (each.getType().equals(type)) {
        lines.add(document(editor).getLineOfOffset(model.getPosition(each).getOffset()) + 1);
      }
    }
    lines.sort(null);
    return lines;
  }

  /** Asks the viewer's hover for the first word of a line, on the threads that a viewer uses for it. */
  static String textHover(ITextEditor editor, int line) throws Exception {
    IRegion region = document(editor).getLineInformation(line - 1);
    String text = document(editor).get(region.getOffset(), region.getLength());
    ITextViewer viewer = (ITextViewer) editor.getAdapter(ITextOperationTarget.class);
    ITextHover hover = editor instanceof LspLikeEditor lsp ? lsp.textHover()
        : ((CdtLikeEditor) editor).textHover();
    IRegion word = hover.getHoverRegion(viewer,
        region.getOffset() + text.length() - text.stripLeading().length() + 1);
    assertNotNull(word, "something to tell of line " + line);
    CompletableFuture<Object> found = CompletableFuture.supplyAsync(
        () -> hover instanceof ITextHoverExtension2 extension
            ? extension.getHoverInfo2(viewer, word) : hover.getHoverInfo(viewer, word));
    Workbench.await("a tool tip at line " + line, found::isDone);
    return String.valueOf(found.get());
  }

  static boolean isTold(String text) {
    return !Workbench.find(Workbench.window().getShell(), CLabel.class,
        label -> label.getText() != null && label.getText().contains(text)).isEmpty();
  }
}
