package org.parallax.ui.calls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.CallTreeReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.table.WithoutProcessor;
import org.parallax.model.program.Procedure;
import org.parallax.ui.table.CellText;

/**
 * What a tree widget shows of call paths: which columns there are, what is in them, and which nodes
 * pass a filter. Made by a job.
 */
final class CallTreeRows {
  /** The column of nodes' names. */
  static final int NAME = -1;
  private static final List<String> KEYS =
      List.of("inclusive", "percent", "time", "cpu", WithoutProcessor.KEY, "visits", "samples");
  /** Below a procedure its callers have parts of its own time. */
  private static final List<String> INVERTED = List.of("inclusive", "percent", "cpu",
      WithoutProcessor.KEY, "visits", "samples");

  private final ComparedCalls calls;
  private final CallTree tree;
  private final boolean inverted;
  private final String filter;
  private final Set<Node> onFound = new HashSet<>();
  private final Map<Procedure, Node> hottest = new IdentityHashMap<>();
  private final Supplier<Table> report;
  private final Table header;
  private final CellText text;
  private final Map<Node, Row> rows = new IdentityHashMap<>();
  private int found;

  /**
   * @param filter what names contain; empty for all
   * @param report makes the whole table, for files
   */
  CallTreeRows(ComparedCalls calls, boolean inverted, String filter, Supplier<Table> report) {
    this.calls = calls;
    this.report = report;
    this.inverted = inverted;
    this.filter = filter.toLowerCase(Locale.ROOT);
    tree = inverted ? calls.tree().inverted() : calls.tree();
    List<Node> nodes = inverted ? tree.root().callees() : tree.nodes();
    for (Node node : nodes) {
      if (node.procedure() != null) {
        hottest.merge(node.procedure(), node,
            (a, b) -> a.inclusiveNs(calls.weight()) >= b.inclusiveNs(calls.weight()) ? a : b);
      }
      if (!filter.isEmpty() && matches(node)) {
        found++;
        for (Node each = node; each != null && onFound.add(each); each = each.caller()) {
          // With all callers.
        }
      }
    }
    header = new Table("calltree", "", "", Map.of(), Messages.procedure, Unit.NANOSECONDS, 0,
        -1, columns(), List.of(largest()), List.of());
    text = new CellText(header);
  }

  private List<String> keys() {
    return inverted ? INVERTED : KEYS;
  }

  private List<Column> columns() {
    List<Column> all = CallTreeReport.columns();
    List<Column> columns = new ArrayList<>();
    for (String key : keys()) {
      Column column =
          all.stream().filter(each -> each.key().equals(key)).findFirst().orElseThrow();
      columns.add(inverted && key.equals("inclusive")
          ? new Column(key, Messages.columnOwn, column.unit()) : column);
    }
    if (isCompared()) {
      columns.add(new Column("base", NLS.bind(Messages.columnBase, calls.other()),
          Unit.NANOSECONDS));
      columns.add(new Column("change", Messages.columnChange, Unit.NANOSECONDS));
    }
    return columns;
  }

  /** All times are in the unit that fits all of the time, to be compared at a glance. */
  private Row largest() {
    List<Object> values = new ArrayList<>();
    columns().forEach(column -> values.add(
        column.unit() == Unit.NANOSECONDS ? tree.totalNs(Weight.WALL) : 0L));
    return new Row("", null, null, values);
  }

  private boolean isCompared() {
    return calls.difference() != null && !inverted;
  }

  private Row make(Node node) {
    Row whole = CallTreeReport.row(tree, node);
    List<Column> all = CallTreeReport.columns();
    List<Object> values = new ArrayList<>();
    for (String key : keys()) {
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).key().equals(key)) {
          values.add(whole.values().get(i));
        }
      }
    }
    if (inverted) {
      values.set(INVERTED.indexOf("cpu"), node.inclusiveNs(Weight.CPU));
      values.set(INVERTED.indexOf(WithoutProcessor.KEY), WithoutProcessor.of(
          node.inclusiveNs(Weight.WALL), node.inclusiveNs(Weight.CPU), node.isCpuKnown(true)));
      values.set(INVERTED.indexOf("samples"), node.inclusiveSamples());
    }
    if (isCompared()) {
      values.add(Math.round(calls.difference().baseNs(node)));
      values.add(Math.round(calls.difference().changeNs(node)));
    }
    return new Row(whole.name(), whole.subject(), null, values);
  }

  private Row row(Node node) {
    return rows.computeIfAbsent(node, this::make);
  }

  private boolean matches(Node node) {
    return node.name().toLowerCase(Locale.ROOT).contains(filter);
  }

  /** A table that has the columns, for what is remembered of them. */
  Table header() {
    return header;
  }

  /** What is remembered of the columns is that of this kind. */
  String kind() {
    return inverted ? "calltree-callers" : "calltree";
  }

  /** All rows as the command line prints them; called by a job. */
  Table report() {
    return report.get();
  }

  CallTree tree() {
    return tree;
  }

  ComparedCalls calls() {
    return calls;
  }

  boolean isInverted() {
    return inverted;
  }

  boolean isFiltered() {
    return !filter.isEmpty();
  }

  /** How many nodes pass the filter. */
  int found() {
    return found;
  }

  /** Of the columns after the names. */
  int columnCount() {
    return header.columns().size();
  }

  String heading(int column) {
    return column == NAME ? header.nameLabel() : text.heading(column);
  }

  String key(int column) {
    return header.columns().get(column).key();
  }

  String cell(Node node, int column) {
    if (column == NAME) {
      return node.name();
    }
    String cell = text.cell(row(node), column);
    return key(column).equals("visits") && !node.isExact() && node.visits() > 0
        ? "\u2265 " + cell : cell;
  }

  /** Whether a name has what is filtered for. */
  boolean isFound(Node node) {
    return isFiltered() && matches(node);
  }

  /** The part of all time, 0 to 1. */
  double share(Node node) {
    return (Double) row(node).values().get(KEYS.indexOf("percent")) / 100;
  }

  /** By how much of all time a node takes longer than in the other run, -1 to 1. */
  double change(Node node) {
    return isCompared() ? calls.difference().change(node) : 0;
  }

  /** The node of a procedure with the most time, null for none. */
  Node hottest(Procedure procedure) {
    return hottest.get(procedure);
  }

  /** Those below a node that pass the filter, in the order of a column. */
  List<Node> callees(Node node, int column, boolean falling) {
    boolean all = !isFiltered();
    for (Node each = node; each != null && each.caller() != null && !all; each = each.caller()) {
      all = matches(each);
    }
    List<Node> shown = new ArrayList<>();
    for (Node callee : node.callees()) {
      if (all || onFound.contains(callee)) {
        shown.add(callee);
      }
    }
    Comparator<Node> order = column == NAME ? Comparator.comparing(Node::name)
        : Comparator.comparingDouble(
            each -> row(each).values().get(column) instanceof Number number ? number.doubleValue() : -1);
    shown.sort(falling ? order.reversed() : order);
    return shown;
  }
}
