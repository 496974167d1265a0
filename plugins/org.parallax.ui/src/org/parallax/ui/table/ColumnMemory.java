package org.parallax.ui.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jface.dialogs.DialogSettings;
import org.eclipse.jface.dialogs.IDialogSettings;
import org.eclipse.swt.SWT;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.ReportText;
import org.parallax.ui.platform.Settings;

/**
 * What a person has made of the columns of a kind of table: their order, widths, which are hidden,
 * and the sorting. It outlives the view and the workbench. Columns are known by their keys; one that
 * is new stands where the analysis has it.
 */
public final class ColumnMemory {
  private static final String SECTION = "tables";
  private static final String ORDER = "order";
  private static final String HIDDEN = "hidden";
  private static final String UNHIDDEN = "unhidden";
  private static final String WIDTHS = "widths";
  private static final String SORT = "sort";
  private static final String DOWN = "down";
  private static final String NAME = "(name)";
  /** Metrics have a column for each process: not all that ever were are kept. */
  private static final int MOST = 256;

  private final IDialogSettings settings;

  /** @param report the kind of table, as the analysis names it */
  public ColumnMemory(String report) {
    settings = DialogSettings.getOrCreateSection(DialogSettings.getOrCreateSection(
        Settings.dialogs(), SECTION), report);
  }

  private static String key(Table table, int column) {
    return column < 0 ? NAME : table.columns().get(column).key();
  }

  private List<String> list(String name) {
    String[] array = settings.getArray(name);
    return array == null ? new ArrayList<>() : new ArrayList<>(Arrays.asList(array));
  }

  private void put(String name, List<String> list) {
    settings.put(name, list.subList(0, Math.min(MOST, list.size())).toArray(String[]::new));
  }

  private void change(String name, String element, boolean there) {
    List<String> list = list(name);
    if (list.contains(element) != there) {
      list.remove(element);
      if (there) {
        list.add(0, element);
      }
      put(name, list);
    }
  }

  /** Whether a column is not to be seen: by a person's choice, or as it repeats what others say. */
  private boolean isHidden(Table table, int column) {
    String key = key(table, column);
    if (list(HIDDEN).contains(key)) {
      return true;
    }
    return isHiddenAtFirst(table, column) && !list(UNHIDDEN).contains(key);
  }

  /** The keys of the columns that are not to be seen. */
  Set<String> hidden(Table table) {
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < table.columns().size(); i++) {
      if (isHidden(table, i)) {
        keys.add(key(table, i));
      }
    }
    return keys;
  }

  /** Marks that other columns show, what the report has shorter, and what no row has. */
  private static boolean isHiddenAtFirst(Table table, int column) {
    return column >= 0 && (isEmpty(table, column)
        || ReportText.unseen(table).contains(key(table, column))
        || key(table, column).equals("index")
        || table.columns().get(column).unit() == Unit.FLAG);
  }

  private static boolean isEmpty(Table table, int column) {
    return !table.rows().isEmpty()
        && table.rows().stream().allMatch(row -> row.values().get(column).equals(""));
  }

  /** Hides a column or shows it. */
  public void setHidden(Table table, int column, boolean hidden) {
    String key = key(table, column);
    boolean first = isHiddenAtFirst(table, column);
    change(HIDDEN, key, hidden && !first);
    change(UNHIDDEN, key, !hidden && first);
  }

  /** @return 0 for a column that is hidden */
  public int width(Table table, int column, int fitting) {
    if (isHidden(table, column)) {
      return 0;
    }
    String start = key(table, column) + "=";
    return list(WIDTHS).stream().filter(each -> each.startsWith(start))
        .map(each -> each.substring(start.length())).mapToInt(Integer::parseInt).findFirst()
        .orElse(fitting);
  }

  /** One that fits is not kept: it may be another for the next table. */
  public void setWidth(Table table, int column, int width, int fitting) {
    if (width == 0 || width == width(table, column, fitting)) {
      return;
    }
    String start = key(table, column) + "=";
    List<String> widths = list(WIDTHS);
    widths.removeIf(each -> each.startsWith(start));
    if (width != fitting) {
      widths.add(0, start + width);
    }
    put(WIDTHS, widths);
  }

  /** @return the columns' numbers from 0, the name, as they stand; the last one is empty */
  public int[] order(Table table, int columns) {
    List<String> kept = list(ORDER);
    List<String> present = new ArrayList<>();
    for (int i = -1; i < columns; i++) {
      present.add(key(table, i));
    }
    List<String> order = new ArrayList<>(kept);
    order.retainAll(new HashSet<>(present));
    Set<String> known = new HashSet<>(order);
    for (int i = 0; i < present.size(); i++) {
      if (known.add(present.get(i))) {
        order.add(i == 0 ? 0 : order.indexOf(present.get(i - 1)) + 1, present.get(i));
      }
    }
    int[] indices = new int[columns + 2];
    for (int i = 0; i <= columns; i++) {
      indices[i] = present.indexOf(order.get(i));
    }
    indices[columns + 1] = columns + 1;
    return indices;
  }

  /** @param indices as {@link #order} returns them */
  public void setOrder(Table table, int[] indices) {
    List<String> order = new ArrayList<>();
    for (int index : indices) {
      if (index < indices.length - 1) {
        order.add(key(table, index - 1));
      }
    }
    if (Arrays.equals(order(table, indices.length - 2), indices)) {
      return;
    }
    List<String> absent = list(ORDER);
    absent.removeAll(order);
    order.addAll(absent);
    put(ORDER, order);
  }

  /** Whether rows are sorted by a column; -1 is the name. */
  public boolean isSorted(Table table, int column) {
    return key(table, column).equals(settings.get(SORT));
  }

  /** {@link SWT#UP} or {@link SWT#DOWN}. */
  public int sortDirection() {
    return settings.getBoolean(DOWN) ? SWT.DOWN : SWT.UP;
  }

  /** @param column -1 for the name, less for none */
  public void setSort(Table table, int column, int direction) {
    settings.put(SORT, column < -1 ? "" : key(table, column));
    settings.put(DOWN, direction == SWT.DOWN);
  }

  /** All columns are as the analysis has them. */
  public void forget() {
    for (String name : List.of(ORDER, HIDDEN, UNHIDDEN, WIDTHS)) {
      settings.put(name, new String[0]);
    }
    settings.put(SORT, "");
  }
}
