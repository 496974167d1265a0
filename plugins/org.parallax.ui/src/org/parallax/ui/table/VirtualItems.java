package org.parallax.ui.table;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;

/**
 * How many items a virtual table has. Removing rows can have GTK ask for one that is about to be removed
 * too: the widget makes an item for it and forgets the item, which then outlives its row and its table.
 * Whoever goes through all items later, as the workbench does for another theme, follows its pointer to
 * nowhere, which ends the process. Here such items are disposed of.
 */
final class VirtualItems {
  /** The widget takes a while to make and to remove items: little longer than this in one event. */
  private static final long ADAPT_NS = 15_000_000;
  private static final int ADAPT_ITEMS = 50;

  private final Table table;
  private final List<TableItem> asked = new ArrayList<>();
  private boolean removing;
  /** What the widget is being given; what was asked for before is given up. */
  private int adapting;

  VirtualItems(Table table) {
    this.table = table;
    table.addListener(SWT.SetData, event -> {
      if (removing) {
        asked.add((TableItem) event.item);
      }
    });
  }

  /**
   * Makes or removes items in as many events as it takes; the first of them is this one. What was asked for
   * before is given up.
   *
   * @param some called each time that some more are made or removed
   * @param all called when there are so many
   */
  void adapt(int wanted, Runnable some, Runnable all) {
    adapt(++adapting, wanted, some, all);
  }

  private void adapt(int of, int wanted, Runnable some, Runnable all) {
    if (table.isDisposed() || of != adapting) {
      return;
    }
    long endNs = System.nanoTime() + ADAPT_NS;
    int count = table.getItemCount();
    while (count != wanted && System.nanoTime() < endNs) {
      count = count < wanted ? Math.min(wanted, count + ADAPT_ITEMS)
          : Math.max(wanted, count - ADAPT_ITEMS);
      setCount(count);
    }
    if (count == wanted) {
      all.run();
    } else {
      some.run();
      table.getDisplay().asyncExec(() -> adapt(of, wanted, some, all));
    }
  }

  private void setCount(int count) {
    removing = count < table.getItemCount();
    try {
      table.setItemCount(count);
    } finally {
      removing = false;
      asked.stream().filter(item -> !item.isDisposed() && table.indexOf(item) < 0)
          .forEach(TableItem::dispose);
      asked.clear();
    }
  }
}
