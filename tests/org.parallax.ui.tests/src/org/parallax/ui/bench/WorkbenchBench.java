package org.parallax.ui.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.calls.CallsBench;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.reports.TablesBench;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.timeline.TimelineBench;
import org.parallax.ui.views.SessionView;

/**
 * How long a person waits in the perspective: for a trace, for each view of it, for what follows a
 * selection. Every action is an event that a watch of the UI thread sees.
 */
final class WorkbenchBench {
  private static final int WIDTH = 1920;
  private static final int HEIGHT = 1080;
  /** Those that the perspective opens with, then the others; the timeline is measured by itself. */
  private static final List<String> VIEWS = List.of(Ids.CRITICAL_PATH_VIEW,
      Ids.PROFILE_VIEW, Ids.METRICS_VIEW, Ids.HISTOGRAM_VIEW,
      Ids.CALL_TREE_VIEW, Ids.FLAME_GRAPH_VIEW, Ids.NPT_VIEW,
      Ids.GPROF_VIEW, Ids.WAITS_VIEW, Ids.EFFICIENCY_VIEW,
      Ids.COMMUNICATION_VIEW, Ids.EVENTS_VIEW, Ids.PHASES_VIEW,
      Ids.TIMELINE_VIEW);

  private final Figures figures;
  private final Map<String, SessionView<?>> views = new LinkedHashMap<>();
  private TreeNode application;
  private TreeNode process;
  private Phase phase;

  WorkbenchBench(PrintWriter out) {
    figures = new Figures(out);
  }

  /**
   * @param other a run to compare with
   * @param wide a run of many threads
   */
  void run(Path trace, Path other, Path wide) throws Exception {
    Workbench.reset();
    Workbench.window().getShell().setBounds(0, 0, WIDTH, HEIGHT);
    for (String id : VIEWS) {
      views.put(id, (SessionView<?>) show(id));
    }
    show(Ids.CRITICAL_PATH_VIEW);
    Workbench.settle();
    open(trace);
    new TimelineBench(figures).run();
    figures.heap("heap in use with the timeline");
    for (String id : VIEWS) {
      measure(id);
    }
    figures.heap("heap in use with all views");
    new CallsBench(figures).run();
    TablesBench tables = new TablesBench(figures);
    tables.browse();
    tables.compare(other);
    figures.heap("heap in use with both runs and all views");
    close();
    TraceOpening.open(Workbench.window(), List.of(wide));
    figures.await(() -> session().state().isOpen());
    new TimelineBench(figures).runLanes();
    figures.heap("heap in use with many lanes");
    figures.conclude();
    close();
  }

  private static void close() {
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
  }

  private static IViewPart show(String id) throws Exception {
    return Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
  }

  private static OpenSession session() {
    return OpenSession.current();
  }

  /** The perspective is usable when its tree is there, a node can be selected and a view follows. */
  private void open(Path trace) throws Exception {
    figures.stalls();
    long beginNs = System.nanoTime();
    double trees = figures.secondsOf(
        () -> TraceOpening.open(Workbench.window(), List.of(trace)), () -> session().state().isOpen());
    figures.seconds("until the trees are there and the workbench answers", trees);
    application = session().state().scope();
    process = node(application, Level.PROCESS);
    figures.secondsOf(() -> clickOnAProcess(), () -> !session().state().scope().equals(application));
    figures.seconds("until a process is selected in the trees and views follow", since(beginNs));
    SessionView<?> path = views.get(Ids.CRITICAL_PATH_VIEW);
    figures.await(() -> path.message().isEmpty());
    figures.seconds("until the critical path profile of that process is there", since(beginNs));
    figures.secondsOf(() -> session().setScope(application), () -> path.message().isEmpty());
    figures.tell("opening: longest stall, in our code / with the platform", figures.stalls());
    var timeline = session().state().analyses().of(application.application().get()).timeline();
    long tenth = (timeline.endNs() - timeline.beginNs()) / 10;
    long fromNs = timeline.beginNs() + 4 * tenth;
    phase = new Phase("a tenth", new Window(fromNs, fromNs + tenth));
  }

  private static double since(long beginNs) {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  private static TreeNode node(TreeNode from, Level level) {
    TreeNode node = from;
    while (node.level() != level) {
      node = node.children().get(0);
    }
    return node;
  }

  /** Unfolds the machine and clicks on its first process. */
  private static void clickOnAProcess() {
    Tree tree = Workbench.find(Workbench.window().getShell(), Tree.class, each -> each.isVisible()
        && each.getItemCount() > 0 && each.getItem(0).getData() instanceof TreeNode).get(0);
    TreeItem machine = tree.getItem(0).getItem(0);
    Event unfold = new Event();
    unfold.item = machine;
    tree.notifyListeners(SWT.Expand, unfold);
    machine.setExpanded(true);
    TreeItem item = machine.getItem(0);
    tree.setSelection(item);
    Event event = new Event();
    event.item = item;
    tree.notifyListeners(SWT.Selection, event);
  }

  /** Brings a view to the front, selects a process, and a tenth of the time, and waits for each. */
  private void measure(String id) throws Exception {
    figures.stalls();
    SessionView<?> view = views.get(id);
    double all = figures.secondsOf(() -> Workbench.page().activate(view), () -> isReady(view));
    double ofProcess = figures.secondsOf(() -> session().setScope(process), () -> isReady(view));
    double ofPhase = figures.secondsOf(() -> session().select(
        new Selection(List.of(application), phase, null)), () -> isReady(view));
    String stalls = figures.stalls();
    figures.secondsOf(() -> session().setPhase(null), () -> isReady(view));
    figures.tell(view.getTitle(), "%.2f s, a process %.2f s, a tenth of the time %.2f s, stall %s",
        all, ofProcess, ofPhase, stalls);
  }

  private static boolean isReady(SessionView<?> view) {
    return view.message().isEmpty() && Figures.isIdle();
  }
}
