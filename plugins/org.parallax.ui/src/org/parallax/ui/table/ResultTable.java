package org.parallax.ui.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.parallax.analysis.table.Distribution;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.text.ColumnHelp;
import org.parallax.ui.widgets.Unmeasured;

/**
 * Shows a table of an analysis: the rows' names first, then its columns. Items are made when they
 * come into sight. A click on a heading sorts: numbers from the largest, texts from A, a second
 * click the other way round. A filter leaves the rows in which a text is. Which columns there are, in
 * which order and how wide, is remembered for each kind of table.
 */
public final class ResultTable implements Columns {
  /** Under which a widget knows its table. */
  private static final String KEY = ResultTable.class.getName();
  /** For the styles of dark themes, so that tables are on the same ground as trees and charts. */
  private static final String STYLE = "ParallaxTable";
  /** More would take the widget seconds to make, and nobody reads them side by side. */
  private static final int MAX_COLUMNS = 64;

  private final Composite control;
  private final Table widget;
  private final VirtualItems items;
  private final TableFilter filter;
  private final Function<Row, Image> icons;
  private org.parallax.analysis.table.Table table;
  private CellText text;
  private ColumnMemory memory;
  private final ColumnWidgets columns;
  private final DistributionCells distributions;
  private final NameColumn names;
  private int[] fitting = {};
  /** All of the table in the order of the screen. */
  private Row[] sorted = {};
  /** Those that the filter leaves. */
  private Row[] rows = {};
  private boolean building;
  /** To be brought into sight as soon as it is in the widget, unless a person selects before; or null. */
  private Row awaited;
  private boolean selectsAwaited;
  private final RowSorting sorting = new RowSorting();
  private Runnable columnsShown;
  private boolean isLive;
  private String kind;
  private String nameLabel;
  private ToIntFunction<Row> indent = row -> 0;
  private Supplier<org.parallax.analysis.table.Table> whole;
  private Supplier<Set<String>> traceWarnings = Set::of;

