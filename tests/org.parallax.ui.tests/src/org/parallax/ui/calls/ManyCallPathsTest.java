package org.parallax.ui.calls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;

/** A hundred thousand call paths never keep the UI thread. */
class ManyCallPathsTest {
  private static final double LIMIT_MS = 100;

  @TempDir Path directory;

  private Path many() {
    TraceBuilder trace = new TraceBuilder(directory.resolve("many"));
    var process = trace.process("host", "/opt/many");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    long now = 0;
    for (int i = 0; i < 46 * 46 * 46; i++) {
      now += 1 + i % 100;
      thread.sample(now, "main/a" + i / 46 / 46 + "/b" + i / 46 % 46 + "/c" + i % 46);
    }
    thread.threadEnd(now);
    process.exit(now, 0);
    return trace.write();
  }

  private static boolean isIdle() {
    return Job.getJobManager().find(OpenSession.current()).length == 0;
  }

  @Test
  void flameGraphAndCallTreeStayResponsive() throws Exception {
    Workbench.reset();
    Path trace = many();
    QuietMachine.measure(attempt -> {
      OpenSession.current().close(OpenSession.current().state().traces());
      Workbench.settle();
      CallTreeView tree = ChartDriver.fresh(CallTreeView.class, Ids.CALL_TREE_VIEW);
      FlameGraphView flames =
          ChartDriver.fresh(FlameGraphView.class, Ids.FLAME_GRAPH_VIEW);
      UiWatch watch = new UiWatch();
      TraceOpening.open(Workbench.window(), List.of(trace));
      Workbench.page().activate(flames);
      watch.run(() -> flames.result() != null && isIdle());
      flames.searchField().getDisplay().asyncExec(() -> {
        flames.searchField().setText("b1");
        flames.flames().zoomTo(flames.result().tree().root().callees().get(0).callees().get(0));
      });
      watch.run(() -> !flames.foundText().isEmpty() && isIdle());
      tree.widget().tree().getDisplay().asyncExec(() -> Workbench.page().bringToTop(tree));
      watch.run(() -> tree.result() != null && isIdle());
      tree.widget().tree().getDisplay().asyncExec(() -> {
        tree.filterField().setText("c7");
        tree.widget().tree().getColumn(2).notifyListeners(SWT.Selection, new Event());
      });
      watch.run(() -> tree.result().isFiltered() && isIdle());
      watch.assertNoStall(LIMIT_MS);
    });
  }
}
