package org.parallax.ui.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;

/** Opens menus and chooses from them, as a person does. */
public final class Menus {
  private Menus() {
  }

  /** Chooses an item by its texts from the top. */
  public static void choose(Menu menu, String... texts) {
    Menu shown = menu;
    for (int i = 0; i < texts.length; i++) {
      shown.notifyListeners(SWT.Show, new Event());
      MenuItem item = item(shown, texts[i]);
      if (i + 1 == texts.length) {
        if (!item.isEnabled()) {
          throw new AssertionError(texts[i] + " is not enabled");
        }
        if ((item.getStyle() & SWT.RADIO) != 0) {
          item.setSelection(true);
        }
        item.notifyListeners(SWT.Selection, new Event());
        Workbench.handleEvents();
      } else {
        shown = item.getMenu();
      }
    }
  }

  /** @return the texts of a menu inside of this one */
  public static List<String> texts(Menu menu, String inside) {
    menu.notifyListeners(SWT.Show, new Event());
    Menu shown = item(menu, inside).getMenu();
    shown.notifyListeners(SWT.Show, new Event());
    List<String> texts = Arrays.stream(shown.getItems()).map(Menus::plain).toList();
    shown.notifyListeners(SWT.Hide, new Event());
    menu.notifyListeners(SWT.Hide, new Event());
    return texts;
  }

  private static String plain(MenuItem item) {
    return item.getText().replace("&", "").replaceFirst("\t.*", "");
  }

  private static MenuItem item(Menu menu, String text) {
    List<String> there = new ArrayList<>();
    for (MenuItem item : menu.getItems()) {
      String plain = plain(item);
      if (plain.equals(text)) {
        return item;
      }
      there.add(plain);
    }
    throw new AssertionError(text + " is not in the menu: " + there);
  }
}
