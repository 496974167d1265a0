package org.parallax.tuning.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.Quantity;
import org.parallax.tuning.analyzer.Condition;
import org.parallax.tuning.analyzer.Decision;

/** The state of a session as tables, which the command line prints and the view shows. */
public final class LiveTables {
  private LiveTables() {
  }

  private static Table table(String report, String title, String nameLabel, List<Column> columns, List<Row> rows) {
    return new Table(report, title, "", Map.of(), nameLabel, Unit.COUNT, 0, -1, columns, rows, List.of());
  }

  private static Column text(String key, String label) {
    return Column.info(key, label, Unit.TEXT);
  }

  /** @return a row for each action, the newest first */
  public static Table actions(LiveState state) {
    return table("tuning-actions", "Actions", "action", List.of(text("state", "state"), text("model", "model"),
        text("subject", "process"), text("change", "change"), text("gain", "gain"), text("why", "reason"),
        text("outcome", "outcome"), Column.info("time", "begun", Unit.NANOSECONDS)),
        state.actions().stream().map(action -> Row.of(action.number() < 0 ? "advice " + -action.number()
            : Integer.toString(action.number()), action, action.shown(), action.model(), action.subject(), action.change(),
            action.gain() == null ? "" : action.gain().shown(), action.reason(), action.outcome(), action.timeNs())).toList());
  }

  /** @return a row for each decision, the newest first */
  public static Table decisions(LiveState state) {
    List<Row> rows = new ArrayList<>();
    for (Decision decision : state.decisions()) {
      rows.add(Row.of(Integer.toString(state.decided() - rows.size()), decision, seconds(decision.timeNs()),
          word(decision.kind()), decision.model(), decision.subject(), decision.change(), decision.reason()));
    }
    return table("tuning-decisions", "Decisions", "decision",
        List.of(text("time", "time"), text("decision", "kind"), text("model", "model"), text("subject", "process"),
            text("change", "change"), text("reason", "reason")), rows);
  }

  private static String word(Decision.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String seconds(long ns) {
    return String.format(Locale.ROOT, "%.2f s", ns / 1e9);
  }

  /** @return a row for each model and process, or the run */
  public static Table conditions(LiveState state) {
    return table("tuning-conditions", "Conditions", "model and process",
        List.of(text("holds", "holds"), text("values", "values"), text("state", "state"),
            text("condition", "condition"), text("judged", "judged")),
        state.conditions().stream().map(each -> Row.of(each.model() + ", " + each.subject(), each,
            each.judgedNs() < 0 ? "" : each.holds() ? "yes" : "no", values(each), each.state(), each.when(),
            each.judgedNs() < 0 ? "" : seconds(each.judgedNs()))).toList());
  }

  private static String values(Condition condition) {
    return condition.values().entrySet().stream()
        .map(value -> value.getKey() + " = " + shown(value.getValue())).collect(Collectors.joining(", "));
  }

  private static String shown(Object value) {
    if (!(value instanceof Number number)) {
      return String.valueOf(value);
    }
    double exact = number.doubleValue();
    return exact == Math.rint(exact) && Math.abs(exact) < 1e15 ? Quantity.count((long) exact)
        : String.format(Locale.ROOT, "%.4g", exact);
  }

  /** @return a row for each measure point */
  public static Table points(LiveState state) {
    return table("tuning-points", "Measure points", "measure point",
        List.of(text("state", "state"), Column.info("visitRate", "visits/s", Unit.COUNT),
            Column.info("byteRate", "bytes/s", Unit.COUNT), Column.info("mean", "mean size", Unit.BYTES),
            Column.info("meanTime", "mean time", Unit.NANOSECONDS), Column.info("visits", "visits", Unit.COUNT),
            Column.info("bytes", "bytes", Unit.BYTES), text("key", "key"), text("routines", "routines")),
        state.points().stream().map(LiveTables::row).toList());
  }

  private static Row row(PointState point) {
    String where = point.processes() < 0 ? "all processes" : Quantity.of(point.processes(), "process", "processes");
    return Row.of(point.name(), point, point.isOn() ? "on, " + where : "off", Math.round(point.visitRate()),
        Math.round(point.byteRate()), mean(point.bytes(), point.visits()), mean(point.ns(), point.visits()),
        Math.round(point.visits()), Math.round(point.bytes()), point.key().equals("none") ? "" : point.key(),
        String.join(", ", point.routines()));
  }

  private static long mean(double sum, double visits) {
    return visits == 0 ? 0 : Math.round(sum / visits);
  }

  /** @return a row for each process */
  public static Table processes(LiveState state) {
    return table("tuning-processes", "Processes", "process",
        List.of(text("state", "state"), text("part", "rank or task"), text("host", "host"), text("pid", "pid"),
            text("library", "library"), text("variables", "variables")),
        state.processes().stream().map(process -> Row.of(
            process.program().substring(process.program().lastIndexOf('/') + 1) + " "
                + (process.part().isEmpty() ? process.pid() : process.part()), process,
            process.isRunning() ? "running" : process.end(), process.part(), process.host(), Long.toString(process.pid()),
            process.library(), process.variables())).toList());
  }

  /** @return all of it in a line */
  public static String summary(LiveState state) {
    return state.mode() + ", " + seconds(state.timeNs()) + ": " + Quantity.of(state.running(), "process", "processes") + " on "
        + Quantity.of(state.hosts().size(), "host", "hosts") + ", "
        + Quantity.of(state.points().stream().filter(PointState::isOn).count(), "measure point", "measure points") + ", "
        + Quantity.of(state.actions().stream().filter(action -> action.number() > 0).count(), "action", "actions") + " tried, "
        + state.kept() + " kept";
  }
}
