package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.Test;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;

/** The time cursor of the timeline: how it is moved, and what is found from it. */
class TimelineCursorTest extends TimelineFixture {
  private static Long cursor() {
    return OpenSession.current().state().selection().cursorNs();
  }

  @Test
  void clickMovesTheCursorOfAllViewsAndEscapeClearsIt() throws Exception {
    TimelineView view = open(relay());
    mouse(view, SWT.MouseDown, x(view, 90 * MS), y(view, 1), 0, 1);
    mouse(view, SWT.MouseUp, x(view, 90 * MS), y(view, 1), SWT.BUTTON1, 1);
    awaitPicture(view);
    assertEquals(90 * MS, cursor(), 100.0 * MS / view.control().drawn().layout().plot().width);
    assertEquals(cursor(), view.control().cursorNs());
    OpenSession.current().setCursor(30 * MS);
    assertEquals(30 * MS, view.control().cursorNs());
    drag(view, 20 * MS, 60 * MS, 0);
    key(view, SWT.ESC, SWT.ESC, 0);
    assertNull(cursor());
    assertNull(OpenSession.current().state().selection().phase());
    // A moment that is out of sight comes into sight.
    drag(view, 10 * MS, 20 * MS, SWT.SHIFT);
    OpenSession.current().setCursor(80 * MS);
    assertEquals(80 * MS, (window(view).beginNs() + window(view).endNs()) / 2.0, 2);
  }

  @Test
  void keysFindStatesWaitsAndMessagesOfTheCurrentThread() throws Exception {
    TimelineView view = open(token(6));
    // Rank 0 has the token from 0 to 10, from 20 to 30 and from 40 to 50 ms.
    OpenSession.current().setCursor(0L);
    key(view, 'm', 'm', 0);
    assertEquals(8 * MS, cursor(), "it sends");
    key(view, 'm', 'm', 0);
    assertEquals(20 * MS, cursor(), "it receives");
    key(view, 'M', 'M', SWT.SHIFT);
    assertEquals(8 * MS, cursor());
    key(view, 'w', 'w', 0);
    long wait = cursor();
    assertTrue(wait > 8 * MS && wait < 20 * MS, "it waits for rank 1 from " + wait);
    key(view, 'w', 'w', 0);
    assertTrue(cursor() > 28 * MS && cursor() < 40 * MS, "and again from " + cursor());
    key(view, 'W', 'W', SWT.SHIFT);
    assertEquals(wait, cursor());
    // The state that was clicked at is looked for.
    mouse(view, SWT.MouseDown, x(view, 5 * MS), y(view, 0), 0, 1);
    mouse(view, SWT.MouseUp, x(view, 5 * MS), y(view, 0), SWT.BUTTON1, 1);
    awaitPicture(view);
    for (long next : new long[] {9, 20, 29, 40}) {
      key(view, 'n', 'n', 0);
      assertEquals(next * MS, cursor(), "work");
    }
    // After the last message no sample tells what it does.
    key(view, 'n', 'n', 0);
    assertEquals(40 * MS, cursor());
    assertTrue(view.control().status().contains("has no later work"), view.control().status());
    key(view, 'N', 'N', SWT.SHIFT);
    assertEquals(29 * MS, cursor());
  }

  /** A search begins before all was read: it reads what it needs, and says so. */
  @Test
  void whatIsNotReadYetIsFound() throws Exception {
    JobChangeAdapter stops = new JobChangeAdapter() {
      @Override
      public void scheduled(IJobChangeEvent event) {
        if (event.getJob() instanceof ReadTimelineJob) {
          event.getJob().cancel();
        }
      }
    };
    Job.getJobManager().addJobChangeListener(stops);
    try {
      TimelineView view = view();
      ChartDriver.open(token(6));
      Workbench.await("a picture", () -> view.control().drawn() != null);
      assertFalse(view.control().scene().timeline().hasInterplay());
      OpenSession.current().setCursor(1L);
      Event event = new Event();
      event.keyCode = 'w';
      event.character = 'w';
      view.control().canvas().notifyListeners(SWT.KeyDown, event);
      assertTrue(view.control().status().contains("Still reading the trace to find the wait of "),
          view.control().status());
      Workbench.await("the wait", () -> cursor() > 1);
      assertTrue(cursor() > 8 * MS && cursor() < 20 * MS, "it waits from " + cursor());
      assertFalse(view.control().status().contains("Still"), view.control().status());
    } finally {
      Job.getJobManager().removeJobChangeListener(stops);
    }
  }

  @Test
  void aPinnedViewGoesToWhatItFindsByItself() throws Exception {
    TimelineView view = open(token(6));
    OpenSession.current().setCursor(0L);
    view.pin().setChecked(true);
    view.pin().run();
    try {
      key(view, 'm', 'm', 0);
      assertEquals(8 * MS, view.control().cursorNs());
      key(view, 'm', 'm', 0);
      assertEquals(20 * MS, view.control().cursorNs());
      ChartDriver.answer("Go to Time", "30ms");
      key(view, 'g', 'g', 0);
      assertEquals(30 * MS, view.control().cursorNs());
      assertEquals(0, cursor(), "others stay where they are");
    } finally {
      view.pin().setChecked(false);
      view.pin().run();
    }
  }

  @Test
  void timesAndBookmarksAreGoneTo() throws Exception {
    Path trace = relay();
    TimelineView view = open(trace);
    ChartDriver.answer("Go to Time", "30ms");
    key(view, 'g', 'g', 0);
    assertEquals(30 * MS, cursor());
    key(view, 'b', 'b', 0);
    ChartDriver.answer("Go to Time", "75%");
    key(view, 'g', 'g', 0);
    assertEquals(75 * MS, cursor());
    key(view, 'b', 'b', 0);
    key(view, ',', ',', 0);
    assertEquals(30 * MS, cursor());
    key(view, '.', '.', 0);
    assertEquals(75 * MS, cursor());
    // They are kept with the trace.
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.await("no trace", () -> !OpenSession.current().state().isOpen());
    open(trace);
    key(view, '.', '.', 0);
    assertEquals(30 * MS, cursor());
    key(view, 'b', 'b', 0);
    key(view, '.', '.', 0);
    key(view, ',', ',', 0);
    assertEquals(75 * MS, cursor(), "the one before was removed");
  }
}