  public ResultTable(Composite parent, Function<Row, Image> icons) {
    this.icons = icons;
    control = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(control);
    filter = new TableFilter(control, this::filterChanged);
    widget = new Table(Unmeasured.in(control), SWT.VIRTUAL | SWT.FULL_SELECTION | SWT.MULTI | SWT.H_SCROLL
        | SWT.V_SCROLL);
    items = new VirtualItems(widget);
    filter.setTable(widget);
    widget.setHeaderVisible(true);
    widget.setData(KEY, this);
    columns = new ColumnWidgets(widget, index -> sortOrTurn(index - 1), this::remember);
    distributions = new DistributionCells(widget);
    style(widget);
    widget.addListener(SWT.SetData, this::fill);
    widget.addListener(SWT.Selection, event -> awaited = null);
    widget.addListener(SWT.Resize, event -> fitName());
    names = new NameColumn(widget);
    widget.addListener(SWT.KeyDown, event -> {
      if (event.stateMask == SWT.MOD1 && event.keyCode == 'f') {
        filter.open();
      }
    });
    widget.getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        if (table != null && event.childID == org.eclipse.swt.accessibility.ACC.CHILDID_SELF) {
          event.result = table.title();
        }
      }
    });
    new TableMenu(this).installOnHeader();
  }

  /** @param key what is remembered of the columns is that of this kind; without, of the report */
  public void setKind(String key) {
    kind = key;
  }

  /**
   * @param live whether the table is shown again and again with other numbers: rows of the same names stay selected, and
   *     columns grow with the numbers
   */
  public void setLive(boolean live) {
    isLive = live;
  }

  /** @param label heading of the rows' names, in place of that of the report */
  public void setNameLabel(String label) {
    nameLabel = label;
  }

  /** @param depth by how much names are moved in, while rows are in the order of the analysis */
  public void setIndent(ToIntFunction<Row> depth) {
    indent = depth;
  }

  /** @param table what is exported, of which this shows a part */
  public void setWhole(Supplier<org.parallax.analysis.table.Table> table) {
    whole = table;
  }

  /** @param shown called when other columns are there */
  public void setColumnsListener(Runnable shown) {
    columnsShown = shown;
  }

  /** The table with its filter, to be laid out. */
  public Composite control() {
    return control;
  }

  public Table widget() {
    return widget;
  }

  public TableFilter filter() {
    return filter;
  }

  /** What is shown, null when nothing was shown yet. */
  public org.parallax.analysis.table.Table table() {
    return table;
  }

  /**
   * Shows a result; the filter remains, and what a person has made of the columns. Columns and rows come at
   * once, or some events later if there are many.
   */
  public void show(org.parallax.analysis.table.Table shown) {
    memory = new ColumnMemory(kind == null ? shown.report() : kind);
    boolean sameColumns = table != null && !table.rows().isEmpty() && columns.isComplete()
        && shown.report().equals(table.report())
        && shown.columns().equals(table.columns())
        && memory.hidden(shown).equals(memory.hidden(table));
    table = shown;
    text = new CellText(shown);
    distributions.setColumn(shown.column(Distribution.KEY) + 1);
    awaited = null;
    Set<String> selected = new HashSet<>();
    if (isLive) {
      selection().forEach(row -> selected.add(row.name()));
    }
    int top = isLive ? widget.getTopIndex() : 0;
    rows = new Row[0];
    sorted = table.rows().toArray(Row[]::new);
    if (sameColumns) {
      building = true;
      widget.setRedraw(false);
      try {
        for (int i = 0; i < columnCount(); i++) {
          widget.getColumn(i + 1).setText(text.heading(i));
        }
        widenColumns();
        showRows(selected, top);
      } finally {
        widget.setRedraw(true);
        building = false;
      }
    } else {
      createColumns(() -> showRows(selected, top));
    }
  }

  private void showRows(Set<String> selected, int top) {
    if (sortedColumn() == NONE || RowSorting.isShort(sorted)) {
      showFirst(RowSorting.sorted(table, sortedColumn(), widget.getSortDirection()));
      if (isLive) {
        selectAgain(selected, top);
      }
    } else {
      fillRows(new Row[0]);
      sortLater(this::showFirst);
    }
  }

  private void selectAgain(Set<String> names, int top) {
    for (int i = 0; i < rows.length && !names.isEmpty(); i++) {
      if (names.contains(rows[i].name())) {
        widget.select(i);
      }
    }
    widget.setTopIndex(top);
  }

  private void showFirst(Row[] ordered) {
    sorted = ordered;
    if (widget.getItemCount() > 0) {
      widget.setTopIndex(0);
    }
    fillRows(filter.isActive() ? new Row[0] : sorted);
    filter.apply(table, sorted);
  }

  /** Has the styles of the workbench find a table as one of ours. */
  public static void style(Table table) {
    table.setData("org.eclipse.e4.ui.css.CssClassName", STYLE);
  }

  /** Shows nothing, and keeps nothing of what was shown. */
  public void clear() {
    sorting.cancel();
    columns.cancel();
    awaited = null;
    table = null;
    text = null;
    sorted = new Row[0];
    fillRows(sorted);
    filter.apply(null, sorted);
  }

  /** As wide as all columns in sight want to be; without any columns, or while they are made, 0. */
  public int neededWidth() {
    if (!columns.isComplete()) {
      return 0;
    }
    int width = 0;
    for (int i = 0; i < fitting.length; i++) {
      width += i == 0 ? names.wanted(shownWidth(NAME)) : shownWidth(i - 1);
    }
    return width + widget.getVerticalBar().getSize().x;
  }

  /** The table that has the focus of the keyboard; null when something else has it. */
  static ResultTable inFocus(Display display) {
    Control focus = display.getFocusControl();
    return focus == null ? null : (ResultTable) focus.getData(KEY);
  }

  /** Columns that fit what was shown before go on to fit; a width that a person has chosen stays. */
  private void widenColumns() {
    for (int i = 0; i < fitting.length; i++) {
      int wanted = width(i - 1);
      if (wanted > fitting[i]) {
        if (shownWidth(i - 1) == fitting[i]) {
          widget.getColumn(i).setWidth(wanted);
        }
        fitting[i] = wanted;
      }
    }
  }

  private void fillRows(Row[] shown) {
    Set<Row> selected = RowSorting.identities(selection());
    rows = shown;
    widget.deselectAll();
    if (rows.length > 0) {
      widget.clearAll();
    }
    items.adapt(rows.length, this::showAwaited, () -> selectAgain(selected));
  }

  private void selectAgain(Set<Row> selected) {
    for (int i = 0; i < rows.length && !selected.isEmpty(); i++) {
      if (selected.remove(rows[i])) {
        widget.select(i);
      }
    }
    if (widget.getSelectionCount() > 0) {
      widget.showSelection();
    }
    showAwaited();
  }

  /** Called when it is known which rows have the text that is looked for. */
  private void filterChanged(Row[] left) {
    Row[] wanted = left == null ? sorted : left;
    if (!widget.isDisposed() && table != null && columns.isComplete() && wanted != rows) {
      fillRows(wanted);
    }
  }

  int columnCount() {
    return table == null ? 0 : Math.min(MAX_COLUMNS, table.columns().size());
  }

  /** How many columns of the table are not shown because there are too many. */
  public int hiddenColumns() {
    return table.columns().size() - columnCount();
  }

  /** The selected rows in the order of the screen. */
  public List<Row> selection() {
    int[] indices = widget.getSelectionIndices();
    Arrays.sort(indices);
    List<Row> selected = new ArrayList<>(indices.length);
    for (int index : indices) {
      if (index < rows.length) {
        selected.add(rows[index]);
      }
    }
    return selected;
  }

  /**
   * Selects a row and brings it into sight: at once, or when the widget has got as far as its item,
   * or when the filter no longer hides it.
   */
  public void select(Row row) {
    awaited = row;
    selectsAwaited = true;
    showAwaited();
  }

  /** Brings a row into sight as {@link #select} does; what is selected stays so. */
  public void reveal(Row row) {
    awaited = row;
    selectsAwaited = false;
    showAwaited();
  }

  private void showAwaited() {
    int index = awaited == null ? -1 : Arrays.asList(rows).indexOf(awaited);
    if (index < 0 || index >= widget.getItemCount()) {
      return;
    }
    awaited = null;
    if (selectsAwaited) {
      widget.setSelection(index);
      widget.showSelection();
    } else {
      widget.showItem(widget.getItem(index));
    }
  }

  /** The rows in the order of the screen. */
  public List<Row> rows() {
    return List.of(rows);
  }

  /** What is on the screen as a table: its rows in their order, all columns. */
  public org.parallax.analysis.table.Table shown() {
    if (whole != null) {
      return whole.get();
    }
    Map<String, String> parameters = table.parameters();
    if (filter.isActive()) {
      parameters = new LinkedHashMap<>(parameters);
      parameters.put("filter", filter.text());
    }
    return new org.parallax.analysis.table.Table(table.report(), table.title(), table.trace(), parameters,
        table.nameLabel(), table.unit(), table.total(), table.totalColumn(), table.columns(),
        rows(), table.warnings());
  }

  /** @param warnings of what a table is made of, for files of it; called on other threads */
  public void setTraceWarnings(Supplier<Set<String>> warnings) {
    traceWarnings = warnings;
  }

  /** What a person must know of the table and of the traces. */
  List<String> warnings() {
    Set<String> warnings = new LinkedHashSet<>(table.warnings());
    warnings.addAll(traceWarnings.get());
    return List.copyOf(warnings);
  }

  /** Puts the selected rows, or all without a selection, on the clipboard with tabs between. */
  public void copy() {
    if (table == null) {
      return;
    }
    RowsClipboard.copy(this, widget.getSelectionCount() == 0 ? rows() : selection());
  }

  @Override
  public String heading(int column) {
    return column != NAME ? text.heading(column) : nameLabel == null ? table.nameLabel() : nameLabel;
  }

  String cell(Row row, int column) {
    return column == NAME ? text.name(row) : text.cell(row, column);
  }

  private void fill(Event event) {
    // GTK asks for rows once more while it removes them.
    if (event.index < 0 || event.index >= rows.length) {
      return;
    }
    TableItem item = (TableItem) event.item;
    Row row = rows[event.index];
    item.setText(0, sortedColumn() == NONE ? "   ".repeat(indent.applyAsInt(row))
        + text.name(row) : text.name(row));
    item.setImage(0, icons.apply(row));
    for (int column = 0; column < columnCount(); column++) {
      item.setText(column + 1, text.cell(row, column));
    }
  }

  private void createColumns(Runnable then) {
    int[] wanted = new int[columnCount() + 1];
    if (columns.count() != wanted.length) {
      fillRows(new Row[0]);
    } else {
      // No texts of other columns below the headings.
      widget.clearAll();
    }
    columns.make(wanted.length, (column, index) -> {
      wanted[index] = width(index - 1);
      column.setText(heading(index - 1));
      column.setToolTipText(help(index - 1));
      column.setAlignment(index > 0 && text.isNumeric(index - 1) ? SWT.RIGHT : SWT.LEFT);
      column.setWidth(memory.width(table, index - 1, wanted[index]));
    }, () -> {
      building = true;
      fitting = wanted;
      for (int column = NAME; column < columnCount(); column++) {
        if (memory.isSorted(table, column)) {
          widget.setSortColumn(widget.getColumn(column + 1));
          widget.setSortDirection(memory.sortDirection());
        }
      }
      widget.setColumnOrder(memory.order(table, columnCount()));
      building = false;
      then.run();
      if (columnsShown != null) {
        columnsShown.run();
      }
    });
  }

  /** Keeps what a person has made of the columns. */
  private void remember() {
    if (building || table == null || columns.count() != fitting.length) {
      return;
    }
    for (int i = 0; i < fitting.length; i++) {
      memory.setWidth(table, i - 1, widget.getColumn(i).getWidth(), fitting[i]);
    }
    memory.setOrder(table, widget.getColumnOrder());
  }

  @Override
  public List<Integer> columnOrder() {
    return !columns.isComplete() ? List.of() : Arrays.stream(widget.getColumnOrder())
        .filter(index -> index <= columnCount()).mapToObj(index -> index - 1).toList();
  }

  @Override
  public boolean isVisible(int column) {
    return shownWidth(column) > 0;
  }

  /** The widget itself has no width for a column between a change and its layout. */
  private int shownWidth(int column) {
    return memory.width(table, column, fitting[column + 1]);
  }

  @Override
  public void setColumns(List<Integer> order, Set<Integer> visible) {
    if (!columns.isComplete()) {
      return;
    }
    for (int i = 0; i < fitting.length; i++) {
      memory.setHidden(table, i - 1, !visible.contains(i - 1));
      building = true;
      widget.getColumn(i).setWidth(memory.width(table, i - 1, fitting[i]));
      building = false;
    }
    int[] indices = new int[fitting.length + 1];
    for (int i = 0; i < order.size(); i++) {
      indices[i] = order.get(i) + 1;
    }
    indices[fitting.length] = fitting.length;
    widget.setColumnOrder(indices);
    memory.setOrder(table, indices);
  }

  /** Shows the columns of a new table: all but those that repeat others, as wide as they need. */
  @Override
  public void resetColumns() {
    if (columns.isComplete()) {
      memory.forget();
      createColumns(() -> sort(NONE, SWT.NONE));
    }
  }

  private int width(int column) {
    int width = ColumnWidths.fitting(widget, table, text, heading(column), column, columnCount());
    return column == NAME ? names.need(width) : width;
  }

  /** Names have another part of another width, unless a person has chosen theirs. */
  private void fitName() {
    if (columns.isComplete() && table != null && fitting.length > 0) {
      building = true;
      fitting[0] = names.fit(fitting[0], shownWidth(NAME));
      building = false;
    }
  }

  @Override
  public int sortedColumn() {
    TableColumn column = widget.getSortColumn();
    return column == null ? NONE : widget.indexOf(column) - 1;
  }

  private void sortOrTurn(int column) {
    int direction = firstDirection(column);
    if (sortedColumn() == column) {
      direction = widget.getSortDirection() == SWT.UP ? SWT.DOWN : SWT.UP;
    }
    sort(column, direction);
  }

  @Override
  public int sortDirection() {
    return widget.getSortDirection();
  }

  @Override
  public int firstDirection(int column) {
    return column >= 0 && text.isNumeric(column) ? SWT.DOWN : SWT.UP;
  }

  @Override
  public boolean hasOwnOrder() {
    return true;
  }

  @Override
  public String help(int column) {
    return ColumnHelp.of(table, column);
  }

  @Override
  public void sort(int column, int direction) {
    if (!columns.isComplete()) {
      return;
    }
    widget.setSortColumn(column == NONE ? null : widget.getColumn(column + 1));
    widget.setSortDirection(direction);
    memory.setSort(table, column, direction);
    if (RowSorting.isShort(sorted)) {
      showSorted(RowSorting.sorted(table, column, direction));
    } else {
      sortLater(this::showSorted);
    }
  }

  private void showSorted(Row[] ordered) {
    sorted = ordered;
    fillRows(RowSorting.inOrder(rows, sorted));
  }

  /** Sorts as the widget says now, by a job; what is asked for next counts. */
  private void sortLater(Consumer<Row[]> done) {
    org.parallax.analysis.table.Table of = table;
    sorting.later(of, sortedColumn(), widget.getSortDirection(), ordered -> {
      if (table == of && !widget.isDisposed()) {
        done.accept(ordered);
      }
    });
  }
}
