package org.parallax.ui.reports;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.parallax.ui.bench.Figures;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.testing.Workbench;

/** How long a person waits for pages of events, and for the comparison of two runs. */
public final class TablesBench {
  private static final String RARE = "MPI_Barrier";

  private final Figures figures;

  public TablesBench(Figures figures) {
    this.figures = figures;
  }

  /** Turns large pages, sorts and filters them, and looks for a text in all events. */
  public void browse() throws Exception {
    EventsView view = (EventsView) Workbench.page().showView(Ids.EVENTS_VIEW);
    Table table = view.table().widget();
    figures.await(() -> isReady(view));
    figures.stalls();
    int most = view.countField().getMaximum();
    double page = figures.secondsOf(() -> {
      view.countField().setSelection(most);
      view.countField().notifyListeners(SWT.DefaultSelection, new Event());
    }, () -> isReady(view));
    double next = figures.secondsOf(() -> press(view.nextButton()), () -> isReady(view));
    double last = figures.secondsOf(() -> press(view.lastButton()), () -> isReady(view));
    int rows = view.table().rows().size();
    double sort = figures.secondsOf(
        () -> table.getColumn(2).notifyListeners(SWT.Selection, new Event()), Figures::isIdle);
    double filter = figures.secondsOf(() -> {
      view.table().filter().open();
      view.table().filter().field().setText("7");
    }, Figures::isIdle);
    figures.secondsOf(view.table().filter()::close, Figures::isIdle);
    figures.tell("trace browser: pages of " + rows + " events",
        "first %.2f s, next %.2f s, last %.2f s, sort %.2f s, filter %.2f s, stall %s", page, next,
        last, sort, filter, figures.stalls());
    double text = figures.secondsOf(() -> {
      view.countField().setSelection(100);
      view.textField().setText(RARE);
      press(view.firstButton());
    }, () -> isReady(view));
    figures.tell("trace browser: the first events of a kind that is rare", "%.2f s, stall %s", text,
        figures.stalls());
  }

  private static void press(org.eclipse.swt.widgets.Button button) {
    button.notifyListeners(SWT.Selection, new Event());
  }

  private static boolean isReady(EventsView view) {
    return Figures.isIdle() && view.message().isEmpty();
  }

  /** Opens another trace beside the first, and compares both. */
  public void compare(java.nio.file.Path other) throws Exception {
    ComparisonView view = (ComparisonView) Workbench.page().showView(Ids.COMPARISON_VIEW);
    figures.await(Figures::isIdle);
    figures.stalls();
    BooleanSupplier compared = () -> Figures.isIdle() && view.comparison() != null
        && view.comparison().table() != null;
    double profiles = figures.secondsOf(
        () -> TraceOpening.open(Workbench.window(), List.of(other)), compared);
    figures.tell("comparison: profiles, with opening another run", "%.2f s, stall %s", profiles,
        figures.stalls());
    double paths = figures.secondsOf(() -> {
      view.kindChoice().select(view.kindChoice().indexOf("Critical Path"));
      view.kindChoice().notifyListeners(SWT.Selection, new Event());
    }, compared);
    figures.tell("comparison: critical paths", "%.2f s, stall %s", paths, figures.stalls());
    double time = figures.secondsOf(() -> {
      view.chartChoice().select(1);
      view.chartChoice().notifyListeners(SWT.Selection, new Event());
    }, compared);
    figures.tell("comparison: over time", "%.2f s, stall %s", time, figures.stalls());
    // What was chosen in it is not for the next who opens it.
    Workbench.page().hideView(view);
  }
}
