package org.parallax.ui.views;

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
  private final Table table;
  private final List<TableItem> asked = new ArrayList<>();
  private boolean removing;

  VirtualItems(Table table) {
    this.table = table;
    table.addListener(SWT.SetData, event -> {
      if (removing) {
        asked.add((TableItem) event.item);
      }
    });
  }

  void setCount(int count) {
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
