package org.parallax.ui.calls;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.parallax.ui.bench.Figures;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.testing.Workbench;

/** How long a person waits for what is looked for among call paths. */
public final class CallsBench {
  private final Figures figures;

  public CallsBench(Figures figures) {
    this.figures = figures;
  }

  /** Searches the flame graph, and filters, sorts and turns the call tree. */
  public void run() throws Exception {
    FlameGraphView flames =
        (FlameGraphView) Workbench.page().showView(Ids.FLAME_GRAPH_VIEW);
    figures.await(() -> Figures.isIdle() && flames.message().isEmpty());
    figures.stalls();
    double search = figures.secondsOf(() -> flames.searchField().setText("halo"),
        () -> Figures.isIdle() && !flames.foundText().isEmpty());
    double zoom = figures.secondsOf(
        () -> flames.flames().zoomTo(flames.result().tree().root().callees().get(0)),
        Figures::isIdle);
    figures.secondsOf(() -> flames.searchField().setText(""), Figures::isIdle);
    figures.tell("flame graph of " + flames.result().tree().nodes().size() + " call paths",
        "search %.2f s, zoom %.2f s, stall %s", search, zoom, figures.stalls());
    CallTreeView tree = (CallTreeView) Workbench.page().showView(Ids.CALL_TREE_VIEW);
    figures.await(() -> Figures.isIdle() && tree.message().isEmpty());
    double filter = figures.secondsOf(() -> tree.filterField().setText("halo"),
        () -> Figures.isIdle() && tree.result().isFiltered());
    double sort = figures.secondsOf(
        () -> tree.widget().tree().getColumn(2).notifyListeners(SWT.Selection, new Event()),
        Figures::isIdle);
    double callers = figures.secondsOf(() -> {
      tree.callersAction().setChecked(true);
      tree.callersAction().run();
    }, () -> Figures.isIdle() && tree.result().isInverted());
    figures.secondsOf(() -> {
      tree.filterField().setText("");
      tree.callersAction().setChecked(false);
      tree.callersAction().run();
    }, () -> Figures.isIdle() && !tree.result().isInverted() && !tree.result().isFiltered());
    figures.tell("call tree", "filter %.2f s, sort %.2f s, callers %.2f s, stall %s", filter, sort,
        callers, figures.stalls());
  }
}
