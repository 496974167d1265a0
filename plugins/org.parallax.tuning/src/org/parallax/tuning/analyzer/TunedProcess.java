package org.parallax.tuning.analyzer;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.parallax.tuning.json.Json;

/** A process of the program. */
final class TunedProcess {
  /** By host and number. */
  static final Comparator<TunedProcess> ORDER =
      Comparator.comparing(TunedProcess::host).thenComparingLong(TunedProcess::pid);

  private final String host;
  private final long pid;
  private final Map<String, Object> states = new HashMap<>();
  private final Map<String, Map<String, Object>> variables = new HashMap<>();
  private String name = "";
  private String library = "";
  private long lastNs;

  TunedProcess(String host, long pid, long startNs) {
    this.host = host;
    this.pid = pid;
    this.lastNs = startNs;
  }

  /** Takes what the monitor tells of it. */
  void told(Map<?, ?> line) {
    library = Json.text(line, "library");
    String program = Json.text(line, "program");
    String task = Json.text(line, "task");
    long rank = Json.whole(line, "rank", -1);
    name = (program.isEmpty() ? "process" : program.substring(program.lastIndexOf('/') + 1))
        + (!task.isEmpty() ? " task " + task : rank >= 0 ? " rank " + rank : " " + pid + " on " + host);
  }

  String key() {
    return ProcessKey.of(host, pid);
  }

  /** @return as lines name it */
  Map<String, Object> wireName() {
    Map<String, Object> name = new LinkedHashMap<>();
    name.put("host", host);
    name.put("pid", pid);
    return name;
  }

  String host() {
    return host;
  }

  long pid() {
    return pid;
  }

  /** @return as decisions name it */
  String name() {
    return name;
  }

  String library() {
    return library;
  }

  /** What actions set and answers told. */
  Map<String, Object> states() {
    return states;
  }

  /** A variable that the program declares, with its range. */
  void declares(Map<?, ?> variable) {
    Map<String, Object> copy = new HashMap<>();
    variable.forEach((field, value) -> copy.put(field.toString(), value));
    variables.put(Json.text(variable, "name"), copy);
  }

  /** @return a field of a variable that the program declares, or null */
  Object variable(String name, String field) {
    Map<String, Object> variable = variables.get(name);
    return variable == null ? null : variable.get(field);
  }

  Object value(String name) {
    return variable(name, "value");
  }

  /** An action has changed a variable. */
  void setValue(String name, Object value) {
    if (variables.containsKey(name) && value != null) {
      variables.get(name).put("value", value);
    }
  }

  /** @return the time of its last line, from which the next one counts */
  long lastNs() {
    return lastNs;
  }

  void setLastNs(long timeNs) {
    lastNs = timeNs;
  }
}
