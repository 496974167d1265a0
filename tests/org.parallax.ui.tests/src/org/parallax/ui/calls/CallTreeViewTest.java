package org.parallax.ui.calls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.CallTreeReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;
import org.parallax.ui.views.Views;

/** Call trees in a real workbench. */
class CallTreeViewTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  /** One thread: main/a/x for some time, main/b/x 30 ms, main 20 ms. */
  private Path run(String name, long xMs) {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name)).sampleHz(10);
    var process = trace.process("host", "/opt/calls");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    thread.sample(xMs * MS, "main/a/x").sample((xMs + 30) * MS, "main/b/x")
        .sample((xMs + 50) * MS, "main").threadEnd((xMs + 50) * MS);
    process.exit((xMs + 50) * MS, 0);
    return trace.write();
  }

  private static CallTreeView view() throws Exception {
    return ChartDriver.fresh(CallTreeView.class, Ids.CALL_TREE_VIEW);
  }

  private static void unfold(TreeItem[] items, List<String> lines, String indent) {
    for (TreeItem item : items) {
      // Asking for a text makes the item, as painting it does.
      lines.add(indent + item.getText(0));
      item.setExpanded(true);
      unfold(item.getItems(), lines, indent + " ");
    }
  }

  private static List<String> lines(CallTreeView view) {
    List<String> lines = new ArrayList<>();
    unfold(view.widget().tree().getItems(), lines, "");
    return lines;
  }

  private static TreeItem item(CallTreeView view, String... names) {
    TreeItem[] items = view.widget().tree().getItems();
    TreeItem found = null;
    for (String name : names) {
      found = null;
      for (TreeItem item : items) {
        if (item.getText(0).equals(name)) {
          found = item;
        }
      }
      if (found == null) {
        throw new AssertionError("no " + name);
      }
      items = found.getItems();
    }
    return found;
  }

  private static void select(CallTreeView view, TreeItem item) {
    Workbench.click(view.widget().tree(), item);
    Workbench.settle();
  }

  @Test
  void columnsAreRemembered() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(run("trace", 100));
    Tree tree = view.widget().tree();
    tree.getColumn(3).notifyListeners(SWT.Selection, new Event());
    tree.getColumn(3).notifyListeners(SWT.Selection, new Event());
    tree.getColumn(1).setWidth(222);
    int[] order = tree.getColumnOrder();
    int third = order[3];
    order[3] = order[1];
    order[1] = third;
    tree.setColumnOrder(order);
    Workbench.settle();
    String sorted = tree.getSortColumn().getText();
    CallTreeView again = view();
    Workbench.settle();
    Tree shown = again.widget().tree();
    Workbench.await("the width", () -> shown.getColumn(1).getWidth() == 222);
    assertArrayEquals(order, shown.getColumnOrder());
    assertEquals(sorted, shown.getSortColumn().getText());
    assertEquals(SWT.UP, shown.getSortDirection());
  }

  /** What other columns tell is hidden until a person chooses it. */
  @Test
  void timeWithoutAProcessorCanBeChosen() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("waits"));
    trace.process("host", "/opt/calls").thread(0).threadBegin(0, -1).enter(10 * MS, "main/MPI_Recv")
        .lost(90 * MS, 70 * MS).leave(110 * MS).sample(120 * MS, "main").threadEnd(120 * MS);
    CallTreeView view = view();
    ChartDriver.open(trace.write());
    CallTreeWidget widget = view.widget();
    int column = widget.columnOrder().stream()
        .filter(each -> widget.heading(each).startsWith("no processor")).findFirst().orElseThrow();
    assertFalse(widget.isVisible(column));
    widget.setColumns(widget.columnOrder(), Set.copyOf(widget.columnOrder()));
    Workbench.settle();
    assertTrue(widget.isVisible(column));
    assertEquals("70.000", item(view, "main", "MPI_Recv").getText(column + 1));
    widget.resetColumns();
  }

  @Test
  void rowsAreThoseOfTheCore() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(SampleTraces.unbalanced(
        Files.createDirectory(directory.resolve("trace")), 5));
    for (boolean inverted : new boolean[] {false, true}) {
      view.callersAction().setChecked(inverted);
      view.callersAction().run();
      Workbench.settle();
      Path path = OpenSession.current().state().traces().get(0).directory();
      try (Trace trace = Trace.open(path)) {
        Table table = CallTreeReport.of(
            new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0)), null,
            inverted, 0, Progress.NONE);
        int depth = table.column("depth");
        assertEquals(table.rows().stream()
            .map(row -> " ".repeat(((Long) row.values().get(depth)).intValue()) + row.name())
            .toList(), lines(view));
        List<String> times = new ArrayList<>();
        collect(view.widget().tree().getItems(), inverted ? 2 : 3, times);
        List<String> expected = new ArrayList<>();
        for (Row row : table.rows()) {
          expected.add(String.format("%.3f ", (Long) row.values().get(table.column("inclusive"))
              / 1e6) + (inverted
              ? String.format("%.2f", row.values().get(table.column("percent")))
              : String.format("%.3f", (Long) row.values().get(table.column("time")) / 1e6)));
        }
        assertEquals(expected, times);
      }
    }
  }

  private static void collect(TreeItem[] items, int column, List<String> times) {
    for (TreeItem item : items) {
      times.add(item.getText(1) + " " + item.getText(column));
      collect(item.getItems(), column, times);
    }
  }

  @Test
  void hotPathUnfoldsAndASubtreeIsShownAlone() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(run("run", 100));
    Tree tree = view.widget().tree();
    assertEquals("main;a;x", view.widget().selection().get(0).path(), "the hot path is unfolded");
    view.widget().collapseAll();
    select(view, item(view, "main"));
    ChartDriver.key(tree, SWT.ARROW_RIGHT, '\0', SWT.SHIFT);
    assertEquals("main;a;x", view.widget().selection().get(0).path());
    select(view, item(view, "main", "b"));
    ChartDriver.key(tree, SWT.CR, '\r', SWT.SHIFT);
    assertEquals(List.of("b", " x"), lines(view));
    ChartDriver.key(tree, SWT.BS, '\b', 0);
    assertEquals(List.of("main", " a", "  x", " b", "  x"), lines(view));
    assertEquals("main;b", view.widget().selection().get(0).path(), "the selection stays");
  }

  @Test
  void filterAndSorting() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(run("run", 100));
    view.filterField().setText("B");
    Workbench.await("the filter", () -> view.result().isFiltered());
    Workbench.settle();
    assertEquals(List.of("main", " b", "  x"), lines(view));
    view.filterField().setText("nothing like it");
    Workbench.await("the filter", () -> view.result().found() == 0);
    Workbench.settle();
    assertTrue(view.warnings().toString().contains("nothing like it"), "why it is empty");
    view.filterField().setText("");
    Workbench.await("all", () -> !view.result().isFiltered());
    Workbench.settle();
    assertEquals(List.of("main", " a", "  x", " b", "  x"), lines(view));
    Tree tree = view.widget().tree();
    tree.getColumn(1).notifyListeners(SWT.Selection, new Event());
    assertEquals(List.of("main", " b", "  x", " a", "  x"), lines(view), "rising inclusive time");
    tree.getColumn(0).notifyListeners(SWT.Selection, new Event());
    assertEquals(List.of("main", " a", "  x", " b", "  x"), lines(view), "by name");
  }

  @Test
  void procedureIsFollowedAndSet() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(run("run", 100));
    select(view, item(view, "main", "b"));
    Procedure selected = OpenSession.current().state().selection().procedure();
    assertEquals("b", selected.getName());
    Node x = ((Node) item(view, "main", "b", "x").getData());
    OpenSession.current().setProcedure(x.procedure());
    Workbench.settle();
    assertEquals("main;a;x", view.widget().selection().get(0).path(), "where it has most time");
    assertFalse(item(view, "main", "b", "x").getFont().equals(view.widget().tree().getFont()),
        "it is marked wherever it is called");
    assertSame(x.procedure(), OpenSession.current().state().selection().procedure());
  }

  @Test
  void copyTakesWhatIsUnfolded() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(run("run", 100));
    view.widget().tree().deselectAll();
    lines(view);
    view.widget().copy();
    Clipboard clipboard = new Clipboard(view.widget().tree().getDisplay());
    String text = (String) clipboard.getContents(TextTransfer.getInstance());
    clipboard.dispose();
    String[] copied = text.split("\n");
    assertEquals(6, copied.length);
    assertTrue(copied[0].startsWith("procedure\tinclusive [ms]\t%time\ttime [ms]"), copied[0]);
    assertTrue(copied[3].startsWith("    x\t100.000\t66.67\t100.000"), copied[3]);
  }

  @Test
  void exportIsTheReport() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(run("run", 100));
    Path file = directory.resolve("calls.csv");
    Job job = view.export(view.result(), file);
    Workbench.await("the file", () -> job.getResult() != null);
    List<String> lines = Files.readAllLines(file);
    assertTrue(lines.get(0).startsWith("name,depth,inclusive,percent,time"), lines.get(0));
    assertTrue(lines.get(3).startsWith("x,2,100000000,") && lines.get(3).endsWith("main;a;x"),
        lines.get(3));
    assertEquals(6, lines.size());
  }

  @Test
  void anotherRunIsCompared() throws Exception {
    CallTreeView view = view();
    ChartDriver.open(run("now", 100), run("before", 50));
    ChartDriver.select("now");
    Views.choose(view.runs().combo(), "calls@before");
    Tree tree = view.widget().tree();
    assertEquals("longer by [ms]", tree.getColumn(9).getText());
    TreeItem x = item(view, "main", "a", "x");
    assertEquals("50.000", x.getText(8));
    assertEquals("50.000", x.getText(9));
    assertEquals("0.000", item(view, "main", "b").getText(9));
    Views.choose(view.runs().combo(), "no other run");
    assertEquals(9, view.widget().tree().getColumnCount());
  }

  @Test
  void withoutATraceAndWithADamagedOneThereAreWords() throws Exception {
    CallTreeView view = view();
    assertTrue(view.message().contains("No trace is open. To see the call tree"),
        view.message());
    ChartDriver.open(
        Path.of(System.getProperty("parallax.root"), "native/format/golden/damaged"));
    assertEquals(List.of(), lines(view), "nothing is left of the events");
    String told = view.warnings().toString();
    assertTrue(told.contains("There are no call paths in") && told.contains("checksum"), told);
  }
}
