package org.parallax.ui.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Table;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/** One moment and one part of the time are selected for all views, and only for the trace that they are of. */
class SharedTimeTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  @BeforeEach
  void open() throws Exception {
    Workbench.reset();
    OpenSession.current().state().phases().forEach(OpenSession.current()::removePhase);
    ChartDriver.open(trace("one"));
  }

  /** Another run of the program, a minute later. */
  private Path later() {
    TraceBuilder trace = new TraceBuilder(directory.resolve("two"))
        .property("command", "mpirun -n 4 ./ring");
    trace.process("node1", "/opt/ring").realtimeShift(60_000 * MS).mpi(7, 0, 1).thread(0)
        .threadBegin(0, -1).sample(100 * MS, "main/solve").threadEnd(200 * MS);
    trace.process(0).exit(200 * MS, 0);
    return trace.write();
  }

  private Path trace(String name) throws Exception {
    return SampleTraces.unbalanced(Files.createDirectory(directory.resolve(name)), 5);
  }

  private static Selection selection() {
    return OpenSession.current().state().selection();
  }

  private static ReportView events() throws Exception {
    ReportView view = Views.show(Ids.EVENTS_VIEW);
    Workbench.settle();
    return view;
  }

  private static long selectedTime(ReportView events) {
    Object event = events.table().selection().get(0).subject();
    return ((org.parallax.analysis.events.EventsReport.Event) event).timeNs();
  }

  @Test
  void theTraceBrowserFollowsTheCursorAndMovesIt() throws Exception {
    ReportView events = events();
    OpenSession.current().setCursor(123 * MS);
    Workbench.settle();
    assertEquals(123 * MS, selectedTime(events), 2 * MS);
    // A row moves it, and the page stays.
    Table page = events.table().table();
    events.table().widget().setSelection(2);
    events.table().widget().notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
    assertEquals(selectedTime(events), selection().cursorNs());
    assertEquals(page.rows().size(), events.table().table().rows().size());
    assertTrue(page == events.table().table(), "it is not read again");
    Event escape = new Event();
    escape.keyCode = SWT.ESC;
    escape.doit = true;
    events.table().widget().notifyListeners(SWT.KeyDown, escape);
    assertNull(selection().cursorNs());
  }

  @Test
  void aRangeWithoutANameLimitsTablesUntilItIsCleared() throws Exception {
    ReportView profile = Views.show(Ids.PROFILE_VIEW);
    Workbench.settle();
    long all = profile.result().total();
    NewPhase.select(new Window(41 * MS, 82 * MS));
    Workbench.settle();
    assertEquals(all / 5, profile.result().total());
    assertEquals(List.of(), OpenSession.current().state().phases());
    OpenSession.current().setCursor(50 * MS);
    OpenSession.current().clearTime();
    Workbench.settle();
    assertEquals(all, profile.result().total());
    assertNull(selection().cursorNs());
  }

  /** They were drawn on others at the same moment. */
  @Test
  void phasesAndTheCursorAreOfTheirTrace() throws Exception {
    Phase phase = new Phase("begin", new Window(0, 41 * MS));
    OpenSession.current().definePhase(phase);
    OpenSession.current().setPhase(phase);
    OpenSession.current().setCursor(10 * MS);
    OpenSession.current().open(List.of(later()));
    Workbench.await("the other trace", () -> OpenSession.current().state().traces().size() == 2);
    Workbench.settle();
    assertEquals(List.of(), OpenSession.current().state().phases());
    assertNull(selection().phase());
    assertNull(selection().cursorNs());
    ChartDriver.select("one");
    assertEquals(List.of(phase), OpenSession.current().state().phases());
    OpenSession.current().setPhase(phase);
    OpenSession.current().setCursor(10 * MS);
    ChartDriver.select("two");
    assertNull(selection().phase(), "it is of the other time");
    assertNull(selection().cursorNs());
  }

  @Test
  void theNextRunOfAProgramTakesPhasesOverOnceItsTraceIsClosed() throws Exception {
    Phase phase = new Phase("begin", new Window(0, 41 * MS));
    OpenSession.current().definePhase(phase);
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.await("no trace", () -> !OpenSession.current().state().isOpen());
    OpenSession.current().open(List.of(SampleTraces.threads(
        Files.createDirectory(directory.resolve("other")))));
    Workbench.await("another program", () -> OpenSession.current().state().isOpen());
    assertFalse(OpenSession.current().state().phases().contains(phase));
    OpenSession.current().open(List.of(trace("next")));
    Workbench.await("the next run", () -> OpenSession.current().state().traces().size() == 2);
    Workbench.settle();
    assertNotNull(selection().scope());
    assertEquals(List.of(phase), OpenSession.current().state().phases());
  }
}
