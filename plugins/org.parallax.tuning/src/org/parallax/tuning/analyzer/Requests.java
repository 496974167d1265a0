package org.parallax.tuning.analyzer;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.parallax.tuning.json.Json;

/** Asks the monitor for actions, and leads the answers to who asked. */
final class Requests {
  private final Consumer<Map<String, Object>> monitor;
  private final Map<Long, Consumer<Map<?, ?>>> open = new HashMap<>();
  private long last;

  Requests(Consumer<Map<String, Object>> monitor) {
    this.monitor = monitor;
  }

  /** @return the number of the request, which the answer has */
  long ask(TunedProcess process, Map<String, Object> fields, Consumer<Map<?, ?>> answer) {
    long id = ++last;
    Map<String, Object> line = line("act", id, process);
    line.putAll(fields);
    open.put(id, answer);
    monitor.accept(line);
    return id;
  }

  /** Asks not to do what still waits. The answer of the request itself tells whether it was done before. */
  void takeBack(TunedProcess process, long id) {
    monitor.accept(line("take_back", id, process));
  }

  /** Asks to leave what was done as it is when tuning ends, however that happens. Other actions are undone then. */
  void keep(TunedProcess process, long id) {
    monitor.accept(line("keep", id, process));
  }

  private static Map<String, Object> line(String type, long id, TunedProcess process) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("type", type);
    line.put("id", id);
    line.put("host", process.host());
    line.put("pid", process.pid());
    return line;
  }

  void forget(long id) {
    open.remove(id);
  }

  /** Takes a line about an action; one of a request that nobody waits for any more says nothing. */
  void answered(Map<?, ?> line) {
    if (Json.text(line, "state").equals("waiting")) {
      return;
    }
    Consumer<Map<?, ?>> answer = open.remove(Json.whole(line, "id", -1));
    if (answer != null) {
      answer.accept(line);
    }
  }
}
