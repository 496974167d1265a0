package org.parallax.launch.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.eclipse.jface.action.Action;
import org.jfree.chart.entity.ChartEntity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.table.Row;
import org.parallax.launch.Launching;
import org.parallax.launch.LaunchViews;
import org.parallax.launch.tuning.SimulatedTuning;
import org.parallax.launch.tuning.TuningSessions;
import org.parallax.testing.QuietMachine;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;

/** The view of live tuning, with simulated sessions. */
class LiveTuningViewTest {
  private static final int ACTIONS = 0;
  private static final int CONDITIONS = 1;
  private static final int METRICS = 2;
  private static final int PROCESSES = 3;
  private static final int DECISIONS = 4;
  private static final long STALL_MS = 100;

  @TempDir Path directory;
  private LiveTuningView view;

  @BeforeEach
  void show() throws Exception {
    Launching.reset();
    TuningSessions.get().removeEnded();
    view = (LiveTuningView) Workbench.page().showView(LaunchViews.TUNING);
  }

  @AfterEach
  void hide() {
    Workbench.page().hideView(view);
    Workbench.settle();
  }

  private Action action(String text) {
    return view.actions().stream().filter(each -> each.getText().replace("&", "").equals(text)).findFirst().orElseThrow();
  }

  private void press(String text) {
    Action action = action(text);
    assertTrue(action.isEnabled(), text);
    if (action.getStyle() == Action.AS_CHECK_BOX) {
      action.setChecked(!action.isChecked());
    }
    action.run();
  }

  private Object value(int page, String column) {
    ResultTable table = view.pages().table(page);
    Workbench.await("a row", () -> !table.rows().isEmpty() && table.table() != null);
    Row row = table.rows().get(0);
    return row.values().get(table.table().column(column));
  }

  private void await(String what, BooleanSupplier condition) {
    Workbench.await(what, condition);
  }

  private boolean draws(String tip) {
    if (view.pages().chart().info() != null) {
      for (Object each : view.pages().chart().info().getEntityCollection().getEntities()) {
        if (each instanceof ChartEntity entity && entity.getToolTipText() != null && entity.getToolTipText().startsWith(tip)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void aSessionIsSeenAndSteered() throws Exception {
    assertTrue(view.message().startsWith("No program is tuned."), view.message());
    try (SimulatedTuning tuning = new SimulatedTuning("master", 1, 5, null)) {
      await("advice", () -> view.message() == null && !view.pages().table(ACTIONS).rows().isEmpty());
      assertEquals("advised", value(ACTIONS, "state"));
      assertTrue(view.summary().startsWith("advise, "), view.summary());
      assertFalse(action("Undo Action").isEnabled());
      view.pages().select(CONDITIONS);
      assertEquals("yes", value(CONDITIONS, "holds"));
      assertTrue(value(CONDITIONS, "values").toString().startsWith("best = 100,000, now = 4,096"));
      view.pages().select(METRICS);
      // The present rate is 0 while the tuner rests. On a busy machine it rests before this is looked at.
      await("metrics", () -> (Long) value(METRICS, "mean") == 100_000);
      await("a chart", () -> draws("visits/s: 300 ") && draws("bytes/s: "));
      view.pages().select(PROCESSES);
      assertEquals("task t40002", value(PROCESSES, "part"));
      press("Act");
      view.pages().select(ACTIONS);
      await("an action that helps", () -> value(ACTIONS, "state").equals("kept"));
      assertEquals(100_000, tuning.fragment());
      assertTrue(action("Act").isChecked());
      assertTrue(value(ACTIONS, "gain").toString().startsWith("40.0 %"), value(ACTIONS, "gain").toString());
      view.pages().selectRow(view.pages().table(ACTIONS).rows().get(0));
      assertTrue(view.pages().details().startsWith("pvm_setopt(10, 100000)\nmessages of 100,000 bytes"), view.pages().details());
      assertTrue(view.pages().details().contains("kept: elapsed() / count(sent) is 40.0 %"), view.pages().details());
      press("Undo Action");
      await("the old setting", () -> value(ACTIONS, "state").equals("undone") && tuning.fragment() == 4096);
      view.pages().select(DECISIONS);
      // The tuner may rest after it.
      await("the decision", () -> {
        ResultTable table = view.pages().table(DECISIONS);
        return table.rows().stream().limit(2).anyMatch(row -> row.values().get(table.table().column("decision")).equals("undo"));
      });
      press("Pause");
      await("a pause", () -> view.summary().startsWith("paused, ") && !tuning.isMeasured());
      press("Pause");
      await("its end", () -> view.summary().startsWith("act, ") && tuning.isMeasured());
      press("Stop Tuning");
      await("the stop", () -> view.summary().startsWith("stopped, ") && !tuning.isMeasured());
      assertFalse(action("Act").isEnabled());
      assertFalse(action("Pause").isEnabled());
    }
    await("the end", () -> view.summary().startsWith("ended, ") && action("Remove Ended").isEnabled());
    Workbench.page().hideView(view);
    assertEquals(List.of(), TuningSessions.get().all());
  }

  @Test
  void aRecordedSessionIsOpened() throws Exception {
    Path recorded = directory.resolve("session");
    try (SimulatedTuning tuning = new SimulatedTuning("master", 2, 2, recorded)) {
      await("advice", () -> tuning.session().state().actions().size() == 2);
    }
    TuningSessions.get().removeEnded();
    await("nothing", () -> view.message() != null);
    view.open(recorded);
    await("the session", () -> view.message() == null && view.pages().table(ACTIONS).rows().size() == 2);
    assertEquals("advised", value(ACTIONS, "state"));
    assertTrue(view.summary().startsWith("ended, "), view.summary());
    assertEquals(List.of(), view.told());
    assertFalse(action("Act").isEnabled());
    press("Remove Ended");
    await("nothing", () -> view.message() != null);
  }

  /** Two hundred tasks tell their metrics every 20 ms. */
  @Test
  void lookingOnNeverKeepsTheUiThread() throws Exception {
    try (SimulatedTuning tuning = new SimulatedTuning("master", 200, 20, null)) {
      view.pages().select(CONDITIONS);
      await("conditions", () -> view.pages().table(CONDITIONS).rows().size() == 200);
      QuietMachine.measure(attempt -> {
        UiWatch watch = new UiWatch();
        long end = System.currentTimeMillis() + 1_000;
        watch.run(() -> System.currentTimeMillis() > end);
        watch.assertNoStall(STALL_MS);
      });
      assertNull(view.message());
    }
  }
}
