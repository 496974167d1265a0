package org.parallax.ui.views;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.dnd.Transfer;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.parallax.analysis.Row;
import org.parallax.analysis.Unit;

/**
 * Shows a table of an analysis: the rows' names first, then its columns. Items are made when they
 * come into sight. A click on a heading sorts: numbers from the largest, texts from A, a second
 * click the other way round.
 */
final class ResultTable {
  private static final int NAME = -1;
  private static final int PADDING = 24;
  private static final int MEASURED_ROWS = 200;
  private static final int MAX_NAME_WIDTH = 420;
  /** More would take the widget seconds to make, and nobody reads them side by side. */
  private static final int MAX_COLUMNS = 64;

  private final Table widget;
  private final Function<Row, Image> icons;
  private org.parallax.analysis.Table table;
  private CellText text;
  private Row[] rows = {};

  ResultTable(Composite parent, Function<Row, Image> icons) {
    this.icons = icons;
    widget = new Table(parent, SWT.VIRTUAL | SWT.FULL_SELECTION | SWT.MULTI | SWT.H_SCROLL
        | SWT.V_SCROLL);
    widget.setHeaderVisible(true);
    widget.addListener(SWT.SetData, this::fill);
  }

  Table widget() {
    return widget;
  }

  /** What is shown, null when nothing was shown yet. */
  org.parallax.analysis.Table table() {
    return table;
  }

  /** Shows a result; columns that were there before keep their width, and the sorting remains. */
  void show(org.parallax.analysis.Table shown) {
    boolean sameColumns = table != null && shown.report().equals(table.report())
        && shown.columns().equals(table.columns());
    int sorted = sameColumns ? sortedColumn() : NAME - 1;
    table = shown;
    text = new CellText(shown);
    rows = shown.rows().toArray(Row[]::new);
    widget.setRedraw(false);
    try {
      if (sameColumns) {
        for (int i = 0; i < columnCount(); i++) {
          widget.getColumn(i + 1).setText(text.heading(i));
        }
      } else {
        createColumns();
      }
      if (sorted >= NAME) {
        order(sorted, widget.getSortDirection());
      }
      widget.setItemCount(rows.length);
      widget.clearAll();
      if (rows.length > 0) {
        widget.setTopIndex(0);
      }
      widget.deselectAll();
    } finally {
      widget.setRedraw(true);
    }
  }

  private int columnCount() {
    return Math.min(MAX_COLUMNS, table.columns().size());
  }

  /** How many columns of the table are not shown because there are too many. */
  int hiddenColumns() {
    return table.columns().size() - columnCount();
  }

  /** The selected rows in the order of the screen. */
  List<Row> selection() {
    int[] indices = widget.getSelectionIndices();
    Arrays.sort(indices);
    List<Row> selected = new ArrayList<>(indices.length);
    for (int index : indices) {
      selected.add(rows[index]);
    }
    return selected;
  }

  /** The rows in the order of the screen. */
  List<Row> rows() {
    return List.of(rows);
  }

  /** Puts the selected rows, or all without a selection, on the clipboard with tabs between. */
  void copy() {
    if (table == null) {
      return;
    }
    List<Row> copied = selection();
    StringBuilder out = new StringBuilder(table.nameLabel());
    for (int column = 0; column < table.columns().size(); column++) {
      out.append('\t').append(text.heading(column));
    }
    out.append('\n');
    for (Row row : copied.isEmpty() ? rows() : copied) {
      out.append(row.name());
      for (int column = 0; column < table.columns().size(); column++) {
        out.append('\t').append(text.cell(row, column));
      }
      out.append('\n');
    }
    Clipboard clipboard = new Clipboard(widget.getDisplay());
    clipboard.setContents(new Object[] {out.toString()},
        new Transfer[] {TextTransfer.getInstance()});
    clipboard.dispose();
  }

  private void fill(Event event) {
    TableItem item = (TableItem) event.item;
    Row row = rows[event.index];
    item.setText(0, row.name());
    item.setImage(0, icons.apply(row));
    for (int column = 0; column < columnCount(); column++) {
      item.setText(column + 1, text.cell(row, column));
    }
  }

  private void createColumns() {
    widget.setSortColumn(null);
    for (TableColumn column : widget.getColumns()) {
      column.dispose();
    }
    int[] widths = widths();
    for (int i = 0; i < widths.length; i++) {
      int column = i - 1;
      boolean numeric = column >= 0 && text.isNumeric(column);
      TableColumn created = new TableColumn(widget, numeric ? SWT.RIGHT : SWT.LEFT);
      created.setText(column < 0 ? table.nameLabel() : text.heading(column));
      created.setWidth(widths[i]);
      created.setMoveable(true);
      created.addListener(SWT.Selection, event -> sort(created, column, numeric));
    }
    // The last column fills what is left of the width, which would draw numbers far apart.
    TableColumn rest = new TableColumn(widget, SWT.LEFT);
    rest.setWidth(PADDING);
    rest.setResizable(false);
  }

  /** Widths that fit the headings and the first rows. */
  private int[] widths() {
    int[] widths = new int[columnCount() + 1];
    GC gc = new GC(widget);
    try {
      int count = Math.min(rows.length, MEASURED_ROWS);
      for (int i = 0; i < widths.length; i++) {
        String heading = i == 0 ? table.nameLabel() : text.heading(i - 1);
        int width = gc.textExtent(heading).x + PADDING;
        for (int row = 0; row < count; row++) {
          String cell = i == 0 ? rows[row].name() : text.cell(rows[row], i - 1);
          int icon = i == 0 ? 22 : 0;
          width = Math.max(width, gc.textExtent(cell).x + PADDING + icon);
        }
        widths[i] = i == 0 ? Math.max(140, Math.min(width, MAX_NAME_WIDTH)) : width;
      }
    } finally {
      gc.dispose();
    }
    return widths;
  }

  private int sortedColumn() {
    TableColumn sorted = widget.getSortColumn();
    return sorted == null ? NAME - 1 : widget.indexOf(sorted) - 1;
  }

  private void sort(TableColumn column, int index, boolean numeric) {
    int direction = numeric ? SWT.DOWN : SWT.UP;
    if (widget.getSortColumn() == column) {
      direction = widget.getSortDirection() == SWT.UP ? SWT.DOWN : SWT.UP;
    }
    widget.setSortColumn(column);
    widget.setSortDirection(direction);
    order(index, direction);
    widget.deselectAll();
    widget.clearAll();
  }

  private void order(int column, int direction) {
    Comparator<Row> order = column == NAME ? Comparator.comparing(Row::name)
        : Comparator.comparing(row -> row.values().get(column), CellOrder.INSTANCE);
    if (column != NAME && table.columns().get(column).unit() == Unit.OF_ROW) {
      // Only values of one unit can be compared.
      order = Comparator.comparing(Row::unit).thenComparing(order);
    }
    rows = table.rows().toArray(Row[]::new);
    Arrays.sort(rows, direction == SWT.DOWN ? order.reversed() : order);
  }

  /** Compares the values of a column, which are all of one type. */
  private enum CellOrder implements Comparator<Object> {
    INSTANCE;

    @Override
    public int compare(Object one, Object other) {
      if (one instanceof Long a && other instanceof Long b) {
        return Long.compare(a, b);
      }
      // Rows of different units are in one column; what is not known comes last.
      if (one instanceof Number a && other instanceof Number b) {
        return Double.compare(a.doubleValue(), b.doubleValue());
      }
      if (one instanceof Number || other instanceof Number) {
        return one instanceof Number ? -1 : 1;
      }
      return String.valueOf(one).compareTo(String.valueOf(other));
    }
  }
}
