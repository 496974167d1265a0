package org.parallax.ui.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jface.resource.FontDescriptor;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.jface.resource.LocalResourceManager;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.dnd.Transfer;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.Font;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeColumn;
import org.eclipse.swt.widgets.TreeItem;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.text.ColumnHelp;
import org.parallax.model.program.Procedure;
import org.parallax.ui.table.ColumnMemory;
import org.parallax.ui.table.Columns;
import org.parallax.ui.widgets.NodeImages;
import org.parallax.ui.widgets.Unmeasured;

/**
 * A tree of call paths whose items are made when they come into sight. A click on a heading sorts the
 * callees of each procedure. Widths, order and sorting are remembered.
 */
final class CallTreeWidget implements Columns {
  private static final int PADDING = 24;
  /** Beside the heading of the column by which rows are sorted. */
  private static final int ARROW = 20;
  /** In letters. */
  private static final int NAME_WIDTH = 34;
  private static final int NUMBER_WIDTH = 9;
  private static final int SHADE = 90;
  /** A change of this share of all time has the strongest colour. */
  private static final double STRONGEST = 0.05;
  private static final Color LONGER = new Color(229, 72, 60);
  private static final Color SHORTER = new Color(63, 140, 255);
  private static final double HOT = 0.5;
  /** As many as are on a screen: unfolding takes the widget time. */
  private static final int EXPANDED = 80;

  private final Tree tree;
  private final Font bold;
  private final Map<Node, List<Node>> callees = new IdentityHashMap<>();
  private CallTreeRows rows;
  private Node root;
  private Procedure marked;
  private int sorted;
  private boolean falling = true;
  private ColumnMemory memory;
  private int[] fitting = {};
  private boolean building;
  private boolean removing;

  CallTreeWidget(Composite parent) {
    tree = new Tree(Unmeasured.in(parent), SWT.VIRTUAL | SWT.FULL_SELECTION | SWT.MULTI | SWT.H_SCROLL
        | SWT.V_SCROLL);
    tree.setHeaderVisible(true);
    tree.addListener(SWT.SetData, event -> fill((TreeItem) event.item));
    tree.addListener(SWT.EraseItem, this::paintBar);
    tree.addListener(SWT.Resize, event -> fitNames());
    bold = new LocalResourceManager(JFaceResources.getResources(), tree)
        .create(FontDescriptor.createFrom(tree.getFont()).setStyle(SWT.BOLD));
  }

  Tree tree() {
    return tree;
  }

  /** @param subtree what is shown, with its callees; the root for all */
  void show(CallTreeRows shown, Node subtree) {
    boolean same = rows != null && headings(rows).equals(headings(shown));
    rows = shown;
    root = subtree;
    memory = new ColumnMemory(rows.kind());
    if (!same) {
      createColumns();
    }
    reset();
  }

  private static List<String> headings(CallTreeRows rows) {
    List<String> all = new ArrayList<>();
    for (int column = 0; column < rows.columnCount(); column++) {
      all.add(rows.heading(column));
    }
    return all;
  }

  private void reset() {
    callees.clear();
    tree.setRedraw(false);
    try {
      removeAll();
      tree.setItemCount(top().size());
    } finally {
      tree.setRedraw(true);
    }
  }

  /** All roots, or the one node whose subtree is shown. */
  private List<Node> top() {
    return root.caller() == null ? below(root) : List.of(root);
  }

  private List<Node> below(Node node) {
    return callees.computeIfAbsent(node, each -> rows.callees(each, sorted, falling));
  }

  /** Shows nothing, and keeps nothing of what was shown. */
  void clear() {
    rows = null;
    root = null;
    marked = null;
    callees.clear();
    removeAll();
    tree.setSortColumn(null);
    for (TreeColumn column : tree.getColumns()) {
      column.dispose();
    }
  }

  private void createColumns() {
    building = true;
    for (TreeColumn column : tree.getColumns()) {
      column.dispose();
    }
    fitting = widths();
    sorted = 0;
    falling = true;
    for (int i = CallTreeRows.NAME; i < rows.columnCount(); i++) {
      int column = i;
      boolean name = column == CallTreeRows.NAME;
      TreeColumn created = new TreeColumn(tree, name ? SWT.LEFT : SWT.RIGHT);
      created.setText(rows.heading(column));
      created.setToolTipText(help(column));
      created.setWidth(memory.width(rows.header(), column, fitting[column + 1]));
      created.setMoveable(!name);
      created.addListener(SWT.Selection, event -> sort(column, sorted != column
          ? firstDirection(column) : falling ? SWT.UP : SWT.DOWN));
      created.addListener(SWT.Move, event -> remember());
      created.addListener(SWT.Resize, event -> remember());
      if (memory.isSorted(rows.header(), column)) {
        sorted = column;
        falling = memory.sortDirection() == SWT.DOWN;
      }
    }
    new TreeColumn(tree, SWT.LEFT).setWidth(PADDING);
    tree.setColumnOrder(memory.order(rows.header(), rows.columnCount()));
    tree.setSortColumn(tree.getColumn(sorted + 1));
    tree.setSortDirection(sortDirection());
    building = false;
  }

