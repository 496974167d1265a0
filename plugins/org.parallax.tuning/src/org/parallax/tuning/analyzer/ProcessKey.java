package org.parallax.tuning.analyzer;

import java.util.Map;
import org.parallax.tuning.json.Json;

/** What tells the processes of a program apart. */
public final class ProcessKey {
  private ProcessKey() {
  }

  /** @return that of the process which a line names */
  public static String of(Map<?, ?> line) {
    return of(Json.text(line, "host"), Json.whole(line, "pid", -1));
  }

  static String of(String host, long pid) {
    return host + "/" + pid;
  }
}
