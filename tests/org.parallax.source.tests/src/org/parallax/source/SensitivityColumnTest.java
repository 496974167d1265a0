package org.parallax.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IMarker;
import org.eclipse.core.resources.IResource;
import org.eclipse.jface.text.source.CompositeRuler;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.Test;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.Workbench;

/** The column of what an experiment found, beside the times of the ruler. */
class SensitivityColumnTest extends ProfileColumnFixture {
  private static void mark(IFile file, int line, String percent) throws Exception {
    file.createMarker("org.parallax.ui.sensitivityStrong", Map.of(IMarker.LINE_NUMBER, line,
        IMarker.MESSAGE, "slower", "sensitivityPercent", percent));
  }

  /** What an experiment found stands beside the times, while its effects are marked. */
  @Test
  void theSensitivityOfLinesIsShownBesideTheirTimes() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    ProfileColumn column = shownColumn(editor);
    List<String> headings = column.headings();
    int width = column.getWidth();
    IFile file = editor.getEditorInput().getAdapter(IFile.class);
    mark(file, 310, "12.34");
    mark(file, 310, "2.5");
    mark(file, 50, "-150");
    Workbench.await("the column", () -> column.headings().size() > headings.size());
    assertEquals("delay %", column.headings().get(headings.size()));
    assertTrue(column.getWidth() > width, "it has room");
    Workbench.await("both lines", () -> !column.texts(309).get(headings.size()).isEmpty()
        && !column.texts(49).isEmpty());
    assertEquals("+12.3", column.texts(309).get(headings.size()));
    assertFalse(column.texts(309).get(0).isEmpty(), "beside the time");
    assertEquals("\u2212150", column.texts(49).get(headings.size()), "also where no sample is");
    Menus.choose(((CompositeRuler) editor.getAdapter(IVerticalRulerInfo.class)).getControl().getMenu(),
        "Parallax Numbers", "Slower by Delay");
    Workbench.await("the column to be hidden", () -> column.headings().equals(headings));
    SourcePreferences.store().setToDefault(SourceNumber.SHOWN);
    Workbench.await("it again", () -> column.headings().size() > headings.size());
    file.deleteMarkers("org.parallax.ui.sensitivity", true, IResource.DEPTH_ZERO);
    Workbench.await("no column", () -> column.headings().equals(headings));
  }
}
