package org.parallax.ui.table;

import org.eclipse.swt.widgets.Table;

/** How wide the first column of a table is: as its names need, but long ones leave half of a narrow table to the others. */
final class NameColumn {
  private final Table widget;
  /** Whether there is room for it or not. */
  private int needed;

  NameColumn(Table widget) {
    this.widget = widget;
  }

  /**
   * Other names are shown.
   *
   * @param width that they need
   * @return the width that they get
   */
  int need(int width) {
    needed = width;
    return width();
  }

  private int width() {
    int room = widget.getClientArea().width;
    return room <= 0 ? needed : Math.min(needed, Math.max(ColumnWidths.MIN_NAME_WIDTH, room / 2));
  }

  /**
   * What the names would have in a wide table, or what a person has chosen.
   *
   * @param shown the width that they have
   */
  int wanted(int shown) {
    return shown == width() ? needed : shown;
  }

  /**
   * The table has another width.
   *
   * @param before what they had in a table of the former width
   * @param shown the width that they have; if it is another one, a person has chosen it
   * @return the width that they get now
   */
  int fit(int before, int shown) {
    int now = width();
    if (now != before && shown == before) {
      widget.getColumn(0).setWidth(now);
    }
    return now;
  }
}
