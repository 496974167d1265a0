package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.reports.TrafficReport;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.Views;

/** The communication matrix. */
class CommunicationViewTest extends TableViewsFixture {
  @Test
  void matrixTellsOfPairsAndSelectsThem() throws Exception {
    Path path = ring();
    CommunicationView view = shown(Ids.COMMUNICATION_VIEW);
    assertShows(core(path, analysis -> TrafficReport.of(analysis, Level.PROCESS, null,
        Progress.NONE)), view);
    MatrixCanvas matrix = view.canvas();
    assertEquals(4, matrix.shownCount());
    Rectangle cell = matrix.bounds(1, 2);
    int x = cell.x + cell.width / 2;
    int y = cell.y + cell.height / 2;
    String tip = matrix.toolTip(x, y);
    assertTrue(tip.startsWith("node1:circle[1] \u2192 node2:circle[2]\n10 messages, 19.5 KiB"),
        tip);
    Rectangle empty = matrix.bounds(0, 3);
    assertTrue(matrix.toolTip(empty.x + 2, empty.y + 2).endsWith("nothing"));
    assertNull(matrix.toolTip(1, 1));
    Event event = new Event();
    event.x = x;
    event.y = y;
    event.button = 1;
    matrix.canvas().notifyListeners(SWT.MouseDown, event);
    matrix.canvas().notifyListeners(SWT.MouseUp, event);
    Workbench.await("the pair", () -> OpenSession.current().state().selection().nodes().size() == 2);
    Workbench.settle();
    assertEquals(List.of("circle[1]", "circle[2]"), OpenSession.current().state().selection()
        .nodes().stream().map(node -> node.name()).toList());
    assertEquals(4, view.result().rows().size(), "the matrix stays as it is");
    assertEquals(4, matrix.shownCount());
    assertEquals("Msg: node1:circle[1]->node2:circle[2]",
        view.table().selection().get(0).name());
    // By keyboard: to the right, in, and all of it again.
    key(matrix, SWT.ARROW_RIGHT, '\0');
    assertEquals(List.of(1, 3), matrix.marked());
    Views.choose(view.metricChoice(), "Messages");
    Views.choose(Views.levelChoice(view), "Machine");
    assertEquals(2, matrix.shownCount());
  }

  private static void key(MatrixCanvas matrix, int code, char character) {
    Event event = new Event();
    event.keyCode = code;
    event.character = character;
    matrix.canvas().notifyListeners(SWT.KeyDown, event);
  }

  @Test
  void thousandProcessesAreAMatrix() throws Exception {
    open(SampleTraces.ring(directory.resolve("many"), 1000, 1));
    CommunicationView view = shown(Ids.COMMUNICATION_VIEW);
    MatrixCanvas matrix = view.canvas();
    assertEquals(1000, matrix.shownCount());
    Rectangle first = matrix.bounds(500, 501);
    assertEquals(1, first.width);
    assertTrue(matrix.toolTip(first.x, first.y).contains(" messages, ")
        || matrix.toolTip(first.x, first.y).contains("nothing"));
    matrix.mark(500, 501);
    for (int i = 0; i < 20; i++) {
      key(matrix, 0, '+');
    }
    assertTrue(matrix.shownCount() < 20, "shown: " + matrix.shownCount());
    Rectangle large = matrix.bounds(500, 501);
    assertTrue(large.width > 4 && matrix.toolTip(large.x + 2, large.y + 2)
        .contains("1 messages"), large + " " + matrix.toolTip(large.x + 2, large.y + 2));
    key(matrix, 0, '0');
    assertEquals(1000, matrix.shownCount());
  }
}
