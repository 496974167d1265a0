package org.parallax.ui.table;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.parallax.analysis.table.Distribution;

/**
 * Draws the bars of a {@link Distribution} in place of their characters, whose widths differ: the bars of a part of the
 * program stand below each other in all rows. The cell keeps its text, for those who copy or hear it.
 */
final class DistributionCells {
  private static final int MARGIN = 4;
  private static final int WIDEST = 8;
  /** The height of what stands for no time. */
  private static final int POINT = 1;

  private final Table table;
  /** In the widget; -1 for none. */
  private int column = -1;
  private boolean isListening;

  DistributionCells(Table table) {
    this.table = table;
  }

  /** @param shown the column of the widget that has distributions; negative or 0 for none */
  void setColumn(int shown) {
    column = shown > 0 ? shown : -1;
    if (column > 0 && !isListening) {
      // Tables that nobody draws in are quicker.
      isListening = true;
      table.addListener(SWT.EraseItem, event -> {
        if (event.index == column) {
          event.detail &= ~SWT.FOREGROUND;
        }
      });
      table.addListener(SWT.PaintItem, this::paint);
    }
  }

  private void paint(Event event) {
    if (event.index != column) {
      return;
    }
    TableItem item = (TableItem) event.item;
    double[] bars = Distribution.heights(item.getText(column));
    Rectangle cell = item.getBounds(column);
    event.gc.setBackground(event.gc.getForeground());
    for (int i = 0; i < bars.length; i++) {
      event.gc.fillRectangle(bar(cell, bars.length, i, bars[i]));
    }
  }

  /**
   * The place of a bar.
   *
   * @param height from 0 to 1
   */
  static Rectangle bar(Rectangle cell, int count, int index, double height) {
    int width = Math.max(1, Math.min(WIDEST, (cell.width - 2 * MARGIN) / count));
    int high = height == 0 ? POINT : Math.max(POINT + 1, (int) Math.round(height * (cell.height - MARGIN)));
    int inset = height == 0 ? width / 3 : 0;
    return new Rectangle(cell.x + MARGIN + index * width + inset, cell.y + cell.height - MARGIN / 2 - high,
        Math.max(1, width - 2 * inset), high);
  }
}
