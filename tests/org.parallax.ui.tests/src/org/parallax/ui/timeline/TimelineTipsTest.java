package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** What tool tips of the timeline tell of time without a processor. */
class TimelineTipsTest extends TimelineFixture {
  /** A call of 80 ms, of which 60 had no processor. */
  private Path waiter(boolean hasClock) {
    TraceBuilder trace = new TraceBuilder(directory.resolve("waiter" + hasClock));
    TracedProcess process = trace.process("node1", "/opt/waiter");
    TracedThread thread = process.thread(0);
    thread.threadBegin(0, -1).sample(5 * MS, "main/work").enter(10 * MS, "main/MPI_Waitall");
    if (hasClock) {
      thread.lost(80 * MS, 60 * MS);
    } else {
      process.noCpuClock();
    }
    thread.leave(90 * MS).sample(95 * MS, "main/work").threadEnd(100 * MS);
    process.exit(100 * MS, 0);
    return trace.write();
  }

  private static String tip(TimelineView view, long ns) {
    TimelineDrawing drawn = view.control().drawn();
    return TimelineTips.describe(
        drawn, 0, (int) drawn.scene().window().place(ns, drawn.states().columns()));
  }

  @Test
  void callsTellHowMuchOfThemHadNoProcessor() throws Exception {
    TimelineView view = open(waiter(true));
    assertTrue(tip(view, 50 * MS).contains("60 ms of this without a processor (75 %)"), tip(view, 50 * MS));
    assertFalse(tip(view, 3 * MS).contains("processor"), tip(view, 3 * MS));
  }

  @Test
  void itIsSaidWhereTheTraceDoesNotTell() throws Exception {
    TimelineView view = open(waiter(false));
    assertTrue(tip(view, 50 * MS).contains("it has no CPU clock"), tip(view, 50 * MS));
    assertFalse(tip(view, 3 * MS).contains("CPU clock"), tip(view, 3 * MS));
  }
}
