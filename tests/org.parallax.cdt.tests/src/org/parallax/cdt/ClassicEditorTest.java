package org.parallax.cdt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.eclipse.core.commands.ParameterizedCommand;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IMarker;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.text.ITextOperationTarget;
import org.eclipse.jface.text.Position;
import org.eclipse.jface.text.source.IVerticalRulerColumn;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.jface.text.source.projection.ProjectionAnnotation;
import org.eclipse.jface.text.source.projection.ProjectionAnnotationModel;
import org.eclipse.jface.text.source.projection.ProjectionViewer;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.ui.IReusableEditor;
import org.eclipse.ui.commands.ICommandService;
import org.eclipse.ui.keys.IBindingService;
import org.eclipse.ui.part.FileEditorInput;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.Workbench;

/** The example in an editor that is made as CDT's classic editor for C and C++. */
class ClassicEditorTest extends EditorsFixture {
  private static final String HOT_TYPE = "org.parallax.source.hot";
  private static final RGB HOT_BAR = new RGB(214, 64, 48);
  private static final List<String> COMMANDS = List.of("org.parallax.source.showDisassembly",
      "org.parallax.source.showInCallTree", "org.parallax.source.showLineProfile");

  @Override
  boolean isLsp() {
    return false;
  }

  @Test
  void aRowOfTheProfileOpensTheEditorAtTheLine() throws Exception {
    Workbench.page().showView(Ids.PROFILE_VIEW);
    settle();
    Workbench.await("the row", () -> row() != null);
    Table table = row().getParent();
    table.setSelection(row());
    Workbench.doubleClick(table, row());
    ITextEditor editor = editorAt("solver.c", DECLARED);
    IVerticalRulerColumn column = column(editor);
    Workbench.await("a bar and a number", () -> {
      ImageData picture = picture(column.getControl());
      return count(picture, HOT_BAR) > 20 && count(picture, new RGB(0, 0, 0)) > 20;
    });
    assertTrue(marked(editor, HOT_TYPE).contains(HOT), marked(editor, HOT_TYPE).toString());
  }

  private static TableItem row() {
    return Workbench.find(Workbench.window().getShell(), Table.class, Control::isVisible).stream()
        .flatMap(table -> Arrays.stream(table.getItems()))
        .filter(item -> item.getText(0).equals("refine_cells")).findFirst().orElse(null);
  }

  private static ImageData picture(Control control) {
    Point size = control.getSize();
    Image image = new Image(control.getDisplay(), size.x, size.y);
    GC gc = new GC(control);
    gc.copyArea(image, 0, 0);
    gc.dispose();
    ImageData data = image.getImageData();
    image.dispose();
    return data;
  }

  private static int count(ImageData picture, RGB color) {
    int found = 0;
    for (int y = 0; y < picture.height; y++) {
      for (int x = 0; x < picture.width; x++) {
        found += picture.palette.getRGB(picture.getPixel(x, y)).equals(color) ? 1 : 0;
      }
    }
    return found;
  }

  /** Outside of the workspace, too; and where a file is open in an editor of another type. */
  @Test
  void filesOpenInTheEditorThatTheyHave(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("outside.c");
    Files.writeString(file, "\n\nint main(void) { return 1; }\n");
    SourceOpener.open(Workbench.page(),
        new SourceLocation("main", file.toString(), 3, "/opt/ring", "", 0));
    editorAt("outside.c", 3);
    Workbench.page().closeAllEditors(false);
    Workbench.page().openEditor(new FileEditorInput(project.getFile("solver.c")),
        isLsp() ? "org.parallax.cdt.tests.editor" : LspLikeEditor.ID);
    SourceOpener.open(Workbench.page(), SourceLocation.of(procedure("refine_cells")));
    settle();
    assertEquals(1, Workbench.page().getEditorReferences().length);
  }

  /** Also when the editor is used again for another file. */
  @Test
  void theRulerAndTheTextHaveToolTips() throws Exception {
    ITextEditor editor = openHot();
    String ruler = rulerHover(editor, HOT);
    assertTrue(ruler.startsWith("Line " + HOT + ", refine_cells\n    Exclusive time "), ruler);
    String tip = textHover(editor, HOT);
    assertTrue(tip.contains(ruler.substring(0, ruler.indexOf('('))), tip);
    ((IReusableEditor) editor).setInput(new FileEditorInput(project.getFile("exchange.c")));
    settle();
    int line = lineWith(editor, "MPI_");
    ruler = rulerHover(editor, line);
    assertTrue(ruler.startsWith("start_halo_exchange\n"), ruler);
    // The classic editor shows one answer, and prefers those of CDT.
    tip = textHover(editor, line);
    assertTrue(tip.contains(isLsp() ? "Inclusive time" : "CDT knows of"), tip);
  }

