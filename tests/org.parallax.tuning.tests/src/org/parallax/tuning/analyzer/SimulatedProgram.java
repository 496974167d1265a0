package org.parallax.tuning.analyzer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.parallax.tuning.json.Json;

/**
 * A program under PVM and its monitor, in a time of their own: tasks send messages whose sizes and times are given; what
 * is asked for happens at the next message and is answered.
 */
public final class SimulatedProgram {
  static final long INTERVAL_NS = 200_000_000;

  /** The size of a message. */
  public interface Sizes {
    double next(Random random, long message);
  }

  /** The seconds from a message to the next. */
  public interface Cost {
    double seconds(Task task, double size, Random random);
  }

  /** A task. */
  public static final class Task {
    final String host;
    final long pid;
    double fragment = 4096;
    double route = 2;
    boolean isRaw;
    double unit = 1;
    long messages;
    boolean isEnded;
    /** By which its last message ends after the interval. */
    double aheadSeconds;

    Task(String host, long pid) {
      this.host = host;
      this.pid = pid;
    }

    boolean is(Map<?, ?> line) {
      return host.equals(line.get("host")) && pid == Json.whole(line, "pid", -1);
    }

    public double fragment() {
      return fragment;
    }
  }

  private final Random random;
  private final Sizes sizes;
  private final Cost cost;
  private final List<Task> tasks = new ArrayList<>();
  private final List<Task> hasPoints = new ArrayList<>();
  private boolean haveAllPoints;
  private final Deque<Map<String, Object>> requests = new ArrayDeque<>();
  private final Deque<Map<String, Object>> backs = new ArrayDeque<>();
  private final Map<Long, Double> units = new LinkedHashMap<>();
  private final List<Map<String, Object>> acts = new ArrayList<>();
  /** Requests to leave something on when tuning ends. */
  final List<Map<String, Object>> keeps = new ArrayList<>();
  private Consumer<Map<String, Object>> analyzer;
  private List<String> points = List.of();
  private boolean isAsked;
  private long nowNs;
  String answer = "done";
  /** Points of this routine count nothing. */
  String never = "";
  /** Calls of which routine wait, as tasks do not reach their safe moment; empty: all requests wait. */
  String waits = "none";
  boolean isStopped;
  /** Whether requests to take back come too late. */
  boolean isDeaf;

  public SimulatedProgram(long seed, Sizes sizes, Cost cost) {
    this.random = new Random(seed);
    this.sizes = sizes;
    this.cost = cost;
  }

  /** Takes a line of the analyzer. */
  public void take(Map<String, Object> line) {
    if (line.get("type").equals("points")) {
      points = new ArrayList<>();
      isAsked = !((List<?>) line.get("points")).isEmpty();
      hasPoints.clear();
      haveAllPoints = false;
      for (Object point : (List<?>) line.get("points")) {
        if (!(((Map<?, ?>) point).get("routines") instanceof List<?> routines && routines.contains(never))) {
          points.add(Json.text((Map<?, ?>) point, "name"));
        }
        Object processes = ((Map<?, ?>) point).get("processes");
        haveAllPoints |= processes.equals("all");
        tasks.stream().filter(task -> processes.equals("all")
            || ((List<?>) processes).stream().anyMatch(process -> task.is((Map<?, ?>) process)))
            .filter(task -> !hasPoints.contains(task)).forEach(hasPoints::add);
      }
    } else if (line.get("type").equals("act")) {
      acts.add(line);
      requests.add(line);
    } else if (line.get("type").equals("keep")) {
      keeps.add(line);
    } else if (line.get("type").equals("take_back")) {
      backs.add(line);
    } else if (line.get("type").equals("stop")) {
      isStopped = true;
    }
  }

  /** Starts with a host and tasks. */
  public void begin(Consumer<Map<String, Object>> takes, int count) {
    analyzer = takes;
    give("hello", Map.of("version", 1));
    host("h0", "added", "LINUX64");
    for (int i = 0; i < count; i++) {
      addTask();
    }
  }

  void host(String name, String event, String arch) {
    give("host", Map.of("host", name, "event", event, "arch", arch));
  }

  Task addTask() {
    return addTask("h0", 100 + tasks.size(), 2);
  }

  Task addTask(String host, long pid, double route) {
    Task task = new Task(host, pid);
    task.route = route;
    tasks.add(task);
    give("process", Map.of("host", host, "pid", task.pid, "event", "started", "program", "/x/is", "rank", -1, "task",
        "t4000" + tasks.size(), "library", "pvm 3.4.6"));
    return task;
  }

  /** More is known of the task than at its start. */
  public void rename(Task task, String name) {
    give("process", Map.of("host", task.host, "pid", task.pid, "event", "changed", "program", "/x/is", "rank", -1, "task",
        name, "library", "pvm 3.4.6"));
  }

  void declare(String name, Task task, double most) {
    give("tunables", Map.of("host", task.host, "pid", task.pid, "variables",
        List.of(Map.of("name", name, "value", task.unit, "least", 1, "most", most))));
  }

