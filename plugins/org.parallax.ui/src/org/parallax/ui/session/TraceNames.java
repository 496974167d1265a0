package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.trace.Trace;

/** Names of traces for people: those of their directories, with as many folders as tell them apart. */
public final class TraceNames {
  private TraceNames() {
  }

  /** @return a name for each trace, all of them different */
  public static Map<Trace, String> of(List<Trace> traces) {
    Map<Trace, String> names = new HashMap<>();
    for (int folders = 1; names.size() < traces.size(); folders++) {
      Set<String> seen = new HashSet<>();
      Set<String> twice = new HashSet<>();
      for (Trace trace : traces) {
        if (!seen.add(name(trace, folders))) {
          twice.add(name(trace, folders));
        }
      }
      for (Trace trace : traces) {
        boolean whole = folders >= trace.directory().toAbsolutePath().getNameCount();
        if (!names.containsKey(trace) && (whole || !twice.contains(name(trace, folders)))) {
          names.put(trace, name(trace, folders));
        }
      }
    }
    return names;
  }

  private static String name(Trace trace, int folders) {
    Path path = trace.directory().toAbsolutePath().normalize();
    int count = path.getNameCount();
    return path.subpath(Math.max(0, count - folders), count).toString();
  }
}