  /** The first line that has a text and numbers. */
  private static int lineWith(ITextEditor editor, String text) throws Exception {
    IDocument document = document(editor);
    for (int line = 1; line <= document.getNumberOfLines(); line++) {
      IRegion region = document.getLineInformation(line - 1);
      if (document.get(region.getOffset(), region.getLength()).contains(text)
          && rulerHover(editor, line) != null) {
        return line;
      }
    }
    throw new AssertionError(text);
  }

  /** Those of the profile, and those of an experiment, which are markers of the file. */
  @Test
  void marksSurviveAnEditAbove() throws Exception {
    ITextEditor editor = openHot();
    String before = rulerHover(editor, HOT);
    List<Integer> lines = marked(editor, HOT_TYPE);
    String type = Ids.SENSITIVITY_MARKER + "Strong";
    project.getFile("solver.c").createMarker(type, Map.of(IMarker.LINE_NUMBER, HOT,
        IMarker.MESSAGE, "A delay here makes the program slower."));
    settle();
    assertEquals(List.of(HOT), marked(editor, type));
    document(editor).replace(0, 0, "// one\n// two\n");
    Workbench.handleEvents();
    assertEquals(List.of(HOT + 2), marked(editor, type));
    assertEquals(lines.stream().map(line -> line + 2).toList(), marked(editor, HOT_TYPE));
    assertEquals(before, rulerHover(editor, HOT + 2));
  }

  @Test
  void theMenusAndTheKeysHaveTheCommands() throws Exception {
    ITextEditor editor = openHot();
    OpenSession.current().setProcedure(null);
    column(editor);
    editor.selectAndReveal(document(editor).getLineOffset(HOT - 1), 0);
    Menus.choose(text(editor).getMenu(), "Show in Call Tree");
    assertEquals(procedure("refine_cells"), OpenSession.current().state().selection().procedure());
    OpenSession.current().setProcedure(null);
    settle();
    Workbench.page().activate(editor);
    click(editor, 14);
    Menus.choose(editor.getAdapter(IVerticalRulerInfo.class).getControl().getMenu(),
        "Show in Call Tree");
    assertEquals(procedure("relax_row"), OpenSession.current().state().selection().procedure());
    settle();
    Workbench.page().activate(editor);
    text(editor).setFocus();
    Workbench.handleEvents();
    IBindingService keys = editor.getSite().getService(IBindingService.class);
    ICommandService commands = editor.getSite().getService(ICommandService.class);
    for (String command : COMMANDS) {
      assertTrue(keys.getActiveBindingsFor(
          new ParameterizedCommand(commands.getCommand(command), null)).length > 0, command);
    }
  }

  /** Presses the right button on the ruler beside a line. */
  private static void click(ITextEditor editor, int line) {
    text(editor).setTopIndex(0);
    Workbench.handleEvents();
    Event click = new Event();
    click.y = text(editor).getLinePixel(line - 1) + 3;
    click.button = 3;
    click.widget = column(editor).getControl();
    click.widget.notifyListeners(SWT.MouseDown, click);
  }

  /** Half a second after a jump the classic editor empties the status line. */
  @Test
  void aJumpOpensAFoldAndWhatIsToldStays() throws Exception {
    ITextEditor editor = openHot();
    ProjectionAnnotationModel folds = ((ProjectionViewer) editor.getAdapter(
        ITextOperationTarget.class)).getProjectionAnnotationModel();
    IDocument document = document(editor);
    IRegion last = document.getLineInformation(46);
    int begin = document.getLineOffset(DECLARED - 1);
    folds.addAnnotation(new ProjectionAnnotation(true),
        new Position(begin, last.getOffset() + last.getLength() + 1 - begin));
    Workbench.handleEvents();
    int folded = text(editor).getLineCount();
    assertTrue(folded < document.getNumberOfLines(), "folded to " + folded);
    // A run at the begin of time: the file was changed since then.
    SourceOpener.open(Workbench.page(),
        new SourceLocation("refine_cells", "/home/me/solver.c", HOT, "/opt/heat", "", 1));
    editorAt("solver.c", HOT);
    assertEquals(document.getNumberOfLines(), text(editor).getLineCount());
    long end = System.currentTimeMillis() + 900;
    Workbench.await("the end of the jump", () -> System.currentTimeMillis() > end);
    assertTrue(isTold("solver.c has changed"), "the status line");
  }
}
