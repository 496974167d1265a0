package org.parallax.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.core.filesystem.EFS;
import org.eclipse.jface.text.IDocument;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.ide.IDE;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** The instructions of a program that was recorded, whose slow one is known. */
class DisassemblyViewTest {
  private static final int INSTRUCTION = 4;
  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    SourcePreferences.store().setToDefault(DisassemblyView.SYNTAX);
  }

  @AfterEach
  void close() {
    SourcePreferences.store().setToDefault(DisassemblyView.SYNTAX);
  }

  private static void run(Path directory, String... command) throws Exception {
    Process process = new ProcessBuilder(command).directory(directory.toFile())
        .redirectOutput(directory.resolve("output").toFile()).redirectErrorStream(true).start();
    assertEquals(0, process.waitFor(), () -> String.join(" ", command));
  }

  /** @return the file of the source */
  static Path record(Path directory) throws Exception {
    Path source = directory.resolve("hot_instruction.c");
    Files.copy(Path.of(System.getProperty("parallax.root"), "tests/programs/hot_instruction.c"),
        source, StandardCopyOption.REPLACE_EXISTING);
    run(directory, "gcc", "-O2", "-g", source.toString(), "-o", "hot");
    run(directory, System.getProperty("parallax.record"), "-o", "trace", "--", "./hot", "60");
    OpenSession.current().open(List.of(directory.resolve("trace")));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    return source;
  }

  private static DisassemblyView view() throws Exception {
    DisassemblyView view = (DisassemblyView) Workbench.page().showView(DisassemblyView.ID);
    Workbench.settle();
    return view;
  }

  private static List<String> column(DisassemblyView view, int column) {
    Table table = view.table();
    return Stream.of(table.getItems()).map(item -> item.getText(column)).toList();
  }

  private static int row(DisassemblyView view, String instruction) {
    List<String> texts = column(view, INSTRUCTION);
    for (int i = 0; i < texts.size(); i++) {
      if (texts.get(i).startsWith(instruction)) {
        return i;
      }
    }
    throw new AssertionError(instruction + " is not in " + texts);
  }

  @Test
  void theSlowInstructionHasTheSamples() throws Exception {
    record(directory);
    DisassemblyView view = view();
    assertEquals("divide", view.table().getItem(0).getText(INSTRUCTION));
    int slow = row(view, "div ");
    long near = 0;
    for (int i = slow; i <= slow + 3; i++) {
      String samples = view.table().getItem(i).getText(0);
      near += samples.isEmpty() ? 0 : Long.parseLong(samples);
    }
    long all = Long.parseLong(view.table().getItem(0).getText(0));
    assertTrue(all >= 10 && near >= 0.9 * all, near + " of " + all);
    // The loop is an arrow from its end to its begin.
    int back = row(view, "jnz ");
    assertTrue(view.arrows().arrows().stream()
        .anyMatch(arrow -> arrow.from() == back && arrow.to() < slow), view.arrows().toString());
    assertTrue(column(view, 6).contains("mix"), "inlined code");
    assertEquals(List.of(), view.warnings());
    assertTrue(view.table().getColumn(0).getToolTipText().contains("the slow instruction before"));
    view.syntaxChoice().select(1);
    view.syntaxChoice().notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
    assertTrue(column(view, INSTRUCTION).get(slow).startsWith("div %r"));
    assertEquals("ATT", SourcePreferences.store().getString(DisassemblyView.SYNTAX));
  }

  @Test
  void aLineLeadsToItsInstructionsAndBack() throws Exception {
    Path source = record(directory);
    ITextEditor editor = (ITextEditor) IDE.openEditorOnFileStore(Workbench.page(),
        EFS.getLocalFileSystem().getStore(source.toUri()));
    Workbench.await("numbers", () -> EditorNumbers.of(editor) != null
        && !EditorNumbers.of(editor).numbers().isEmpty());
    Workbench.settle();
    IDocument document = editor.getDocumentProvider().getDocument(editor.getEditorInput());
    int line = EditorNumbers.of(editor).numbers().entries().values().stream()
        .filter(entry -> entry.ofLine().samples() > 5).findFirst().orElseThrow().number();
    editor.selectAndReveal(document.getLineOffset(line - 1), 0);
    editor.getSite().getService(IHandlerService.class)
        .executeCommand("org.parallax.source.showDisassembly", null);
    Workbench.settle();
    DisassemblyView view = (DisassemblyView) Workbench.page().findView(DisassemblyView.ID);
    int[] selected = view.table().getSelectionIndices();
    assertTrue(selected.length > 3, selected.length + " instructions of the line");
    for (int row : selected) {
      assertEquals("hot_instruction.c:" + line, view.table().getItem(row).getText(5));
    }
    Workbench.page().closeAllEditors(false);
    view.table().setSelection(row(view, "div "));
    view.table().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.await("the source", () -> Workbench.page().getActiveEditor() != null);
    assertEquals("hot_instruction.c", Workbench.page().getActiveEditor().getTitle());
  }

  @Test
  void aProgramThatWasBuiltAnewIsNotAnnotated() throws Exception {
    record(directory);
    run(directory, "gcc", "-O1", "-g", "hot_instruction.c", "-o", "hot");
    DisassemblyView view = view();
    assertEquals(0, view.table().getItemCount());
    assertFalse(view.warnings().isEmpty());
    assertTrue(view.warnings().get(0).contains("has changed since the run"),
        () -> view.warnings().toString());
  }
}
