package org.parallax.ui.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.jface.text.ITextSelection;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
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
    return new SourceLocation("relax", file, line, "/opt/ring", "", 0);
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
    IFile found = SourceLookup.byName("/build/elsewhere/src/ring.c");
    assertEquals("/sources/src/ring.c", found.getFullPath().toString());
    assertEquals("/sources/a/ring.c",
        SourceLookup.byName("/elsewhere/ring.c").getFullPath().toString());
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
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    ReportView view = Views.show(Ids.PROFILE_VIEW);
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

  /** Answers the message that a file is missing, as soon as it is there. */
  private static void locate() {
    Workbench.window().getShell().getDisplay().timerExec(50, () -> {
      Shell dialog = Workbench.dialog("No Source");
      if (dialog == null) {
        locate();
      } else {
        Workbench.press(Workbench.button(dialog, "Locate File"));
      }
    });
  }

  @Test
  void whereAFileIsNowIsAskedOnceAndRemembered() throws Exception {
    Path moved = Files.createDirectories(directory.resolve("now/src/solver"));
    Files.writeString(moved.resolve("relax.c"), lines(120));
    Files.writeString(moved.resolve("other.c"), lines(120));
    List<String> asked = new ArrayList<>();
    SourceOpener.Chooser before = SourceOpener.chooser;
    SourceOpener.chooser = (shell, name) -> {
      asked.add(name);
      return moved.resolve("relax.c");
    };
    try {
      locate();
      SourceOpener.open(Workbench.page(), location("/build/src/solver/relax.c", 77));
      assertEditorAt("relax.c", 77);
      assertEquals(
          List.of(new PathMap("/build", directory.resolve("now").toString())), PathMaps.all());
      // Another file of that folder is there without asking.
      SourceOpener.open(Workbench.page(), location("/build/src/solver/other.c", 5));
      assertEditorAt("other.c", 5);
      assertEquals(List.of("relax.c"), asked);
    } finally {
      SourceOpener.chooser = before;
      PathMaps.set(List.of());
    }
  }

  @Test
  void sourceThatIsNewerThanTheRunSaysSo() throws Exception {
    Path file = directory.resolve("newer.c");
    Files.writeString(file, lines(120));
    long writtenMs = Files.getLastModifiedTime(file).toMillis();
    SourceLookup.Found found = SourceLookup.find(file.toString());
    assertTrue(found.isNewerThan(writtenMs - 1));
    assertFalse(found.isNewerThan(writtenMs));
    SourceOpener.open(Workbench.page(), new SourceLocation(
        "relax", file.toString(), 77, "/opt/ring", "", writtenMs - 1));
    assertEditorAt("newer.c", 77);
    var status = (org.eclipse.jface.action.SubStatusLineManager) Workbench.page()
        .getActiveEditor().getEditorSite().getActionBars().getStatusLineManager();
    List<String> shown = Workbench.find(Workbench.window().getShell(), CLabel.class,
        label -> true).stream().map(CLabel::getText).toList();
    assertTrue(status.isVisible() && shown.stream()
        .anyMatch(text -> text.startsWith("newer.c has changed since the run")), shown.toString());
  }

  @Test
  void mapsAreOfFolders() {
    assertEquals(new PathMap("/a/b", "/x"), PathMap.of("/a/b/c/d.c", Path.of("/x/c/d.c")));
    assertEquals(new PathMap("", "/x/y"), PathMap.of("c/d.c", Path.of("/x/y/c/d.c")));
    assertEquals(new PathMap("/a/d.c", "/x/e.c"), PathMap.of("/a/d.c", Path.of("/x/e.c")));
    assertEquals(new PathMap("/", "/x"), PathMap.of("/c/d.c", Path.of("/x/c/d.c")));
    for (String recorded : List.of("/a/b/c/d.c", "c/d.c", "/a/d.c", "/c/d.c")) {
      for (String now : List.of("/x/c/d.c", "/x/e.c", "/d.c")) {
        assertEquals(Path.of(now), PathMap.of(recorded, Path.of(now)).apply(recorded));
      }
    }
    assertNull(new PathMap("/a/b", "/x").apply("/a/bc/d.c"));
    assertNull(new PathMap("", "/x").apply("/a/d.c"));
  }

  @Test
  void missingSourceIsExplained() throws Exception {
    String message = messageOf(location("/gone/missing.c", 3));
    assertTrue(message.contains("/gone/missing.c"), message);
    assertTrue(message.contains("Import a project"), message);
    message = messageOf(new SourceLocation("MPI_Send", "", 0, "", "", 0));
    assertTrue(message.contains("MPI_Send is a routine that the agent intercepts"), message);
    message = messageOf(new SourceLocation("f", "", 0, "/opt/ring", "", 0));
    assertTrue(message.contains("-g"), message);
    message = messageOf(new SourceLocation("ring+0x10", "", 0, "/opt/ring", "it is stripped", 0));
    assertTrue(message.contains("it is stripped"), message);
  }
}
