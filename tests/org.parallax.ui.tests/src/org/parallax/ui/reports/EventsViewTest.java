package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Text;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.Phase;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Row;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.Views;

/** The events view: pages, filters, times, and the way to the other end of a message. */
class EventsViewTest extends TableViewsFixture {
  private static void press(Button button) {
    Workbench.press(button);
    Workbench.settle();
  }

  private static void enter(Text field, String text) {
    field.setText(text);
    field.notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
  }

  @Test
  void eventsByPagesFiltersAndTimes() throws Exception {
    Path path = ring();
    EventsView view = shown(Ids.EVENTS_VIEW);
    view.countField().setSelection(25);
    view.countField().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
    List<Object> all = new ArrayList<>();
    List<Object> expected = core(path, analysis -> EventsReport.of(analysis, null,
        new EventsReport.Wanted(Long.MIN_VALUE / 2, 100_000, Set.of(), null), Progress.NONE))
        .rows().stream().map(Row::values).map(Object.class::cast).toList();
    assertTrue(expected.size() > 100, "events: " + expected.size());
    for (int pages = 0; view.result().rows().size() > 0 && pages < 100; pages++) {
      assertTrue(view.result().rows().size() <= 25);
      view.table().rows().forEach(row -> all.add(row.values()));
      press(view.nextButton());
    }
    assertEquals(expected, all);
    assertEquals(List.of(Messages.eventsNoneAfter), view.warnings());
    press(view.lastButton());
    assertEquals(expected.subList(expected.size() - 25, expected.size()),
        view.table().rows().stream().map(Row::values).toList());
    press(view.previousButton());
    assertEquals(expected.subList(expected.size() - 50, expected.size() - 25),
        view.table().rows().stream().map(Row::values).toList());
    press(view.firstButton());
    assertEquals(expected.subList(0, 25),
        view.table().rows().stream().map(Row::values).toList());
    enter(view.atField(), "20ms");
    assertShows(core(path, analysis -> EventsReport.of(analysis, null,
        new EventsReport.Wanted(20_000_000, 25, Set.of(), null), Progress.NONE)), view);
    assertEquals("0", view.table().selection().get(0).name());
    assertEquals("0.021000000", Views.cells(view).get(12).get(1), "to the nanosecond");
    view.setKinds(Set.of(Kind.SEND));
    Workbench.settle();
    assertEquals(Set.of("Send"), Set.copyOf(
        view.table().rows().stream().map(row -> row.values().get(2)).toList()));
    enter(view.textField(), "circle\\[2\\]");
    assertShows(core(path, analysis -> EventsReport.of(analysis, null, new EventsReport.Wanted(
        20_000_000, 25, Set.of(Kind.SEND), Pattern.compile("circle\\[2\\]")), Progress.NONE)), view);
    enter(view.textField(), "(");
    assertTrue(view.textField().getToolTipText().startsWith("Not a regular expression"));
    enter(view.textField(), "");
    enter(view.atField(), "tomorrow");
    assertTrue(view.warnings().get(0).contains("is not a time"), view.warnings().toString());
    enter(view.atField(), "900s");
    assertTrue(view.warnings().get(0).contains("outside of the run"));
    view.setKinds(Set.of());
    enter(view.atField(), "");
    assertEquals(List.of(), view.warnings());
    Phase late = new Phase("late", new Window(30_000_000, 40_000_000));
    OpenSession.current().setPhase(late);
    Workbench.settle();
    assertTrue((Long) view.table().rows().get(0).values().get(0) >= 30_000_000);
  }

  @Test
  void anEventSelectsItsProcedure() throws Exception {
    ring();
    EventsView view = shown(Ids.EVENTS_VIEW);
    int kind = view.table().table().column("kind");
    Row sample = view.table().rows().stream()
        .filter(row -> row.values().get(kind).equals("Sample")).findFirst().orElseThrow();
    view.table().select(sample);
    view.table().widget().notifyListeners(SWT.Selection, new Event());
    assertEquals("compute", OpenSession.current().state().selection().procedure().getName());
  }

  @Test
  void doubleClickGoesToTheOtherEndOfAMessage() throws Exception {
    ring();
    EventsView view = shown(Ids.EVENTS_VIEW);
    view.countField().setSelection(5);
    view.setKinds(Set.of(Kind.SEND, Kind.RECEIVE));
    Workbench.settle();
    Row send = view.table().rows().stream()
        .filter(row -> row.values().get(2).equals("Send")).findFirst().orElseThrow();
    view.table().select(send);
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    awaitKind(view, "Receive");
    Row receive = view.table().selection().get(0);
    assertEquals("Receive", receive.values().get(2));
    assertEquals(send.values().get(5), receive.values().get(5), "bytes");
    assertTrue(((String) send.values().get(4)).contains(process(receive)),
        send.values() + " is received by " + receive.values());
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    awaitKind(view, "Send");
    assertEquals(send.values(), view.table().selection().get(0).values());
    // The other end can be where filters do not let it be seen.
    view.setKinds(Set.of(Kind.SEND));
    Workbench.settle();
    view.table().widget().setSelection(0);
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.await("what is hidden", () -> !view.warnings().isEmpty());
    assertTrue(view.warnings().get(0).contains("a filter hides it"),
        view.warnings().toString());
  }

  private static void awaitKind(EventsView view, String kind) {
    Workbench.await("the other end", () -> view.table().selection().size() == 1
        && view.table().selection().get(0).values().get(2).equals(kind));
    Workbench.settle();
  }

  private static String process(Row row) {
    return (String) row.values().get(1);
  }
}
