package org.parallax.tuning.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.parallax.tuning.analyzer.Condition;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.analyzer.ProcessKey;
import org.parallax.tuning.analyzer.Standing;
import org.parallax.tuning.json.Json;

/**
 * Follows a session for those who watch it: the lines that the analyzer takes and sends, its decisions, and the conditions
 * of its models. The session's thread tells; any thread may ask for the state. Of a long session, the last minutes of the
 * metrics and the last decisions stay.
 */
public final class LiveView {
  private static final int MOST_DECISIONS = 1000;
  private static final int MOST_ENDED = 200;
  private static final long LEAST_BIN_NS = 500_000_000;

  /** What has arrived of a measure point. */
  private static final class Point {
    private final Rates rates;
    private List<String> routines = List.of();
    private String key = "";
    private boolean isOn;
    private int processes;
    private double visits;
    private double bytes;
    private double ns;

    Point(long binNs) {
      rates = new Rates(binNs);
    }
  }

  private final List<String> command;
  private final long intervalNs;
  private final Map<String, String> hosts = new LinkedHashMap<>();
  private final Map<String, ProcessState> running = new LinkedHashMap<>();
  private final Deque<ProcessState> ended = new ArrayDeque<>();
  private final Map<String, Long> lastNs = new LinkedHashMap<>();
  private final Map<String, Point> points = new LinkedHashMap<>();
  private final ActionLog actions = new ActionLog();
  private final Deque<Decision> decisions = new ArrayDeque<>();
  private List<Condition> conditions = List.of();
  private boolean isActing;
  private boolean isPaused;
  private boolean isStopped;
  private boolean isEnded;
  private int decided;
  private long timeNs;
  private long version;

  /**
   * @param isActing whether the session begins with doing actions
   * @param intervalNs in which metrics arrive
   * @param command the program
   */
  public LiveView(boolean isActing, long intervalNs, List<String> command) {
    this.isActing = isActing;
    this.intervalNs = Math.max(1, intervalNs);
    this.command = List.copyOf(command);
  }

  /** The analyzer takes a line. */
  public synchronized void in(Map<?, ?> line) {
    version++;
    timeNs = Math.max(timeNs, Json.whole(line, "time", 0));
    switch (Json.text(line, "type")) {
      case "host" -> {
        if (Json.text(line, "event").equals("left")) {
          hosts.remove(Json.text(line, "host"));
        } else {
          hosts.put(Json.text(line, "host"), Json.text(line, "arch"));
        }
      }
      case "process" -> process(line);
      case "metrics" -> metrics(line);
      case "tunables" -> tunables(line);
      case "user" -> user(Json.text(line, "command"));
      case "end" -> isEnded = true;
      default -> {
        // Decisions tell of the rest.
      }
    }
  }

  private void process(Map<?, ?> line) {
    String key = ProcessKey.of(line);
    ProcessState before = running.get(key);
    if (Json.text(line, "event").equals("ended")) {
      running.remove(key);
      lastNs.remove(key);
      if (before != null) {
        ended.addFirst(new ProcessState(before.host(), before.pid(), before.program(), before.part(), before.library(), false,
            line.get("status") instanceof Number status ? "status " + status.longValue() : "ended", before.variables()));
        if (ended.size() > MOST_ENDED) {
          ended.removeLast();
        }
      }
      return;
    }
    String task = Json.text(line, "task");
    long rank = Json.whole(line, "rank", -1);
    running.put(key, new ProcessState(Json.text(line, "host"), Json.whole(line, "pid", -1), Json.text(line, "program"),
        !task.isEmpty() ? "task " + task : rank >= 0 ? "rank " + rank : "", Json.text(line, "library"), true, "",
        before == null ? "" : before.variables()));
  }

