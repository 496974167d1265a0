package org.parallax.analysis.calls;

import java.util.HashMap;
import java.util.Map;
import org.parallax.model.program.Procedures;

/**
 * For which of the program's own functions a row of a table stands: where the time of the row is in a
 * library or an intercepted routine, the functions that called it, the one with the most time first.
 */
public final class OwnFunctions {
  private final Map<Integer, Long> times = new HashMap<>();

  /** @param own as {@link Procedures#own} tells it */
  public void add(int own, long ns) {
    if (own != Procedures.NONE && ns > 0) {
      times.merge(own, ns, Long::sum);
    }
  }

  /** @return the name of the function with the most time, and how many others there are; else empty */
  public String text(Procedures procedures) {
    String most = "";
    long mostNs = -1;
    for (Map.Entry<Integer, Long> each : times.entrySet()) {
      String name = procedures.get(each.getKey()).name();
      long ns = each.getValue();
      if (ns > mostNs || ns == mostNs && name.compareTo(most) < 0) {
        most = name;
        mostNs = ns;
      }
    }
    return times.size() < 2 ? most : most + " and " + (times.size() - 1) + " more";
  }
}
