package org.parallax.tuning.analyzer;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.parallax.tuning.json.Json;

/** The hosts and processes of the program that run. */
final class World {
  /** Architectures of PVM whose tasks talk by shared memory: SUNMP, RS6KMP, SGIMP64, LINUXSHMEM and such. */
  private static final Pattern SHARED_MEMORY = Pattern.compile(".*(MP\\d*|SHMEM)");

  private final Map<String, String> hosts = new LinkedHashMap<>();
  private final Map<String, TunedProcess> processes = new LinkedHashMap<>();

  void host(Map<?, ?> line) {
    if (Json.text(line, "event").equals("left")) {
      hosts.remove(Json.text(line, "host"));
    } else {
      hosts.put(Json.text(line, "host"), Json.text(line, "arch"));
    }
  }

  TunedProcess process(Map<?, ?> line) {
    return processes.get(ProcessKey.of(line));
  }

  /**
   * @param nowNs the time, if the line has none
   * @return the process that has started, in place of one of the same number on the host
   */
  TunedProcess start(Map<?, ?> line, long nowNs) {
    TunedProcess process =
        new TunedProcess(Json.text(line, "host"), Json.whole(line, "pid", -1), Json.whole(line, "time", nowNs));
    processes.put(process.key(), process);
    return process;
  }

  void end(TunedProcess process) {
    processes.remove(process.key());
  }

  Collection<TunedProcess> processes() {
    return processes.values();
  }

  int hosts() {
    return hosts.size();
  }

  int architectures() {
    return new HashSet<>(hosts.values()).size();
  }

  int sharedMemoryHosts() {
    return (int) hosts.values().stream().filter(arch -> SHARED_MEMORY.matcher(arch).matches()).count();
  }
}
