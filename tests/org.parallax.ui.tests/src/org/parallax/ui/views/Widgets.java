package org.parallax.ui.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.ui.IViewPart;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.Workbench;

/** What every table and every chart can do, whatever view it is in. */
public final class Widgets {
  private static final List<String> OF_TABLES =
      List.of("Copy", "Filter", "Sort By", "Columns\u2026", "Export\u2026");

  private Widgets() {
  }

  /** The tables of results that are in sight in a view: those that have headings. */
  public static List<Control> tables(IViewPart view) {
    List<Control> found = new ArrayList<>(Workbench.find(part(view), Table.class,
        table -> table.isVisible() && table.getHeaderVisible()));
    found.addAll(Workbench.find(part(view), Tree.class,
        tree -> tree.isVisible() && tree.getHeaderVisible()));
    return found;
  }

  public static List<ChartCanvas> charts(IViewPart view) {
    return Workbench.find(part(view), ChartCanvas.class, Control::isVisible);
  }

  private static Composite part(IViewPart view) {
    return (Composite) Workbench.find(Workbench.window().getShell(), CTabFolder.class,
        each -> each.isVisible() && each.getSelection() != null
            && each.getSelection().getText().replace("*", "").equals(view.getTitle())).get(0)
        .getSelection().getControl();
  }

  /** What the menu of a table shows now: a table without columns, as before its result, cannot be sorted. */
  private static List<String> texts(Menu menu) {
    menu.notifyListeners(SWT.Show, new Event());
    List<String> texts = new ArrayList<>();
    for (MenuItem item : menu.getItems()) {
      String text = item.getText().replace("&", "").replaceFirst("\t.*", "");
      texts.add(text.startsWith("Filter") ? "Filter" : text);
    }
    menu.notifyListeners(SWT.Hide, new Event());
    return texts;
  }

  /** Sorts by another column, copies, and finds all else in the menu. */
  public static void assertDoesWhatTablesDo(String where, Control table) {
    Menu menu = table.getMenu();
    assertNotNull(menu, where + " has no menu");
    Workbench.await(where + " to have " + OF_TABLES, () -> texts(menu).containsAll(OF_TABLES));
    List<String> visible = Menus.texts(menu, "Sort By");
    int other = 1;
    while (!visible.contains(heading(table, other))) {
      other++;
    }
    String heading = heading(table, other);
    Menus.choose(menu, "Sort By", heading);
    assertEquals(heading, sortedBy(table), where);
    Menus.choose(menu, "Copy");
    Clipboard clipboard = new Clipboard(table.getDisplay());
    String copied = (String) clipboard.getContents(TextTransfer.getInstance());
    clipboard.dispose();
    assertTrue(copied.startsWith(heading(table, 0)) && copied.contains(heading), copied);
  }

  public static String heading(Control table, int column) {
    return table instanceof Table widget ? widget.getColumn(column).getText()
        : ((Tree) table).getColumn(column).getText();
  }

  private static String sortedBy(Control table) {
    return table instanceof Table widget ? widget.getSortColumn().getText()
        : ((Tree) table).getSortColumn().getText();
  }

  /** @param width 0 to leave it as it is */
  public static int width(Control table, int column, int width) {
    if (table instanceof Table widget) {
      if (width > 0) {
        widget.getColumn(column).setWidth(width);
      }
      return widget.getColumn(column).getWidth();
    }
    Tree tree = (Tree) table;
    if (width > 0) {
      tree.getColumn(column).setWidth(width);
    }
    return tree.getColumn(column).getWidth();
  }

  /** Writes a chart as PNG and as SVG. */
  public static void assertIsSaved(String where, ChartCanvas chart, Path folder) throws Exception {
    Menu menu = chart.getMenu();
    assertNotNull(menu, where + " has no menu");
    assertTrue(List.of(menu.getItems()).stream()
        .anyMatch(item -> item.getText().replace("&", "").startsWith("Save")), where);
    for (String ending : List.of(".png", ".svg")) {
      Path file = folder.resolve(where.replaceAll("\\W", "") + ending);
      Job saving = chart.save(file);
      Workbench.await(file + " to be written", () -> saving.getState() == Job.NONE);
      byte[] bytes = Files.readAllBytes(file);
      assertTrue(bytes.length > 500, file + " has " + bytes.length + " bytes");
      assertTrue(ending.equals(".png") ? bytes[1] == 'P' && bytes[2] == 'N'
          : new String(bytes).matches("(?s).*</svg\\s*>\\s*"), file.toString());
    }
  }
}
