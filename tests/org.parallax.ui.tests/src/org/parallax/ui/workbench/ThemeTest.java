package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.eclipse.e4.ui.css.swt.theme.ITheme;
import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Item;
import org.eclipse.swt.widgets.Listener;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.swt.widgets.Widget;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.open.ExampleTrace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.Workbench;

/** The theme is changed while views are open, and after what they have shown is closed. */
class ThemeTest {
  private static final String DARK = "org.eclipse.e4.ui.css.theme.e4_dark";
  /** Of views that have rows with the example. */
  private static final int TABLES = 12;
  private static final String LIGHT = "org.eclipse.e4.ui.css.theme.e4_default";

  private final IThemeEngine engine = PlatformUI.getWorkbench().getService(IThemeEngine.class);
  private final ITheme before = engine.getActiveTheme();
  /** All items that tables and trees have made while the test ran. */
  private final List<Item> made = new ArrayList<>();
  /** The tables and trees that have made any. */
  private final Set<Widget> filled = new HashSet<>();
  private final Listener maker = event -> {
    made.add((Item) event.item);
    filled.add(event.widget);
  };

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    Display.getCurrent().addFilter(SWT.SetData, maker);
  }

  @AfterEach
  void restore() {
    Display.getCurrent().removeFilter(SWT.SetData, maker);
    if (before != null) {
      engine.setTheme(before, false);
    }
  }

  private void setTheme(String id) {
    // What is lost would end the process, and the message of this test with it.
    assertEquals(0, made.stream().filter(ThemeTest::isLost).count(), "items that nobody owns");
    engine.setTheme(id, false);
    Workbench.settle();
    assertEquals(id, engine.getActiveTheme().getId());
  }

  /** Whether an item lives without being one of its table, or of a tree. */
  private static boolean isLost(Item item) {
    if (item.isDisposed()) {
      return false;
    }
    return item instanceof TableItem row
        ? row.getParent().isDisposed() || row.getParent().indexOf(row) < 0
        : item instanceof TreeItem node && node.getParent().isDisposed();
  }

  /** Shows the example in all views, each until it is painted: items are made then. */
  private void openExample() throws Exception {
    ExampleTrace.open(Workbench.window());
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    for (String id : OurViews.ids()) {
      Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
      Workbench.settle();
      Workbench.await("rows in " + id, () -> visible(Table.class, Table::getItemCount)
          && visible(Tree.class, Tree::getItemCount));
    }
  }

  /** Whether all tables or trees that are in sight and have rows have made items of some. */
  private <T extends Control> boolean visible(Class<T> type, ToIntFunction<T> count) {
    return filled.containsAll(Workbench.find(Workbench.window().getShell(), type, each ->
        each.isVisible() && (each.getStyle() & SWT.VIRTUAL) != 0 && count.applyAsInt(each) > 0));
  }

  private static int brightness() throws Exception {
    Workbench.page().showView(Ids.PROFILE_VIEW, null, IWorkbenchPage.VIEW_ACTIVATE);
    Workbench.settle();
    Table table = Workbench.find(Workbench.window().getShell(), Table.class, each ->
        each.isVisible() && each.getColumnCount() > 0 && each.getColumn(0).getText().equals("name"))
        .get(0);
    return table.getBackground().getRGB().red;
  }

  @Test
  void theThemeChangesWhileViewsAreOpenAndAfterTheirTablesAreEmptiedAndClosed() throws Exception {
    openExample();
    assertTrue(filled.size() >= TABLES, "tables with items: " + filled);
    setTheme(DARK);
    assertTrue(brightness() < 100, "dark: " + brightness());
    setTheme(LIGHT);
    assertTrue(brightness() > 200, "light: " + brightness());
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    setTheme(DARK);
    setTheme(LIGHT);
    openExample();
    for (String id : OurViews.ids()) {
      Workbench.page().hideView(Workbench.page().findViewReference(id));
    }
    Workbench.settle();
    assertFalse(made.stream().anyMatch(item -> !item.isDisposed()), "all views are closed");
    setTheme(DARK);
    setTheme(LIGHT);
  }
}
