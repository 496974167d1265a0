package org.parallax.ui.timeline;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.RunAlignment;
import org.parallax.ui.session.Selection;
import org.parallax.ui.testing.Workbench;

/** Runs that are shown below each other in one timeline. */
abstract class TimelineRunsFixture extends TimelineFixture {
  @AfterEach
  void showOneRun() throws Exception {
    OpenSession.current().align(RunAlignment.START);
    view().together().setChecked(false);
    view().together().run();
    Workbench.settle();
  }

  /**
   * A run that prepares for some time, and then solves twice for 40 ms, 10 ms apart.
   *
   * @param laterMs how much later than others it ran
   */
  final Path solver(String name, long prepareMs, long laterMs) {
    return solver(name, prepareMs, laterMs, 40);
  }

  /** The same, but for the second time it solves for another time. */
  final Path solver(String name, long prepareMs, long laterMs, long secondMs) {
    TraceBuilder trace =
        new TraceBuilder(directory.resolve(name)).property("command", "./solver");
    TracedProcess process = trace.process("node1", "/opt/solver").realtimeShift(laterMs * MS);
    int solve = process.phase("solve");
    TracedThread thread = process.thread(0);
    thread.threadBegin(0, -1);
    for (long ms = 5; ms < prepareMs; ms += 5) {
      thread.sample(ms * MS, "main/prepare");
    }
    for (long begin : new long[] {prepareMs, prepareMs + 50}) {
      thread.event(begin * MS, Kind.PHASE_BEGIN, solve);
      long lastsMs = begin == prepareMs ? 40 : secondMs;
      for (long ms = 5; ms <= lastsMs - 5; ms += 5) {
        thread.sample((begin + ms) * MS, "main/solve");
      }
      thread.event((begin + lastsMs) * MS, Kind.PHASE_END, solve);
    }
    thread.threadEnd((prepareMs + 60 + secondMs) * MS);
    process.exit((prepareMs + 60 + secondMs) * MS, 0);
    return trace.write();
  }

  static void awaitPictures(TimelineView view) {
    Workbench.settle();
    Workbench.await("pictures", () -> view.runs().stream().map(TimelineStrip::control)
        .allMatch(each -> each.drawn() != null && each.drawn().scene() == each.scene()));
    Workbench.settle();
  }

  static TimelineControl run(TimelineView view, int index) {
    return view.runs().get(index).control();
  }

  static Selection selection() {
    return OpenSession.current().state().selection();
  }

  static int x(TimelineControl control, long ns) {
    java.awt.Rectangle plot = control.drawn().layout().plot();
    return plot.x + (int) Math.round(control.scene().window().place(ns, plot.width));
  }
}