  /** Names have what the numbers leave. */
  private int[] widths() {
    int[] widths = new int[rows.columnCount() + 1];
    GC gc = new GC(tree);
    int letter = Math.max(6, (int) gc.getFontMetrics().getAverageCharacterWidth());
    int others = 0;
    for (int column = 0; column < rows.columnCount(); column++) {
      widths[column + 1] = Math.max(gc.textExtent(rows.heading(column)).x + PADDING
          + (column == 0 ? ARROW : 0), NUMBER_WIDTH * letter);
      others += memory.width(rows.header(), column, widths[column + 1]);
    }
    gc.dispose();
    widths[0] =
        Math.max(NAME_WIDTH * letter, tree.getClientArea().width - others - 2 * PADDING);
    return widths;
  }

  /** Names get what there is, unless a person has said how wide they are. */
  private void fitNames() {
    if (rows != null && tree.getColumnCount() == fitting.length + 1
        && shownWidth(CallTreeRows.NAME) == fitting[0]) {
      building = true;
      fitting = widths();
      tree.getColumn(0).setWidth(fitting[0]);
      building = false;
    }
  }

  /** Keeps what a person has made of the columns. */
  private void remember() {
    if (building || rows == null || tree.getColumnCount() != fitting.length + 1) {
      return;
    }
    for (int i = 0; i < fitting.length; i++) {
      memory.setWidth(rows.header(), i - 1, tree.getColumn(i).getWidth(), fitting[i]);
    }
    memory.setOrder(rows.header(), tree.getColumnOrder());
  }

  @Override
  public List<Integer> columnOrder() {
    List<Integer> order = new ArrayList<>();
    for (int index : tree.getColumnOrder()) {
      if (rows != null && index <= rows.columnCount()) {
        order.add(index - 1);
      }
    }
    return order;
  }

  @Override
  public boolean isVisible(int column) {
    return shownWidth(column) > 0;
  }

  /** The widget itself has no width for a column between a change and its layout. */
  private int shownWidth(int column) {
    return memory.width(rows.header(), column, fitting[column + 1]);
  }

  @Override
  public String heading(int column) {
    return rows.heading(column);
  }

  @Override
  public String help(int column) {
    return ColumnHelp.of(rows.header(), column);
  }

  @Override
  public void setColumns(List<Integer> order, Set<Integer> visible) {
    for (int column = CallTreeRows.NAME; column < rows.columnCount(); column++) {
      memory.setHidden(rows.header(), column, !visible.contains(column));
    }
    List<Integer> indices = new ArrayList<>(List.of(0));
    order.stream().filter(column -> column >= 0).forEach(column -> indices.add(column + 1));
    indices.add(fitting.length);
    memory.setOrder(rows.header(), indices.stream().mapToInt(Integer::intValue).toArray());
    rebuild();
  }

  @Override
  public void resetColumns() {
    memory.forget();
    rebuild();
  }

  private void rebuild() {
    List<Node> selected = selection();
    createColumns();
    reset();
    if (!selected.isEmpty()) {
      select(selected.get(0));
    }
  }

  @Override
  public int sortedColumn() {
    return sorted;
  }

  @Override
  public int sortDirection() {
    return falling ? SWT.DOWN : SWT.UP;
  }

  @Override
  public int firstDirection(int column) {
    return column == CallTreeRows.NAME ? SWT.UP : SWT.DOWN;
  }

  @Override
  public boolean hasOwnOrder() {
    return false;
  }

  @Override
  public void sort(int column, int direction) {
    sorted = column;
    falling = direction == SWT.DOWN;
    memory.setSort(rows.header(), column, direction);
    tree.setSortColumn(tree.getColumn(column + 1));
    tree.setSortDirection(direction);
    List<Node> selected = selection();
    reset();
    if (selected.isEmpty()) {
      expandHotPath();
    } else {
      select(selected.get(0));
    }
  }

  private void removeAll() {
    removing = true;
    try {
      tree.removeAll();
    } finally {
      removing = false;
    }
  }

  private void fill(TreeItem item) {
    if (removing) {
      // GTK asks for what was never in sight while it removes what is above it; what it shows is gone.
      return;
    }
    TreeItem parent = item.getParentItem();
    Node node = parent == null ? top().get(tree.indexOf(item))
        : below((Node) parent.getData()).get(parent.indexOf(item));
    item.setData(node);
    for (int column = CallTreeRows.NAME; column < rows.columnCount(); column++) {
      item.setText(column + 1, rows.cell(node, column));
    }
    item.setImage(0, node.procedure() == null ? null : NodeImages.of(node.procedure()));
    boolean strong = rows.isFound(node) || marked != null && node.procedure() == marked;
    item.setFont(strong ? bold : null);
    item.setItemCount(below(node).size());
  }

