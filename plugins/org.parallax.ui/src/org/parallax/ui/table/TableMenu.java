package org.parallax.ui.table;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.parallax.ui.widgets.RunAction;

/** What can be done with any table: sorting, filtering, columns, copies and files of it. */
public final class TableMenu {
  /** More are for the dialog. */
  private static final int MOST_COLUMNS = 24;

  private final ResultTable table;

  public TableMenu(ResultTable table) {
    this.table = table;
  }

  /** Copy, select all and find by the workbench's keys and menus, and the table's own in the view's. */
  public void contribute(IActionBars bars) {
    // A view can have several tables: keys are for the one that has the focus.
    bars.setGlobalActionHandler(ActionFactory.COPY.getId(),
        new RunAction(Messages.copy, () -> focused().copy()));
    bars.setGlobalActionHandler(ActionFactory.SELECT_ALL.getId(),
        new RunAction(Messages.selectAll, () -> focused().widget().selectAll()));
    bars.setGlobalActionHandler(ActionFactory.FIND.getId(),
        new RunAction(Messages.filter, () -> focused().filter().open()));
    IMenuManager menu = bars.getMenuManager();
    menu.add(filter());
    menu.add(columns());
    menu.add(export());
  }

  private ResultTable focused() {
    ResultTable focused = ResultTable.inFocus(table.widget().getDisplay());
    return focused == null ? table : focused;
  }

  /** Makes the menu of the rows. */
  public void installOnRows(Consumer<IMenuManager> first) {
    MenuManager manager = new MenuManager();
    manager.setRemoveAllWhenShown(true);
    manager.addMenuListener(menu -> {
      first.accept(menu);
      menu.add(new Separator());
      fill(menu);
    });
    table.widget().setMenu(manager.createContextMenu(table.widget()));
  }

  /** Adds everything to the menu of the rows. */
  public void fill(IMenuManager menu) {
    menu.add(copy());
    menu.add(selectAll());
    menu.add(new Separator());
    menu.add(filter());
    menu.add(sortMenu(table));
    menu.add(columns());
    menu.add(export());
  }

  private Action copy() {
    Action copy = new RunAction(Messages.copy, table::copy);
    copy.setActionDefinitionId(ActionFactory.COPY.getCommandId());
    return copy;
  }

  private Action selectAll() {
    Action all = new RunAction(Messages.selectAll, table.widget()::selectAll);
    all.setActionDefinitionId(ActionFactory.SELECT_ALL.getCommandId());
    return all;
  }

  private Action filter() {
    Action filter = new RunAction(Messages.filter, table.filter()::open);
    filter.setActionDefinitionId(ActionFactory.FIND.getCommandId());
    return filter;
  }

  private Action columns() {
    return columnsAction(table.widget(), table);
  }

  private Action export() {
    return new RunAction(Messages.export, () -> TableExport.ask(table));
  }

  /** Lets a person choose columns. */
  public static Action columnsAction(Control owner, Columns columns) {
    return new RunAction(Messages.columns,
        () -> new ColumnsDialog(owner.getShell(), columns).open());
  }

  /** Sorting by each of the columns in sight. */
  public static IMenuManager sortMenu(Columns table) {
    MenuManager menu = new MenuManager(Messages.sortBy);
    List<Integer> visible = table.columnOrder().stream().filter(table::isVisible)
        .limit(MOST_COLUMNS).toList();
    if (visible.isEmpty()) {
      return menu;
    }
    int sorted = table.sortedColumn();
    int direction = table.sortDirection();
    if (table.hasOwnOrder()) {
      menu.add(radio(Messages.sortNone, sorted == Columns.NONE,
          () -> table.sort(Columns.NONE, SWT.NONE)));
    }
    for (int column : visible) {
      menu.add(radio(escape(table.heading(column)), sorted == column, () -> {
        if (table.sortedColumn() != column) {
          table.sort(column, table.firstDirection(column));
        }
      }));
    }
    menu.add(new Separator());
    Action up = radio(Messages.sortUp, sorted != Columns.NONE && direction == SWT.UP,
        () -> table.sort(sorted, SWT.UP));
    Action down = radio(Messages.sortDown, sorted != Columns.NONE && direction == SWT.DOWN,
        () -> table.sort(sorted, SWT.DOWN));
    up.setEnabled(sorted != Columns.NONE);
    down.setEnabled(sorted != Columns.NONE);
    menu.add(up);
    menu.add(down);
    return menu;
  }

  private static Action radio(String text, boolean checked, Runnable run) {
    Action action = new Action(text, IAction.AS_RADIO_BUTTON) {
      @Override
      public void run() {
        if (isChecked()) {
          run.run();
        }
      }
    };
    action.setChecked(checked);
    return action;
  }

  private static String escape(String text) {
    return text.replace("&", "&&");
  }

  /** The menu of the headings: sorting by the one that was clicked, and which columns there are. */
  void installOnHeader() {
    Table widget = table.widget();
    int[] clicked = {Columns.NAME};
    MenuManager manager = new MenuManager();
    manager.setRemoveAllWhenShown(true);
    manager.addMenuListener(menu -> fillHeader(menu, clicked[0]));
    Menu header = manager.createContextMenu(widget);
    widget.addListener(SWT.MenuDetect, event -> {
      Point at = widget.toControl(event.x, event.y);
      Rectangle area = widget.getClientArea();
      if (event.detail == SWT.MENU_MOUSE && table.table() != null
          && at.y >= area.y - widget.getHeaderHeight() && at.y < area.y + widget.getHeaderHeight()
          && isOnHeader(at)) {
        clicked[0] = columnAt(at.x);
        event.doit = false;
        header.setLocation(event.x, event.y);
        header.setVisible(true);
      }
    });
    widget.addListener(SWT.Dispose, event -> manager.dispose());
  }

  private boolean isOnHeader(Point at) {
    return at.y < table.widget().getHeaderHeight();
  }

  private int columnAt(int x) {
    Table widget = table.widget();
    int left = -widget.getHorizontalBar().getSelection();
    for (int index : widget.getColumnOrder()) {
      TableColumn column = widget.getColumn(index);
      left += column.getWidth();
      if (x < left) {
        return Math.min(index - 1, table.columnCount() - 1);
      }
    }
    return Columns.NAME;
  }

  /** Fills the menu of a heading. */
  void fillHeader(IMenuManager menu, int column) {
    menu.add(new RunAction(Messages.sortUp, () -> table.sort(column, SWT.UP)));
    menu.add(new RunAction(Messages.sortDown, () -> table.sort(column, SWT.DOWN)));
    menu.add(new RunAction(Messages.sortNone, () -> table.sort(Columns.NONE, SWT.NONE)));
    menu.add(new Separator());
    if (table.columnCount() <= MOST_COLUMNS) {
      for (int each : table.columnOrder()) {
        if (each != Columns.NAME) {
          Action check = new Action(escape(table.heading(each)), IAction.AS_CHECK_BOX) {
            @Override
            public void run() {
              Set<Integer> shown = new HashSet<>(
                  table.columnOrder().stream().filter(table::isVisible).toList());
              if (!shown.remove(each)) {
                shown.add(each);
              }
              table.setColumns(table.columnOrder(), shown);
            }
          };
          check.setChecked(table.isVisible(each));
          menu.add(check);
        }
      }
      menu.add(new Separator());
    }
    menu.add(columns());
  }
}