  /** @return the points that are asked for */
  List<String> points() {
    return points;
  }

  public void end(Task task) {
    task.isEnded = true;
    give("process", Map.of("host", task.host, "pid", task.pid, "event", "ended", "status", 0));
  }

  private void give(String type, Map<String, Object> fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("type", type);
    line.put("time", nowNs);
    line.putAll(fields);
    analyzer.accept(line);
  }

  /** Runs for so many intervals. */
  public void run(int intervals) {
    for (int i = 0; i < intervals; i++) {
      perform();
      nowNs += INTERVAL_NS;
      for (Task task : List.copyOf(tasks)) {
        if (!task.isEnded) {
          work(task);
        }
      }
      give("tick", Map.of());
    }
  }

  private boolean isReached(Map<String, Object> request) {
    return !waits.isEmpty() && !waits.equals(request.get("name"));
  }

  private void perform() {
    for (Map<String, Object> back = backs.poll(); back != null; back = backs.poll()) {
      Map<String, Object> line = back;
      if (!isDeaf && requests.removeIf(request -> request.get("id").equals(line.get("id")))) {
        give("action", Map.of("host", line.get("host"), "pid", line.get("pid"), "id", line.get("id"), "state", "refused", "text",
            "taken back"));
      }
    }
    while (requests.stream().anyMatch(this::isReached)) {
      Map<String, Object> line = requests.stream().filter(this::isReached).findFirst().orElseThrow();
      requests.remove(line);
      Task task = tasks.stream().filter(one -> one.is(line)).findFirst().orElseThrow();
      if (answer.isEmpty()) {
        continue;
      }
      long id = Json.whole(line, "id", -1);
      Map<String, Object> fields = new LinkedHashMap<>(Map.of("host", task.host, "pid", task.pid, "id", id, "state", answer,
          "time", nowNs + 1, "text", "a test"));
      if (answer.equals("done") && !task.isEnded) {
        fields.put("result", effect(task, line));
      } else if (task.isEnded) {
        fields.put("state", "lost");
      }
      give("action", fields);
    }
  }

  private double effect(Task task, Map<?, ?> line) {
    String name = Json.text(line, "name");
    List<?> arguments = line.get("arguments") instanceof List<?> list ? list : List.of();
    double[] of = arguments.stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray();
    if (Json.text(line, "kind").equals("tunable")) {
      units.put(Json.whole(line, "id", -1), task.unit);
      task.unit = Json.number(line, "value", 0);
    } else if (Json.text(line, "kind").equals("undo")) {
      task.isRaw = false;
      task.unit = units.getOrDefault(Json.whole(line, "undoes", -1), task.unit);
    } else if (Json.text(line, "kind").equals("argument")) {
      task.isRaw = true;
    } else if (name.equals("pvm_getopt")) {
      return of[0] == 10 ? task.fragment : task.route;
    } else if (name.equals("getdtablesize")) {
      return 1024;
    } else if (of[0] == 10) {
      task.fragment = of[1];
    } else {
      task.route = of[1];
    }
    return 0;
  }

  /** Messages of an interval, and the line of metrics when there are points. */
  private void work(Task task) {
    double left = INTERVAL_NS / 1e9 - task.aheadSeconds;
    Map<Long, double[]> cells = new LinkedHashMap<>();
    while (left > 0) {
      double size = Math.max(0, Math.rint(sizes.next(random, task.messages)));
      double seconds = cost.seconds(task, size, random);
      task.messages++;
      left -= seconds;
      double[] cell = cells.computeIfAbsent(0L, key -> new double[4]);
      cell[0]++;
      cell[1] += size;
      cell[2] += size * size;
      cell[3] += 0.5e9 * seconds;
    }
    task.aheadSeconds = -left;
    if (haveAllPoints || hasPoints.contains(task)) {
      List<Object> lines = new ArrayList<>();
      for (String point : points) {
        cells.forEach((key, cell) -> lines.add(Map.of("point", point, "key", Long.toString(key), "count", (long) cell[0],
            "bytes", (long) cell[1], "bytes2", cell[2], "ns", (long) cell[3])));
      }
      give("metrics", Map.of("host", task.host, "pid", task.pid, "points", lines));
    }
  }

  /** @return whether measure points are asked for, also such that count nothing */
  boolean isAsked() {
    return isAsked;
  }

  /** @return whether any task has measure points that count */
  boolean isMeasured() {
    return !points.isEmpty();
  }

  public List<Task> tasks() {
    return tasks;
  }

  /** @return what was asked for, without calls that only ask */
  List<Map<String, Object>> changes() {
    return acts.stream().filter(line -> !Json.text(line, "name").startsWith("pvm_getopt")
        && !Json.text(line, "name").equals("getdtablesize")).toList();
  }

  void end() {
    give("end", Map.of("status", 0));
  }
}
