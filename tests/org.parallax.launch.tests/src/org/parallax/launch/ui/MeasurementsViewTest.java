package org.parallax.launch.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.jface.action.Action;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IViewPart;
import org.jfree.chart.entity.ChartEntity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Row;
import org.parallax.launch.Launching;
import org.parallax.launch.LaunchingPreferences;
import org.parallax.launch.Measurement;
import org.parallax.launch.Measurements;
import org.parallax.launch.LaunchViews;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;

/** The view of what is recorded, with real programs. */
class MeasurementsViewTest {
  private static final long STALL_MS = 100;
  private IProject project;
  private IFile heat;

  @BeforeEach
  void makePrograms() throws Exception {
    Launching.reset();
    project = Workbench.project("programs");
    heat = Launching.program(project, "heat.openmpi");
  }

  @AfterEach
  void forget() {
    LaunchingPreferences.store().setToDefault(LaunchingPreferences.SHOW);
  }

  private static MeasurementsView shown() {
    return (MeasurementsView) Workbench.page().findView(LaunchViews.MEASUREMENTS);
  }

  private static Object value(MeasurementsView view, int row, String column) {
    // Columns and rows can come some events after the table.
    Workbench.await("row " + row, () -> view.table().rows().size() > row);
    Row found = view.table().rows().get(row);
    return found.values().get(view.table().table().column(column));
  }

  private static Action action(MeasurementsView view, String text) {
    return view.actions().stream().filter(each -> each.getText().replace("&", "").equals(text))
        .findFirst().orElseThrow();
  }

  private static void pause(MeasurementsView view, boolean pauses) {
    Action action = action(view, "Pause Recording");
    assertTrue(action.isEnabled());
    assertEquals(!pauses, action.isChecked());
    action.setChecked(pauses);
    action.run();
  }

  private static boolean draws(MeasurementsView view, String tip) {
    if (view.chart().info() != null) {
      for (Object each : view.chart().info().getEntityCollection().getEntities()) {
        if (each instanceof ChartEntity entity && entity.getToolTipText() != null
            && entity.getToolTipText().startsWith(tip)) {
          return true;
        }
      }
    }
    return false;
  }

  private ILaunch launchLong(Map<String, String> attributes) throws Exception {
    return Launching.launch(Launching.configuration("heat", attributes,
        Launching.heat(heat, "1000000 256 256")));
  }

  @Test
  void whatArrivesIsSeenComingAndStopsWhenAPersonSaysSo() throws Exception {
    assertTrue(shown().message().startsWith("No measurement is running."), shown().message());
    // Its tab gives place to another one, until a launch begins.
    IViewPart other = Workbench.page().showView(Ids.COMPARISON_VIEW);
    assertFalse(Workbench.page().isPartVisible(shown()));
    ILaunch launch = launchLong(Map.of(LaunchAttributes.CONTROL, "running"));
    MeasurementsView view = shown();
    Workbench.await("the view", () -> Workbench.page().isPartVisible(view));
    assertFalse(Workbench.page().isPartVisible(other));
    Workbench.await("events of 4 processes", () -> view.message() == null
        && value(view, 0, "processes").equals(4L) && (Long) value(view, 0, "events") > 1000);
    assertEquals("heat-1", view.table().rows().get(0).name());
    assertEquals("running", value(view, 0, "state"));
    long before = (Long) value(view, 0, "events");
    long bytesBefore = (Long) value(view, 0, "bytes");
    Workbench.await("more events", () -> (Long) value(view, 0, "events") > before + 1000
        && (Long) value(view, 0, "bytes") > bytesBefore
        && (Long) value(view, 0, "eventRate") > 0 && (Long) value(view, 0, "byteRate") > 0
        && (Long) value(view, 0, "elapsed") > 2_000_000_000L);
    Workbench.await("a chart", () -> draws(view, "events/s: ") && draws(view, "bytes/s: "));
    assertFalse(action(view, "Open Trace").isEnabled());
    assertFalse(action(view, "Remove Ended").isEnabled());
    assertEquals(1, view.table().selection().size());
    pause(view, true);
    Workbench.await("a pause", () -> value(view, 0, "state").equals("recording paused"));
    pause(view, false);
    Workbench.await("its end", () -> value(view, 0, "state").equals("running"));
    action(view, "Stop").run();
    Launching.awaitEnd(launch);
    Workbench.await("the end in the table", () -> value(view, 0, "state").equals("stopped"));
    assertEquals("", value(view, 0, "eventRate"));
    assertFalse(action(view, "Stop").isEnabled());
  }

