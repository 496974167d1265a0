package org.parallax.ui.reports;

import java.util.List;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.parallax.analysis.reports.TrafficMatrix;
import org.parallax.analysis.reports.TrafficMatrix.Cell;
import org.parallax.analysis.reports.TrafficMatrix.Metric;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.MatrixDrawing;
import org.parallax.ui.session.OpenSession;

/**
 * Paints a communication matrix. Wheel, plus and minus zoom; a drag, or a cell that is gone to with the
 * arrows, moves it; 0 shows all of it. A click marks a cell and selects its ends, and so does Enter.
 */
final class MatrixCanvas {
  private static final double ZOOM = 1.3;
  private static final int LEAST = 4;

  /** Is told of cells. */
  interface CellListener {
    void cell(int from, int to);
  }

  private final ChartCanvas canvas;
  private final CellListener marked;
  private final CellListener selected;
  private TrafficMatrix matrix;
  private Metric metric = Metric.BYTES;
  private int firstRow;
  private int firstColumn;
  private int count;
  private int row = -1;
  private int column = -1;
  private int[] drag;

  MatrixCanvas(Composite parent, CellListener marked, CellListener selected) {
    this.marked = marked;
    this.selected = selected;
    canvas = new ChartCanvas(parent, OpenSession.current());
    canvas.setToolTips(this::toolTip);
    canvas.addOverlay(this::paintMark);
    canvas.setDescription(() -> row < 0 ? "" : describe(row, column));
    canvas.addListener(SWT.MouseDown, event -> {
      canvas.setFocus();
      drag = event.button == 1
          ? new int[] {event.x, event.y, firstRow, firstColumn, 0} : null;
    });
    canvas.addListener(SWT.MouseMove, this::dragTo);
    canvas.addListener(SWT.MouseUp, event -> {
      if (event.button == 1 && drag != null && drag[4] == 0) {
        click(event.x, event.y);
      }
      drag = null;
    });
    canvas.addListener(SWT.MouseVerticalWheel, this::wheel);
    canvas.addListener(SWT.KeyDown, this::key);
    canvas.addListener(SWT.FocusIn, event -> canvas.redraw());
    canvas.addListener(SWT.FocusOut, event -> canvas.redraw());
    canvas.addListener(SWT.Traverse, event -> {
      if (event.detail == SWT.TRAVERSE_TAB_NEXT || event.detail == SWT.TRAVERSE_TAB_PREVIOUS) {
        event.doit = true;
      }
    });
  }

  TrafficMatrix matrix() {
    return matrix;
  }

  ChartCanvas canvas() {
    return canvas;
  }

  void setMatrix(TrafficMatrix shown) {
    matrix = shown;
    row = -1;
    column = -1;
    showAll();
  }

  void setMetric(Metric shown) {
    metric = shown;
    draw();
  }

  private void showAll() {
    firstRow = 0;
    firstColumn = 0;
    count = matrix == null ? 0 : matrix.parts().size();
    draw();
  }

  private void draw() {
    if (matrix == null || count == 0) {
      canvas.showDrawing(Messages.matrixName, null);
      return;
    }
    TrafficMatrix shown = matrix;
    Metric of = metric;
    int fromRow = firstRow;
    int fromColumn = firstColumn;
    int most = count;
    canvas.showDrawing(Messages.matrixName, theme -> new MatrixDrawing(shown, of, fromRow,
        fromColumn, most, Messages.matrixSenders, Messages.matrixReceivers, theme));
  }

  private MatrixDrawing.Layout where() {
    Rectangle area = canvas.getClientArea();
    return MatrixDrawing.Layout.of(matrix, firstRow, firstColumn, count, area.width, area.height,
        canvas.theme().font().getSize());
  }

  /** Where a cell is drawn. */
  Rectangle bounds(int from, int to) {
    var bounds = where().bounds(from, to);
    return new Rectangle((int) bounds.getX(), (int) bounds.getY(),
        Math.max(1, (int) bounds.getWidth()), Math.max(1, (int) bounds.getHeight()));
  }

  /** The largest cell at a position; null where nothing is. */
  private Cell cellAt(int x, int y) {
    if (matrix == null || count == 0) {
      return null;
    }
    MatrixDrawing.Layout layout = where();
    int fromRow = layout.row(y);
    int fromColumn = layout.column(x);
    if (fromRow < 0 || fromColumn < 0) {
      return null;
    }
    Cell most = null;
    for (int i = 0; i < layout.inAPoint(); i++) {
      for (int j = 0; j < layout.inAPoint(); j++) {
        Cell cell = matrix.cell(fromRow + i, fromColumn + j);
        most = cell != null && (most == null || cell.value(metric) > most.value(metric)) ? cell
            : most;
      }
    }
    return most;
  }

  String toolTip(int x, int y) {
    if (matrix == null || count == 0) {
      return null;
    }
    MatrixDrawing.Layout layout = where();
    Cell cell = cellAt(x, y);
    int fromRow = layout.row(y);
    int fromColumn = layout.column(x);
    return fromRow < 0 || fromColumn < 0 ? null
        : cell == null ? describe(fromRow, fromColumn) : describe(cell.from(), cell.to());
  }

  private String describe(int from, int to) {
    String pair = NLS.bind(Messages.matrixPair, matrix.parts().get(from).name(),
        matrix.parts().get(to).name());
    Cell cell = matrix.cell(from, to);
    if (cell == null) {
      return pair + "\n" + Messages.matrixNothing;
    }
    return pair + "\n" + NLS.bind(Messages.matrixCell, new Object[] {text(cell, Metric.MESSAGES),
        text(cell, Metric.BYTES), text(cell, Metric.MEAN_TIME), text(cell, Metric.RECEIVER_WAIT),
        text(cell, Metric.SENDER_WAIT)});
  }

