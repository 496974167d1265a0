package org.parallax.source;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.jface.text.source.CompositeRuler;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.editors.text.EditorsUI;
import org.eclipse.ui.ide.IDE;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.source.PathMaps;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/** The ruler beside the text of a program whose trace is open, and its parts in the workbench. */
abstract class ProfileColumnFixture {
  /** Before the runs of the traces here, and after them. */
  static final FileTime BEFORE = FileTime.fromMillis(1_600_000_000_000L);
  static final FileTime AFTER = FileTime.fromMillis(1_750_000_000_000L);
  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    SourcePreferences.store().setToDefault(SourceNumber.SHOWN);
    SourcePreferences.store().setToDefault(SourceNumber.HEAT);
  }

  @AfterEach
  void forget() {
    PathMaps.set(List.of());
  }

  /** Waits for the numbers of the program, and then for those of the file. */
  static void settle() {
    Workbench.settle();
    Workbench.settle();
  }

  static String lines(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(line -> "/* line " + line + " */")
        .collect(Collectors.joining("\n"));
  }

  final void openTrace() throws Exception {
    Path trace = SampleTraces.unbalanced(Files.createDirectory(directory.resolve("trace")), 2);
    OpenSession.current().open(List.of(trace));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    settle();
  }

  /** The editor in which the files are opened. */
  String editorId() {
    return EditorsUI.DEFAULT_TEXT_EDITOR_ID;
  }

  final ITextEditor openFile(FileTime written) throws Exception {
    IProject project = Workbench.project("sources");
    Path file = project.getLocation().append("ring.c").toPath();
    Files.writeString(file, lines(400));
    Files.setLastModifiedTime(file, written);
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    IFile resource = project.getFile("ring.c");
    IEditorPart part = IDE.openEditor(Workbench.page(), resource, editorId());
    settle();
    return part.getAdapter(ITextEditor.class);
  }

  static ProfileColumn column(ITextEditor editor) {
    CompositeRuler ruler = (CompositeRuler) editor.getAdapter(IVerticalRulerInfo.class);
    for (Iterator<?> all = ruler.getDecoratorIterator(); all.hasNext(); ) {
      if (all.next() instanceof ProfileColumn column) {
        return column;
      }
    }
    return null;
  }

  static ProfileColumn shownColumn(ITextEditor editor) {
    ProfileColumn column = column(editor);
    assertNotNull(column, "the ruler has the column");
    Workbench.await("numbers", () -> column.getWidth() > 0);
    settle();
    return column;
  }
}