  @Test
  void lookingOnNeverKeepsTheUiThread() throws Exception {
    ILaunch launch = Launching.launch(Launching.configuration("heat", Map.of(),
        Launching.heat(heat, "1000000 256 256").with(Field.PROCESSES, "1")));
    Workbench.await("events", () -> shown().message() == null
        && (Long) value(shown(), 0, "events") > 1000);
    QuietMachine.measure(attempt -> {
      UiWatch watch = new UiWatch();
      long end = System.currentTimeMillis() + 3_000;
      watch.run(() -> System.currentTimeMillis() > end);
      watch.assertNoStall(STALL_MS);
    });
    launch.terminate();
    Launching.awaitEnd(launch);
  }

  @Test
  void aTraceIsOpenedFromItsRowOrToldToBeGone() throws Exception {
    ILaunch launch = Launching.launch(Launching.configuration("heat", Map.of(),
        Launching.heat(heat, "50 64 64")));
    Launching.awaitEnd(launch);
    MeasurementsView view = shown();
    Workbench.await("the end in the table", () -> value(view, 0, "state").equals("done"));
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
    Workbench.doubleClick(view.table().widget(), view.table().widget().getItem(0));
    Workbench.settle();
    Path trace = project.getLocation().toPath().resolve("traces/heat-1");
    assertEquals(List.of(trace),
        OpenSession.current().state().traces().stream().map(Trace::directory).toList());
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    delete(trace);
    action(view, "Open Trace").run();
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
    assertEquals(List.of("The trace of this measurement no longer exists: " + trace
        + ". It was deleted or moved. Remove the row, or launch the program again."), view.told());
    // What it was is still told.
    assertEquals(4L, value(view, 0, "processes"));
    action(view, "Remove Ended").run();
    Workbench.await("nothing", () -> view.message() != null);
    assertEquals(List.of(), Measurements.get().all());
  }

  @Test
  void aTraceThatIsDeletedWhileItIsMadeIsNoFault() throws Exception {
    ILaunch launch = launchLong(Map.of());
    MeasurementsView view = shown();
    Workbench.await("events", () -> view.message() == null
        && (Long) value(view, 0, "events") > 1000);
    delete(project.getLocation().toPath().resolve("traces/heat-1"));
    long seen = Measurements.get().all().get(0).counts().events();
    Workbench.await("another look", () -> Measurements.get().all().get(0).elapsedNs()
        > (Long) value(view, 0, "elapsed") + 1);
    assertTrue(Measurements.get().all().get(0).counts().events() >= seen);
    launch.terminate();
    Workbench.await("the end", () -> Measurements.get().all().get(0).hasEnded());
    Launching.awaitEnd(launch);
  }

  @Test
  void severalAreRowsAndTheSelectionStays() throws Exception {
    LaunchingPreferences.store().setValue(LaunchingPreferences.SHOW, false);
    IViewPart other = Workbench.page().showView(Ids.COMPARISON_VIEW);
    ILaunch first = launchLong(Map.of(LaunchAttributes.REPETITIONS, "3"));
    MeasurementsView view = shown();
    Workbench.await("a row", () -> view.message() == null
        && value(view, 0, "state").equals("running, 1 of 3"));
    assertTrue(Workbench.page().isPartVisible(other));
    ILaunch second = Launching.launch(Launching.configuration("queue", Map.of(),
        ApplicationSettings.EMPTY.with(Field.PROGRAM,
            Launching.program(project, "mutex_queue").getLocation().toOSString())));
    Workbench.await("two rows", () -> view.table().rows().size() == 2);
    assertEquals("queue-1", view.table().selection().get(0).name());
    view.table().widget().setSelection(1);
    view.table().widget().notifyListeners(SWT.Selection, new Event());
    Workbench.await("the end", () -> value(view, 0, "state").equals("done"));
    Measurement chosen = (Measurement) view.table().selection().get(0).subject();
    assertEquals("heat-1", chosen.name());
    first.terminate();
    Launching.awaitEnd(first);
    Workbench.await("the end", () -> value(view, 1, "state").equals("stopped"));
    assertNotNull(view.chart().info());
    assertNull(view.message());
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
