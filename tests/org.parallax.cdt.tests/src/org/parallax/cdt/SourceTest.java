package org.parallax.cdt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.core.commands.Command;
import org.eclipse.core.commands.ParameterizedCommand;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.ITextSelection;
import org.eclipse.jface.text.source.CompositeRuler;
import org.eclipse.jface.text.source.IVerticalRulerColumn;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.commands.ICommandService;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.ide.IDE;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.program.Procedure;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/**
 * From procedures to their source and back where CDT knows the functions, in an editor that is made as
 * CDT's C editor is.
 */
@ExtendWith(DialogGuard.class)
class SourceTest {
  private static final FileTime BEFORE = FileTime.fromMillis(1_600_000_000_000L);
  @TempDir Path directory;
  private IProject project;

  @BeforeEach
  void makeProject() throws Exception {
    Workbench.reset();
    project = CProjects.create("solver");
  }

  private static void settle() {
    Workbench.settle();
    Workbench.settle();
  }

  /** The program of the sample trace, without the lines that -g records if so wanted. */
  private void openTrace(boolean hasLines) throws Exception {
    Path trace = SampleTraces.unbalanced(Files.createDirectory(directory.resolve("trace")), 2);
    if (!hasLines) {
      Path symbols = trace.resolve("symbols");
      String text = Files.readString(symbols);
      String without = text.replaceAll("/src/ring\\.c\t\\d+\t\\d+", "\t0\t0");
      assertTrue(!text.equals(without), text);
      Files.writeString(symbols, without);
    }
    OpenSession.current().open(List.of(trace));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    settle();
  }

  private ITextEditor openRing() throws Exception {
    IFile file = CProjects.file(project, "ring.c", CProjects.ring());
    Files.setLastModifiedTime(file.getLocation().toPath(), BEFORE);
    file.refreshLocal(0, null);
    ITextEditor editor = (ITextEditor) IDE.openEditor(Workbench.page(), file);
    assertEquals(CdtLikeEditor.class, editor.getClass(), "CDT's content type has its editor");
    settle();
    return editor;
  }

  private static IDocument document(ITextEditor editor) {
    return editor.getDocumentProvider().getDocument(editor.getEditorInput());
  }

  private static void run(ITextEditor editor, int line, String command) throws Exception {
    editor.getSite().getPage().activate(editor);
    editor.selectAndReveal(document(editor).getLineOffset(line - 1), 0);
    Command found = editor.getSite().getService(ICommandService.class).getCommand(command);
    editor.getSite().getService(IHandlerService.class)
        .executeCommand(ParameterizedCommand.generateCommand(found, Map.of()), null);
    settle();
  }

  /** What the command for the call tree selects; null when it selects nothing. */
  private static String procedureOf(ITextEditor editor, int line) throws Exception {
    OpenSession.current().setProcedure(null);
    run(editor, line, "org.parallax.source.showInCallTree");
    Procedure selected = OpenSession.current().state().selection().procedure();
    return selected == null ? null : selected.getName();
  }

  private static void assertTold(String text) {
    Workbench.await(text, () -> !Workbench.find(Workbench.window().getShell(), CLabel.class,
        label -> label.getText() != null && label.getText().contains(text)).isEmpty());
  }

  private static void assertEditorAt(String title, int line) {
    Workbench.await("an editor", () -> Workbench.page().getActiveEditor() != null
        && Workbench.page().getActiveEditor().getTitle().equals(title));
    ITextEditor editor = (ITextEditor) Workbench.page().getActiveEditor();
    Workbench.await("line " + line, () -> editor.getSelectionProvider().getSelection()
        instanceof ITextSelection selection && selection.getStartLine() == line - 1);
  }