  private void tunables(Map<?, ?> line) {
    ProcessState process = running.get(ProcessKey.of(line));
    if (process != null && line.get("variables") instanceof List<?> variables) {
      String shown = variables.stream().filter(Map.class::isInstance).map(each -> (Map<?, ?>) each)
          .map(each -> Json.text(each, "name") + " = " + Json.text(each, "value")).collect(Collectors.joining(", "));
      running.put(ProcessKey.of(line), new ProcessState(process.host(), process.pid(), process.program(), process.part(),
          process.library(), true, "", shown));
    }
  }

  private void metrics(Map<?, ?> line) {
    long toNs = Json.whole(line, "time", timeNs);
    Long last = lastNs.put(ProcessKey.of(line), toNs);
    // Processes that have nothing to tell send no lines.
    long fromNs = last == null ? toNs - intervalNs : Math.max(last, toNs - 2 * intervalNs);
    if (line.get("points") instanceof List<?> cells) {
      for (Object element : cells) {
        if (element instanceof Map<?, ?> cell) {
          Point point = points.computeIfAbsent(Json.text(cell, "point"), name -> newPoint());
          double visits = Json.number(cell, "count", 0);
          double bytes = Json.number(cell, "bytes", 0);
          point.visits += visits;
          point.bytes += bytes;
          point.ns += Json.number(cell, "ns", 0);
          point.rates.add(fromNs, toNs, visits, bytes);
        }
      }
    }
  }

  private Point newPoint() {
    return new Point(Math.max(LEAST_BIN_NS, intervalNs));
  }

  private void user(String word) {
    if (isStopped) {
      return;
    }
    switch (word) {
      case "act", "advise" -> isActing = word.equals("act");
      case "pause", "resume" -> isPaused = word.equals("pause");
      case "stop" -> isStopped = true;
      default -> {
        // Decisions tell what was undone.
      }
    }
  }

  /** The analyzer sends a line. */
  public synchronized void out(Map<?, ?> line) {
    version++;
    if (Json.text(line, "type").equals("points") && line.get("points") instanceof List<?> on) {
      points.values().forEach(point -> point.isOn = false);
      for (Object element : on) {
        if (element instanceof Map<?, ?> one) {
          Point point = points.computeIfAbsent(Json.text(one, "name"), name -> newPoint());
          point.isOn = true;
          point.key = Json.text(one, "key");
          point.routines =
              one.get("routines") instanceof List<?> routines ? routines.stream().map(Object::toString).toList() : List.of();
          point.processes = one.get("processes") instanceof List<?> some ? some.size() : -1;
        }
      }
    }
  }

  /** The analyzer decides. */
  public synchronized void decision(Decision decision) {
    version++;
    decided++;
    actions.add(decision);
    decisions.addFirst(decision);
    if (decisions.size() > MOST_DECISIONS) {
      decisions.removeLast();
    }
  }

  /** The conditions as they are judged now. */
  public synchronized void conditions(List<Condition> now) {
    if (!now.equals(conditions)) {
      version++;
      conditions = List.copyOf(now);
    }
  }

  /** How actions stand in the program, by their numbers; the others are nowhere. */
  public synchronized void standings(Map<Integer, Standing> now) {
    if (actions.stand(now)) {
      version++;
    }
  }

  /** The monitor is gone, so nothing more will come. */
  public synchronized void lost() {
    version++;
    isEnded = true;
  }

  /** @return a number that is another one when the state has changed */
  public synchronized long version() {
    return version;
  }

  /** @return what is known now */
  public synchronized LiveState state() {
    List<ProcessState> processes = new ArrayList<>(running.values());
    processes.addAll(ended);
    List<PointState> shown = new ArrayList<>();
    points.forEach((name, point) -> shown.add(new PointState(name, point.routines, point.key, point.isOn, point.processes,
        point.visits, point.bytes, point.ns, point.rates.until(timeNs))));
    return new LiveState(command, isActing, isPaused, isStopped, isEnded, timeNs,
        hosts.entrySet().stream().map(host -> host.getKey() + (host.getValue().isEmpty() ? "" : " (" + host.getValue() + ")"))
            .toList(), processes, shown, conditions, actions.all(), List.copyOf(decisions),
        decided);
  }
}
