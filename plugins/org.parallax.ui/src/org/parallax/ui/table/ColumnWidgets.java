package org.parallax.ui.table;

import java.util.function.IntConsumer;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;

/**
 * The column widgets of a table, and an empty one at the end that fills what is left of the width, which
 * would draw numbers far apart. Making one takes the widget milliseconds, and the longer the more items it
 * has: those that are there are used again, others are made in as many events as it takes. On the UI thread.
 */
final class ColumnWidgets {
  /** Little longer than this in one event. */
  private static final long MAKE_NS = 20_000_000;
  /** With more items, columns are not added or removed. */
  private static final int MAX_ITEMS = 250;

  /** Gives columns their texts, their alignment and their width. */
  interface Dress {
    void apply(TableColumn column, int index);
  }

  private final Table widget;
  private final IntConsumer clicked;
  private final Runnable changed;
  /** What is being made; others before are given up. */
  private int making;
  private boolean complete;

  /**
   * @param clicked called with the index of a column whose heading was clicked
   * @param changed called when a column was moved or has another width
   */
  ColumnWidgets(Table widget, IntConsumer clicked, Runnable changed) {
    this.widget = widget;
    this.clicked = clicked;
    this.changed = changed;
  }

  /** Whether all columns are there that were asked for; not before the first are, and not after {@link #cancel}. */
  boolean isComplete() {
    return complete;
  }

  /** How many there are, but for the empty one. */
  int count() {
    return Math.max(0, widget.getColumnCount() - 1);
  }

  /**
   * Makes other columns of those that are there. If items are in the way, it waits until others have
   * removed them.
   *
   * @param then called when they are there: at once, or in a later event, or never when others are asked
   *     for meanwhile
   */
  void make(int count, Dress dress, Runnable then) {
    cancel();
    widget.setSortColumn(null);
    make(making, 0, count, dress, then);
  }

  /** Columns that are being made stay as they are. */
  void cancel() {
    complete = false;
    making++;
  }

  private void make(int of, int from, int count, Dress dress, Runnable then) {
    if (widget.isDisposed() || of != making) {
      return;
    }
    long endNs = System.nanoTime() + MAKE_NS;
    int index = from;
    boolean waits = count() != count && widget.getItemCount() > MAX_ITEMS;
    widget.setRedraw(false);
    try {
      while (!waits && index < count && System.nanoTime() < endNs) {
        dress.apply(index < count() ? widget.getColumn(index) : create(index), index);
        index++;
      }
      while (!waits && count() > count && System.nanoTime() < endNs) {
        widget.getColumn(count).dispose();
      }
      if (index == count && count() == count) {
        complete = true;
        then.run();
        return;
      }
    } finally {
      widget.setRedraw(true);
    }
    int next = index;
    widget.getDisplay().asyncExec(() -> make(of, next, count, dress, then));
  }

  private TableColumn create(int index) {
    if (widget.getColumnCount() == 0) {
      TableColumn rest = new TableColumn(widget, SWT.LEFT);
      rest.setWidth(ColumnWidths.PADDING);
      rest.setResizable(false);
    }
    TableColumn created = new TableColumn(widget, SWT.LEFT, index);
    created.setMoveable(true);
    created.addListener(SWT.Selection, event -> {
      if (complete) {
        clicked.accept(index);
      }
    });
    created.addListener(SWT.Move, event -> told());
    created.addListener(SWT.Resize, event -> told());
    return created;
  }

  private void told() {
    if (complete) {
      changed.run();
    }
  }
}