  private static Procedure procedure(String name) {
    return OpenSession.current().state().session().getApplications().get(0).getProcedures()
        .stream().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void linesBelongToTheFunctionThatHasThem() throws Exception {
    ITextEditor editor = openRing();
    openTrace(true);
    assertEquals("relax", procedureOf(editor, 305));
    assertEquals("solve", procedureOf(editor, 298));
    assertEquals("relax", procedureOf(editor, 299), "declared in the line below");
    assertNull(procedureOf(editor, 345), "between two functions");
    assertTold("No open trace has a function at this line");
    assertNull(procedureOf(editor, 355), "in a function that did not run");
    assertTold("The trace has no call path with idle");
  }

  @Test
  void functionsMoveWithTheText() throws Exception {
    ITextEditor editor = openRing();
    openTrace(true);
    document(editor).replace(0, 0, "\n\n\n");
    assertEquals("relax", procedureOf(editor, 302));
    assertEquals("solve", procedureOf(editor, 301));
    editor.doSave(null);
    settle();
    document(editor).replace(0, 3, "");
    editor.doSave(null);
    settle();
    assertEquals("relax", procedureOf(editor, 299));
    editor.getSite().getPage().closeEditor(editor, false);
  }

  @Test
  void aLineWithoutNumbersHasThoseOfItsFunction() throws Exception {
    ITextEditor editor = openRing();
    openTrace(true);
    List<Shell> before = List.of(Display.getCurrent().getShells());
    run(editor, 305, "org.parallax.source.showLineProfile");
    List<Shell> opened = new ArrayList<>(List.of(Display.getCurrent().getShells()));
    opened.removeAll(before);
    assertEquals(1, opened.size());
    String text = Workbench.texts(opened.get(0));
    opened.get(0).close();
    assertTrue(text.contains("Line 305 is in relax and has no numbers of its own:\n\n"
        + "relax\n    Exclusive time"), text);
  }

  @Test
  void withoutDebugInformationNamesAreEnough() throws Exception {
    ITextEditor editor = openRing();
    openTrace(false);
    assertEquals("", procedure("relax").getFile());
    assertEquals("solve", procedureOf(editor, 250));
    assertNull(procedureOf(editor, 355));
    Workbench.page().closeAllEditors(false);
    SourceOpener.open(Workbench.page(), SourceLocation.of(procedure("relax")));
    assertEditorAt("ring.c", 300);
    assertTold("The trace has no source for relax on this machine");
  }

  /** CDT has menus of its own, to which those for all text editors are added. */
  @Test
  void anEditorMadeAsCdtsHasTheRulerTheMarksAndTheMenu() throws Exception {
    ITextEditor editor = openRing();
    openTrace(true);
    CompositeRuler ruler = (CompositeRuler) editor.getAdapter(IVerticalRulerInfo.class);
    List<IVerticalRulerColumn> columns = new ArrayList<>();
    ruler.getDecoratorIterator().forEachRemaining(each -> {
      if (each.getClass().getName().equals("org.parallax.source.ProfileColumn")) {
        columns.add(each);
      }
    });
    assertEquals(1, columns.size());
    Workbench.await("numbers", () -> columns.get(0).getWidth() > 0);
    Set<String> types = new TreeSet<>();
    editor.getDocumentProvider().getAnnotationModel(editor.getEditorInput())
        .getAnnotationIterator().forEachRemaining(each -> types.add(each.getType()));
    assertTrue(types.contains("org.parallax.source.hot"), types.toString());

    OpenSession.current().setProcedure(null);
    editor.getSite().getPage().activate(editor);
    editor.selectAndReveal(document(editor).getLineOffset(304), 0);
    Menus.choose(((Control) editor.getAdapter(Control.class)).getMenu(), "Show in Call Tree");
    settle();
    assertEquals(procedure("relax"), OpenSession.current().state().selection().procedure());
  }

  private static SourceLocation location(String name, String file, int line, String module) {
    return new SourceLocation(name, file, line, module, "", 0);
  }

  @Test
  void theLineOfAFileThatAloneIsRecordedIsFound() throws Exception {
    CProjects.file(project, "ring.c", CProjects.ring());
    SourceOpener.open(Workbench.page(), location("solve", "/build/ring.c", 0, "/opt/ring"));
    assertEditorAt("ring.c", 200);
  }

  @Test
  void aFileThatWasRenamedIsFoundByItsFunction() throws Exception {
    CProjects.file(project, "src/circle.c", CProjects.ring());
    SourceOpener.open(Workbench.page(), location("idle", "/build/ring.c", 77, "/opt/ring"));
    assertEditorAt("circle.c", 350);
  }

  @Test
  void theProjectOfTheProgramIsPreferred() throws Exception {
    CProjects.file(project, "one.c", "\n\nint main(void) { return 1; }\n");
    IProject other = CProjects.create("other");
    CProjects.file(other, "two.c", "\nint main(void) { return 2; }\n");
    SourceOpener.open(Workbench.page(), location("main", "", 0,
        other.getLocation().append("Debug/two").toOSString()));
    assertEditorAt("two.c", 2);
  }

  @Test
  void ofSeveralFunctionsOneIsChosen() throws Exception {
    CProjects.file(project, "one.c", "\n\nint main(void) { return 1; }\n");
    CProjects.file(CProjects.create("other"), "two.c", "\nint main(void) { return 2; }\n");
    List<String> shown = new ArrayList<>();
    choose(shown, 1);
    SourceOpener.open(Workbench.page(), location("main", "", 0, "/opt/ring"));
    assertEditorAt("one.c", 3);
    assertEquals(List.of("other/two.c:2", "solver/one.c:3"), shown);
  }

  /** Answers the question as soon as it is there. */
  private static void choose(List<String> shown, int index) {
    Display.getCurrent().timerExec(50, () -> {
      Shell dialog = Workbench.dialog("Open Source");
      if (dialog == null) {
        choose(shown, index);
        return;
      }
      Table table = Workbench.find(dialog, Table.class, each -> true).get(0);
      Workbench.await("two places", () -> table.getItemCount() == 2);
      for (int i = 0; i < 2; i++) {
        shown.add(table.getItem(i).getText());
      }
      table.setSelection(index);
      table.notifyListeners(SWT.Selection, new Event());
      Workbench.press(Workbench.button(dialog, "OK"));
    });
  }

  @Test
  void routinesOfTheSystemAreNotLookedFor() throws Exception {
    CProjects.file(project, "mine.c", "int MPI_Send(void) { return 1; }\n");
    String[] shown = {null};
    SourceOpener.open(Workbench.page(), location("MPI_Send", "", 0, ""));
    watch(shown);
    Workbench.await("a message", () -> shown[0] != null);
    assertNotNull(shown[0]);
    assertTrue(shown[0].contains("is a routine that the agent intercepts"), shown[0]);
  }

  private static void watch(String[] shown) {
    Display.getCurrent().timerExec(50, () -> {
      Shell dialog = Workbench.dialog("No Source");
      if (dialog == null) {
        watch(shown);
      } else {
        shown[0] = Workbench.texts(dialog);
        dialog.close();
      }
    });
  }
}
