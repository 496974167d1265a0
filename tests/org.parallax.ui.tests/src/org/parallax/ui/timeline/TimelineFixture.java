package org.parallax.ui.timeline;

import java.awt.Rectangle;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** Traces whose picture can be told from the code, and a person at the timeline. */
abstract class TimelineFixture {
  static final long MS = 1_000_000;

  @TempDir Path directory;

  @BeforeEach
  void emptyWorkbench() throws Exception {
    Workbench.reset();
  }

  static TimelineView view() throws Exception {
    TimelineView view = (TimelineView) Workbench.page().showView(
        Ids.TIMELINE_VIEW, null, IWorkbenchPage.VIEW_ACTIVATE);
    Workbench.handleEvents();
    return view;
  }

  /**
   * Two ranks. Rank 0 solves for 60 ms and sends, rank 1 prepares for 20 ms and waits for the message
   * until it comes at 70; then it uses it until 100.
   */
  final Path relay() {
    TraceBuilder trace =
        new TraceBuilder(directory.resolve("relay")).property("command", "mpirun -n 2 ./relay");
    TracedProcess first = trace.process("node1", "/opt/relay").mpi(7, 0, 2);
    TracedThread sender = first.thread(0);
    sender.threadBegin(0, -1);
    for (int ms = 10; ms <= 60; ms += 10) {
      sender.sample(ms * MS, "main/solve");
    }
    sender.send(60 * MS, 65 * MS, "main/MPI_Send", 1, 1, 5, 4096).threadEnd(66 * MS);
    first.exit(66 * MS, 0);
    TracedProcess second = trace.process("node1", "/opt/relay").mpi(7, 1, 2);
    TracedThread receiver = second.thread(0);
    receiver.threadBegin(0, -1).sample(10 * MS, "main/prepare").sample(20 * MS, "main/prepare")
        .receive(20 * MS, 70 * MS, "main/MPI_Recv", 1, 0, 5, 4096);
    for (int ms = 80; ms <= 100; ms += 10) {
      receiver.sample(ms * MS, "main/use");
    }
    receiver.threadEnd(100 * MS);
    second.exit(100 * MS, 0);
    return trace.write();
  }

  /** Two ranks that pass a token to each other: each works for 10 ms when it has it. */
  final Path token(int passes) {
    TraceBuilder trace = new TraceBuilder(directory.resolve("token"));
    TracedThread[] threads = new TracedThread[2];
    for (int rank = 0; rank < 2; rank++) {
      threads[rank] = trace.process("node1", "/opt/token").mpi(7, rank, 2).thread(0);
      threads[rank].threadBegin(0, -1);
    }
    for (int i = 0; i < passes; i++) {
      long now = 10L * i * MS;
      threads[i % 2].sample(now + 5 * MS, "main/work")
          .send(now + 8 * MS, now + 9 * MS, "main/MPI_Send", 1, 1 - i % 2, 5, 8);
      threads[1 - i % 2].receive(i == 0 ? 10 : now - MS / 2, now + 10 * MS, "main/MPI_Recv", 1,
          i % 2, 5, 8);
    }
    for (int rank = 0; rank < 2; rank++) {
      threads[rank].threadEnd(10L * passes * MS + MS);
      trace.process(rank).exit(10L * passes * MS + MS, 0);
    }
    return trace.write();
  }

  static TimelineView open(Path trace) throws Exception {
    TimelineView view = view();
    TraceOpening.open(Workbench.window(), List.of(trace));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    view();
    awaitPicture(view);
    return view;
  }

  /** Waits for the picture of what is known and in sight at last. */
  static void awaitPicture(TimelineView view) {
    Workbench.settle();
    Workbench.await("a picture", () -> view.control().drawn() != null
        && view.control().drawn().scene() == view.control().scene()
        && view.control().drawn().states().quality() == StateColumns.Quality.EXACT);
    Workbench.settle();
  }

  static String state(TimelineView view, int thread, long timeNs) {
    TimelineDrawing drawn = view.control().drawn();
    int column = (int) drawn.scene().window().place(timeNs, drawn.states().columns());
    int state = drawn.state(thread, column);
    return state == StateColumns.NONE ? "" : drawn.scene().timeline().name(state);
  }

  static int x(TimelineView view, long timeNs) {
    Rectangle plot = view.control().drawn().layout().plot();
    return plot.x + (int) Math.round(
        view.control().scene().window().place(timeNs, plot.width));
  }

  static int y(TimelineView view, int row) {
    TimelineLayout layout = view.control().drawn().layout();
    return layout.middle(row, view.control().scene().scroll());
  }

  static void key(TimelineView view, int code, char character, int mask) {
    Event event = new Event();
    event.keyCode = code;
    event.character = character;
    event.stateMask = mask;
    view.control().canvas().notifyListeners(SWT.KeyDown, event);
    awaitPicture(view);
  }

  static void mouse(TimelineView view, int type, int x, int y, int mask, int count) {
    Event event = new Event();
    event.x = x;
    event.y = y;
    event.button = type == SWT.MouseVerticalWheel ? 0 : 1;
    event.stateMask = mask;
    event.count = count;
    view.control().canvas().notifyListeners(type, event);
  }

  static void drag(TimelineView view, long fromNs, long toNs, int mask) {
    int from = x(view, fromNs);
    int to = x(view, toNs);
    int y = y(view, 0);
    mouse(view, SWT.MouseDown, from, y, mask, 1);
    mouse(view, SWT.MouseMove, (from + to) / 2, y, mask | SWT.BUTTON1, 0);
    mouse(view, SWT.MouseMove, to, y, mask | SWT.BUTTON1, 0);
    mouse(view, SWT.MouseUp, to, y, mask | SWT.BUTTON1, 1);
    awaitPicture(view);
  }

  static TimeWindow window(TimelineView view) {
    return view.control().scene().window();
  }
}
