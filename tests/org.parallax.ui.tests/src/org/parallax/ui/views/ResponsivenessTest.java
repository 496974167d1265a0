package org.parallax.ui.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.testing.QuietMachine;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.reports.CriticalPathView;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.trees.ProgramTreesView;

/** Opening a trace never keeps the UI thread: reading and analysing are jobs. */
class ResponsivenessTest {
  private static final double LIMIT_MS = 100;

  @TempDir Path directory;

  @Test
  void longTraceOpensWithoutAStall() throws Exception {
    assertNoStall(
        SampleTraces.unbalanced(Files.createDirectory(directory.resolve("long")), 5_000), () -> {
        });
  }

  @Test
  void thousandProcessesAreShownWithoutAStall() throws Exception {
    assertNoStall(SampleTraces.wide(Files.createDirectory(directory.resolve("wide")), 1_000),
        () -> {
          var item = Views.item("wide", "node1");
          Workbench.window().getShell().getDisplay().asyncExec(
              () -> Views.trees().viewer().setExpandedState(item.getData(), true));
        });
    var machine = Views.item("wide", "node1");
    assertEquals(ProgramTreesView.MAX_CHILDREN + 1, machine.getItemCount());
  }

  /** Opens a trace, and then does something that is watched too. */
  private void assertNoStall(Path trace, Runnable afterwards) throws Exception {
    Workbench.reset();
    CriticalPathView view = Views.criticalPath();
    QuietMachine.measure(attempt -> {
      OpenSession.current().close(OpenSession.current().state().traces());
      Workbench.settle();
      UiWatch watch = new UiWatch();
      TraceOpening.open(Workbench.window(), List.of(trace));
      watch.run(() -> view.result() != null);
      afterwards.run();
      watch.run(() -> true);
      assertTrue(watch.looks() > 10, "the watch did not look");
      watch.assertNoStall(LIMIT_MS);
    });
  }

  @Test
  void viewsAreToldOfOtherTracesInEventsOfTheirOwn() throws Exception {
    Workbench.reset();
    int[] event = {0};
    List<Integer> told = new ArrayList<>();
    List<OpenSession.Listener> listeners = List.of(
        (before, now) -> addIfOpen(now, told, event[0]),
        (before, now) -> addIfOpen(now, told, event[0]));
    listeners.forEach(OpenSession.current()::addListener);
    Job job = OpenSession.current().open(
        List.of(SampleTraces.unbalanced(Files.createDirectory(directory.resolve("any")), 5)));
    Display display = Display.getCurrent();
    while (told.size() < 2 && job.getResult() == null) {
      event[0]++;
      display.readAndDispatch();
    }
    // The job ends when all have been told, and traces that leave are closed then.
    assertEquals(2, told.size());
    assertNotEquals(told.get(0), told.get(1));
    listeners.forEach(OpenSession.current()::removeListener);
    Workbench.settle();
  }

  private static void addIfOpen(SessionState now, List<Integer> told, int event) {
    if (now.isOpen()) {
      told.add(event);
    }
  }

  @Test
  void watchSeesAStall() throws Exception {
    UiWatch watch = new UiWatch();
    boolean[] stalled = {false};
    Workbench.window().getShell().getDisplay().asyncExec(() -> {
      // As long as it takes to have a processor for so long: others do not count.
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long end = threads.getCurrentThreadCpuTime() + 300_000_000L;
      while (threads.getCurrentThreadCpuTime() < end) {
        Thread.onSpinWait();
      }
      stalled[0] = true;
    });
    watch.run(() -> stalled[0]);
    assertTrue(watch.longestMs() > 200, watch.longestMs() + " ms");
  }
}
