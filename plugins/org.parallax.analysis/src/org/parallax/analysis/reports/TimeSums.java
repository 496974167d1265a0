package org.parallax.analysis.reports;

import java.util.LinkedHashMap;
import java.util.Map;

/** Time of a row by what it was spent in, such as call paths, so that the row can show what most of it was spent in. */
final class TimeSums<K> {
  private final Map<K, Long> times = new LinkedHashMap<>();

  void add(K what, long ns) {
    times.merge(what, ns, Long::sum);
  }

  /** @return the one with the most time, of equal ones that which came first; {@code none} where nothing was added */
  K most(K none) {
    K most = none;
    long mostNs = -1;
    for (Map.Entry<K, Long> each : times.entrySet()) {
      if (each.getValue() > mostNs) {
        mostNs = each.getValue();
        most = each.getKey();
      }
    }
    return most;
  }
}