  private void paintBar(Event event) {
    int column = event.index - 1;
    if (column < 0 || column >= rows.columnCount()
        || !(event.item.getData() instanceof Node node)) {
      return;
    }
    boolean isShare = rows.key(column).equals("percent");
    boolean isChange = rows.key(column).equals("change");
    if (!isShare && !isChange) {
      return;
    }
    double size = isShare ? rows.share(node) : Math.min(1, Math.abs(rows.change(node)) / STRONGEST);
    Rectangle cell = ((TreeItem) event.item).getBounds(event.index);
    event.gc.setBackground(
        isShare ? tree.getDisplay().getSystemColor(SWT.COLOR_LIST_SELECTION)
            : rows.change(node) > 0 ? LONGER : SHORTER);
    event.gc.setAlpha(SHADE);
    int width = (int) Math.round(size * cell.width);
    event.gc.fillRectangle(cell.x, cell.y + 1, width, cell.height - 2);
    event.gc.setAlpha(255);
    event.detail &= ~SWT.BACKGROUND;
  }

  /** The selected nodes from top to bottom. */
  List<Node> selection() {
    List<Node> selected = new ArrayList<>();
    for (TreeItem item : tree.getSelection()) {
      if (item.getData() instanceof Node node) {
        selected.add(node);
      }
    }
    return selected;
  }

  /** Unfolds down to a node and selects it, if it is shown. */
  void select(Node node) {
    TreeItem item = item(node);
    if (item != null) {
      tree.setSelection(item);
      tree.showItem(item);
    }
  }

  private TreeItem item(Node node) {
    List<Node> path = new ArrayList<>();
    for (Node each = node; each != null && each != root; each = each.caller()) {
      path.add(0, each);
    }
    if (root.caller() != null) {
      path.add(0, root);
    }
    TreeItem item = null;
    for (Node each : path) {
      int index = (item == null ? top() : below((Node) item.getData())).indexOf(each);
      if (index < 0) {
        return null;
      }
      if (item != null) {
        item.setExpanded(true);
      }
      item = item == null ? tree.getItem(index) : item.getItem(index);
      if (item.getData() == null) {
        fill(item);
      }
    }
    return item;
  }

  /** Unfolds callee by callee, as long as one has most of the time, and selects the last. */
  void expandHotPath() {
    List<Node> selected = selection();
    Node node = selected.isEmpty() ? top().isEmpty() ? null : hottest(top()) : selected.get(0);
    if (node == null) {
      return;
    }
    Node next = hottest(below(node));
    while (next != null && time(next) >= HOT * time(node) && time(next) > 0) {
      node = next;
      next = hottest(below(node));
    }
    select(node);
  }

  private long time(Node node) {
    return node.inclusiveNs(rows.calls().weight());
  }

  private Node hottest(List<Node> nodes) {
    Node most = null;
    for (Node node : nodes) {
      most = most == null || time(node) > time(most) ? node : most;
    }
    return most;
  }

  /** Unfolds what a filter has found, the first ones if there are many. */
  void expandFound() {
    Deque<Node> next = new ArrayDeque<>(top());
    int shown = next.size();
    tree.setRedraw(false);
    while (!next.isEmpty() && shown < EXPANDED) {
      Node node = next.poll();
      TreeItem item = rows.isFound(node) ? null : item(node);
      if (item != null) {
        // From top to bottom, as a person reads.
        List<Node> callees = below(node);
        for (int i = callees.size() - 1; i >= 0; i--) {
          next.push(callees.get(i));
        }
        item.setExpanded(true);
        shown += callees.size();
      }
    }
    tree.setRedraw(true);
  }

  void collapseAll() {
    List<Node> selected = selection();
    reset();
    if (!selected.isEmpty()) {
      Node node = selected.get(0);
      while (node.caller() != null && node != root && node.caller() != root) {
        node = node.caller();
      }
      select(node);
    }
  }

  /** Shows a procedure that is selected elsewhere in bold letters. */
  void mark(Procedure procedure) {
    if (procedure != marked) {
      marked = procedure;
      tree.clearAll(true);
    }
  }

  /** Puts the selected rows, or all in sight without a selection, on the clipboard. */
  void copy() {
    StringBuilder out = new StringBuilder();
    if (rows == null) {
      return;
    }
    List<Integer> columns = columnOrder().stream().filter(this::isVisible).toList();
    out.append(columns.stream().map(rows::heading).collect(Collectors.joining("\t")))
        .append('\n');
    List<Node> selected = selection();
    if (selected.isEmpty()) {
      for (TreeItem item : tree.getItems()) {
        copy(item, columns, out);
      }
    } else {
      selected.forEach(node -> line(node, columns, out));
    }
    Clipboard clipboard = new Clipboard(tree.getDisplay());
    clipboard.setContents(new Object[] {out.toString()},
        new Transfer[] {TextTransfer.getInstance()});
    clipboard.dispose();
  }

  private void copy(TreeItem item, List<Integer> columns, StringBuilder out) {
    if (item.getData() == null) {
      fill(item);
    }
    line((Node) item.getData(), columns, out);
    if (item.getExpanded()) {
      for (TreeItem child : item.getItems()) {
        copy(child, columns, out);
      }
    }
  }

  private void line(Node node, List<Integer> columns, StringBuilder out) {
    out.append("  ".repeat(node.depth())).append(columns.stream()
        .map(column -> rows.cell(node, column)).collect(Collectors.joining("\t"))).append('\n');
  }
}
