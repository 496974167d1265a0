package org.parallax.tuning.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Table;
import org.parallax.tuning.analyzer.Analyzer;
import org.parallax.tuning.analyzer.SimulatedProgram;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.TuningModel;

class LiveViewTest {
  private static final long INTERVAL_NS = 200_000_000;

  private final LiveView live = new LiveView(true, INTERVAL_NS, List.of("./is"));

  private static Object value(Table table, int row, String column) {
    return table.rows().get(row).values().get(table.column(column));
  }

  /** A task sends 100 messages of 1,000 bytes in a second. */
  @Test
  void metricsBecomeRates() {
    live.in(Map.of("type", "process", "event", "started", "host", "h", "pid", 1, "program", "/x/is", "rank", 3, "time", 0));
    live.out(Map.of("type", "points", "points",
        List.of(Map.of("name", "sent", "routines", List.of("MPI_Send"), "key", "none", "processes", "all"))));
    for (long i = 1; i <= 50; i++) {
      live.in(Map.of("type", "metrics", "host", "h", "pid", 1, "time", i * INTERVAL_NS, "points",
          List.of(Map.of("point", "sent", "key", "none", "count", 20, "bytes", 20_000, "bytes2", 2e7, "ns", 1_000_000))));
    }
    Table points = LiveTables.points(live.state());
    assertEquals(100L, value(points, 0, "visitRate"));
    assertEquals(100_000L, value(points, 0, "byteRate"));
    assertEquals(1000L, value(points, 0, "mean"));
    assertEquals(50_000L, value(points, 0, "meanTime"));
    assertEquals("on, all processes", value(points, 0, "state"));
    PointState point = live.state().points().get(0);
    assertEquals(20, point.rates().size());
    assertEquals(1000, point.rates().stream().mapToDouble(rate -> rate.visits() * (rate.toNs() - rate.fromNs()) / 1e9).sum(),
        1e-6);
    // What is silent has no rate, and long sessions keep the last minutes.
    live.in(Map.of("type", "tick", "time", 60_000_000_000L));
    assertEquals(0L, value(LiveTables.points(live.state()), 0, "visitRate"));
    live.in(Map.of("type", "tick", "time", 3_600_000_000_000L));
    assertEquals(240, live.state().points().get(0).rates().size());
    assertEquals(1000L, value(LiveTables.points(live.state()), 0, "visits"));
    live.out(Map.of("type", "points", "points", List.of()));
    assertEquals("off", value(LiveTables.points(live.state()), 0, "state"));
  }

  @Test
  void processesComeAndGo() {
    live.in(Map.of("type", "host", "event", "added", "host", "h", "arch", "LINUX64"));
    live.in(Map.of("type", "process", "event", "started", "host", "h", "pid", 1, "program", "/x/is", "time", 0));
    live.in(Map.of("type", "tunables", "host", "h", "pid", 1, "variables", List.of(Map.of("name", "unit", "value", 8))));
    live.in(Map.of("type", "process", "event", "changed", "host", "h", "pid", 1, "program", "/x/is", "rank", 2, "library",
        "Open MPI 4.1.4", "time", 1));
    Table table = LiveTables.processes(live.state());
    assertEquals(List.of("running", "rank 2", "h", "1", "Open MPI 4.1.4", "unit = 8"), table.rows().get(0).values());
    assertEquals("is rank 2", table.rows().get(0).name());
    assertEquals(List.of("h (LINUX64)"), live.state().hosts());
    live.in(Map.of("type", "process", "event", "ended", "host", "h", "pid", 1, "status", 3, "time", 2));
    assertEquals("status 3", value(LiveTables.processes(live.state()), 0, "state"));
    assertEquals(0, live.state().running());
    for (int i = 0; i < 500; i++) {
      live.in(Map.of("type", "process", "event", "started", "host", "h", "pid", 100 + i, "time", 3));
      live.in(Map.of("type", "process", "event", "ended", "host", "h", "pid", 100 + i, "time", 3));
    }
    assertEquals(200, live.state().processes().size());
  }

  /** A fragment size that helps is tried, and kept with its gain. */
  @Test
  void conditionsAndActionsHaveTheirValues() {
    List<TuningModel> models =
        BuiltInModels.all().stream().filter(model -> model.name().equals("pvm-fragment-size")).toList();
    SimulatedProgram program = new SimulatedProgram(3, (random, message) -> 100_000 * (0.9 + 0.2 * random.nextDouble()),
        (task, size, random) -> (2e-3 + 10 / task.fragment()) * (0.98 + 0.04 * random.nextDouble()));
    Analyzer analyzer = new Analyzer(models, true, 7, INTERVAL_NS, line -> {
      live.out(line);
      program.take(line);
    }, live::decision);
    program.begin(line -> {
      live.in(line);
      analyzer.take(line);
    }, 1);
    boolean hasTried = false;
    for (int i = 0; i < 400 && live.state().kept() == 0; i++) {
      program.run(1);
      live.conditions(analyzer.conditions());
      LiveState state = live.state();
      if (!hasTried && !state.actions().isEmpty()) {
        hasTried = true;
        program.rename(program.tasks().get(0), "t4beef");
        assertEquals("trying", value(LiveTables.actions(state), 0, "state"));
        assertTrue(value(LiveTables.conditions(state), 0, "state").toString().startsWith("trying pvm_setopt(10, 1"));
      }
    }
    LiveState state = live.state();
    Table conditions = LiveTables.conditions(state);
    assertEquals("pvm-fragment-size, is task t4beef", conditions.rows().get(0).name());
    assertEquals("abs(best - now) > 0.25 * now && share > 0.02", value(conditions, 0, "condition"));
    assertTrue(value(conditions, 0, "values").toString().matches("best = 10\\d,\\d{3}, now = 4,096, share = [01]\\.\\d+"),
        conditions.toString());
    assertEquals("yes", value(conditions, 0, "holds"));
    assertTrue(hasTried);
    Table actions = LiveTables.actions(state);
    assertEquals("1", actions.rows().get(0).name());
    assertEquals("kept", value(actions, 0, "state"));
    assertTrue(value(actions, 0, "gain").toString().matches("[45]\\d\\.\\d % \\[.*\\]"), actions.toString());
    assertTrue(LiveTables.summary(state).endsWith("1 action tried, 1 kept"), LiveTables.summary(state));
    assertEquals("is task t40001", value(actions, 0, "subject"), "as it was named when the action was tried");
    program.end(program.tasks().get(0));
    live.standings(analyzer.standings());
    assertEquals("kept, ended", value(LiveTables.actions(live.state()), 0, "state"));
    assertEquals(Integer.toString(state.decisions().size()), LiveTables.decisions(state).rows().get(0).name());
  }
}
