package org.parallax.ui.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.jface.text.ITextSelection;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.ParallaxUi;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;

class SourceOpenerTest {
  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  private static String lines(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(line -> "/* line " + line + " */")
        .collect(Collectors.joining("\n"));
  }

  private static void assertEditorAt(String title, int line) {
    Workbench.await("an editor", () -> Workbench.page().getActiveEditor() != null
        && Workbench.page().getActiveEditor().getTitle().equals(title));
    ITextEditor editor = Workbench.page().getActiveEditor().getAdapter(ITextEditor.class);
    Workbench.await("line " + line, () -> editor.getSelectionProvider().getSelection()
        instanceof ITextSelection selection && selection.getStartLine() == line - 1);
    var selection = (ITextSelection) editor.getSelectionProvider().getSelection();
    assertEquals("/* line " + line + " */", selection.getText());
  }

  private static SourceLocation location(String file, int line) {
    return new SourceLocation("relax", file, line, "/opt/ring", "");
  }

  private static String messageOf(SourceLocation location) {
    String[] shown = {null};
    SourceOpener.open(Workbench.page(), location);
    // The dialog has an event loop of its own.
    watch(shown);
    Workbench.await("a message", () -> shown[0] != null);
    return shown[0];
  }

  private static void watch(String[] shown) {
    Workbench.window().getShell().getDisplay().timerExec(50, () -> {
      Shell dialog = Workbench.dialog("No Source");
      if (dialog == null) {
        watch(shown);
      } else {
        shown[0] = Workbench.texts(dialog);
        dialog.close();
      }
    });
  }

  @Test
  void recordedFileOpensAtItsLine() throws Exception {
    Path file = directory.resolve("outside.c");
    Files.writeString(file, lines(120));
    SourceOpener.open(Workbench.page(), location(file.toString(), 77));
    assertEditorAt("outside.c", 77);
  }

  @Test
  void lineBehindTheEndOpensTheFile() throws Exception {
    Path file = directory.resolve("shorter.c");
    Files.writeString(file, lines(3));
    SourceOpener.open(Workbench.page(), location(file.toString(), 500));
    Workbench.await("an editor", () -> Workbench.page().getActiveEditor() != null);
    assertEquals("shorter.c", Workbench.page().getActiveEditor().getTitle());
  }

  @Test
  void fileOfTheWorkspaceWithTheLongestCommonEndIsTaken() throws Exception {
    IProject project = Workbench.project("sources");
    for (String name : List.of("a", "src", "z")) {
      IFolder folder = project.getFolder(name);
      folder.create(true, true, null);
      Files.writeString(folder.getLocation().append("ring.c").toPath(), lines(400));
    }
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    IFile found = SourceOpener.byName("/build/elsewhere/src/ring.c");
    assertEquals("/sources/src/ring.c", found.getFullPath().toString());
    assertEquals("/sources/a/ring.c",
        SourceOpener.byName("/elsewhere/ring.c").getFullPath().toString());
  }

  @Test
  void doubleClickOnAProcedureOpensItsSource() throws Exception {
    IProject project = Workbench.project("sources");
    Files.writeString(project.getLocation().append("ring.c").toPath(), lines(400));
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    IFolder trace = Workbench.copy(
        SampleTraces.unbalanced(Files.createDirectory(directory.resolve("trace")), 2), project,
        "trace");
    Workbench.doubleClickInExplorer(trace.getFile("manifest"));
    Workbench.await("the trace", () -> ParallaxUi.session().state().isOpen());
    ReportView view = Views.show(ParallaxUi.PROFILE_VIEW);
    Views.awaitTable(view);
    List<String> names = Views.cells(view).stream().map(row -> row.get(0)).toList();
    int row = names.indexOf("relax");
    assertTrue(row >= 0, names.toString());
    var table = Views.table(view);
    table.setSelection(row);
    Workbench.doubleClick(table, table.getItem(row));
    // main, solve and relax are declared in lines 100, 200 and 300.
    int line = Views.declaredLine(view, row);
    assertTrue(line % 100 == 0 && line > 0);
    assertEditorAt("ring.c", line);
  }

  @Test
  void missingSourceIsExplained() throws Exception {
    String message = messageOf(location("/gone/missing.c", 3));
    assertTrue(message.contains("/gone/missing.c"), message);
    assertTrue(message.contains("Import a project"), message);
    message = messageOf(new SourceLocation("MPI_Send", "", 0, "", ""));
    assertTrue(message.contains("MPI_Send is a routine that the agent intercepts"), message);
    message = messageOf(new SourceLocation("f", "", 0, "/opt/ring", ""));
    assertTrue(message.contains("-g"), message);
    message = messageOf(new SourceLocation("ring+0x10", "", 0, "/opt/ring", "it is stripped"));
    assertTrue(message.contains("it is stripped"), message);
  }
}