  private static String text(Cell cell, Metric metric) {
    return MatrixDrawing.text(metric, cell.value(metric));
  }

  private void paintMark(GC gc) {
    if (matrix == null || row < firstRow || row >= firstRow + count || column < firstColumn
        || column >= firstColumn + count) {
      return;
    }
    Rectangle cell = bounds(row, column);
    gc.setForeground(canvas.ink());
    gc.setLineWidth(2);
    gc.drawRectangle(cell.x - 1, cell.y - 1, cell.width + 2, cell.height + 2);
  }

  private void click(int x, int y) {
    if (matrix == null || count == 0) {
      return;
    }
    MatrixDrawing.Layout layout = where();
    Cell cell = cellAt(x, y);
    int from = cell != null ? cell.from() : layout.row(y);
    int to = cell != null ? cell.to() : layout.column(x);
    if (layout.row(y) >= 0 && layout.column(x) >= 0) {
      mark(from, to);
      selected.cell(from, to);
    }
  }

  /** Marks a cell and brings it into sight; nothing happens for one that there is not. */
  void mark(int from, int to) {
    if (matrix == null || from < 0 || to < 0 || from >= matrix.parts().size()
        || to >= matrix.parts().size()) {
      return;
    }
    row = from;
    column = to;
    int beforeRow = firstRow;
    int beforeColumn = firstColumn;
    firstRow = visible(row, firstRow);
    firstColumn = visible(column, firstColumn);
    if (beforeRow != firstRow || beforeColumn != firstColumn) {
      draw();
    }
    canvas.redraw();
    canvas.descriptionChanged();
    marked.cell(row, column);
  }

  private int visible(int index, int first) {
    return index < first ? index : index >= first + count ? index - count + 1 : first;
  }

  private void dragTo(Event event) {
    if (drag == null || matrix == null) {
      return;
    }
    double cell = where().cell();
    int rows = (int) Math.round((drag[1] - event.y) / cell);
    int columns = (int) Math.round((drag[0] - event.x) / cell);
    if (Math.abs(drag[0] - event.x) + Math.abs(drag[1] - event.y) > LEAST) {
      drag[4] = 1;
      moveTo(drag[2] + rows, drag[3] + columns);
    }
  }

  private void moveTo(int toRow, int toColumn) {
    int most = matrix.parts().size() - count;
    int newRow = Math.max(0, Math.min(most, toRow));
    int newColumn = Math.max(0, Math.min(most, toColumn));
    if (newRow != firstRow || newColumn != firstColumn) {
      firstRow = newRow;
      firstColumn = newColumn;
      draw();
    }
  }

  private void wheel(Event event) {
    if (matrix != null && count > 0) {
      MatrixDrawing.Layout layout = where();
      zoom(event.count > 0, layout.row(event.y), layout.column(event.x));
      event.doit = false;
    }
  }

  /** Shows fewer cells, or more of them, around one. */
  private void zoom(boolean in, int aroundRow, int aroundColumn) {
    int all = matrix.parts().size();
    int centerRow = aroundRow >= 0 ? aroundRow : firstRow + count / 2;
    int centerColumn = aroundColumn >= 0 ? aroundColumn : firstColumn + count / 2;
    int wanted = (int) Math.round(in ? count / ZOOM : Math.ceil(count * ZOOM));
    int next = Math.max(Math.min(LEAST, all), Math.min(all, wanted));
    double rowShare = (centerRow - firstRow + 0.5) / count;
    double columnShare = (centerColumn - firstColumn + 0.5) / count;
    count = next;
    firstRow = Math.max(0,
        Math.min(all - next, (int) Math.round(centerRow + 0.5 - rowShare * next)));
    firstColumn = Math.max(0,
        Math.min(all - next, (int) Math.round(centerColumn + 0.5 - columnShare * next)));
    draw();
  }

  private void key(Event event) {
    if (matrix == null || count == 0) {
      return;
    }
    switch (event.keyCode) {
      case SWT.ARROW_UP -> step(-1, 0);
      case SWT.ARROW_DOWN -> step(1, 0);
      case SWT.ARROW_LEFT -> step(0, -1);
      case SWT.ARROW_RIGHT -> step(0, 1);
      case SWT.CR, SWT.KEYPAD_CR -> {
        if (row >= 0) {
          selected.cell(row, column);
        }
      }
      case SWT.KEYPAD_ADD -> zoom(true, row, column);
      case SWT.KEYPAD_SUBTRACT -> zoom(false, row, column);
      default -> {
        if (event.character == '+' || event.character == '=') {
          zoom(true, row, column);
        } else if (event.character == '-') {
          zoom(false, row, column);
        } else if (event.character == '0') {
          showAll();
        }
      }
    }
  }

  private void step(int rows, int columns) {
    int last = matrix.parts().size() - 1;
    int from = row < 0 ? firstRow : Math.max(0, Math.min(last, row + rows));
    int to = column < 0 ? firstColumn : Math.max(0, Math.min(last, column + columns));
    mark(from, to);
  }

  /** How many rows and columns are shown. */
  int shownCount() {
    return count;
  }

  /** Row and column of the cell that is marked, empty without. */
  List<Integer> marked() {
    return row < 0 ? List.of() : List.of(row, column);
  }
}
