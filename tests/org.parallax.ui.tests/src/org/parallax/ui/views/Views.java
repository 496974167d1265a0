package org.parallax.ui.views;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.reports.CriticalPathView;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.trees.ProgramTreesView;

/** What a person sees in the views and does to them. */
public final class Views {
  private Views() {
  }

  public static CriticalPathView criticalPath() throws PartInitException {
    return (CriticalPathView) show(Ids.CRITICAL_PATH_VIEW);
  }

  public static ReportView show(String view) throws PartInitException {
    ReportView shown =
        (ReportView) Workbench.page().showView(view, null, IWorkbenchPage.VIEW_ACTIVATE);
    Workbench.handleEvents();
    return shown;
  }

  public static ProgramTreesView trees() {
    return (ProgramTreesView) Workbench.page().findView(Ids.TREES_VIEW);
  }

  /** Waits until the view shows a table. */
  public static void awaitTable(ReportView view) {
    Workbench.await("a table in " + view.getTitle(), () -> view.result() != null);
    Workbench.settle();
  }

  /** The cells of the table widget as they are on the screen, the rows' names first. */
  public static List<List<String>> cells(ReportView view) {
    Table table = view.table().widget();
    List<List<String>> rows = new ArrayList<>();
    for (TableItem item : table.getItems()) {
      List<String> row = new ArrayList<>();
      // Asking for a text makes the item, as painting it does.
      // The last column is empty: it fills the width.
      for (int column = 0; column < table.getColumnCount() - 1; column++) {
        row.add(item.getText(column));
      }
      rows.add(row);
    }
    return rows;
  }

  /** The cells of columns that are not hidden, as they stand on the screen. */
  public static List<List<String>> shownCells(ReportView view) {
    Table table = view.table().widget();
    List<List<String>> rows = new ArrayList<>();
    for (TableItem item : table.getItems()) {
      List<String> row = new ArrayList<>();
      for (int column : table.getColumnOrder()) {
        if (column < table.getColumnCount() - 1 && view.table().isVisible(column - 1)) {
          row.add(item.getText(column));
        }
      }
      rows.add(row);
    }
    return rows;
  }

  /** The combo of levels. */
  public static Combo levelChoice(ReportView view) {
    return view.levelChoice();
  }

  /** The combo of applications. */
  public static Combo applicationChoice(SessionView<?> view) {
    return view.applicationChoice();
  }

  /** The table widget of a view. */
  public static Table table(ReportView view) {
    return view.table().widget();
  }

  /** Where the procedure of a row is declared. */
  public static int declaredLine(ReportView view, int row) {
    return ((Procedure) view.table().rows().get(row).subject()).getLine();
  }

  /** Chooses an item of a combo. */
  public static void choose(Combo combo, String item) {
    int index = combo.indexOf(item);
    if (index < 0) {
      throw new AssertionError(item + " is not among " + List.of(combo.getItems()));
    }
    combo.select(index);
    combo.notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
  }

  /** Clicks a node of the trees, given by the beginnings of the labels from the root. */
  public static TreeNode click(String... labels) {
    TreeItem item = item(labels);
    Workbench.click(item.getParent(), item);
    Workbench.settle();
    return (TreeNode) item.getData();
  }

  /** Unfolds down to a node of the trees and returns it. */
  public static TreeItem item(String... labels) {
    var tree = trees().viewer().getTree();
    TreeItem[] items = tree.getItems();
    TreeItem found = null;
    for (String label : labels) {
      if (found != null) {
        trees().viewer().setExpandedState(found.getData(), true);
        Workbench.settle();
        items = found.getItems();
      }
      found = null;
      for (TreeItem item : items) {
        if (item.getText().startsWith(label)) {
          found = item;
          break;
        }
      }
      if (found == null) {
        List<String> texts = new ArrayList<>();
        for (TreeItem item : items) {
          texts.add(item.getText());
        }
        throw new AssertionError("no node " + label + " among " + texts);
      }
    }
    return found;
  }
}
