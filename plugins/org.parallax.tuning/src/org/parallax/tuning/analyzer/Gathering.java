package org.parallax.tuning.analyzer;

import java.util.List;

/**
 * Gathers lines of metrics until they have enough visits. With lines of several processes, a window ends between two
 * rounds of lines.
 */
final class Gathering {
  /** Takes what was gathered. */
  interface Full {
    void full(Window window, long nowNs);
  }

  private final String point;
  private final long visits;
  private final boolean isOfSeveral;
  private final long intervalNs;
  private final List<TunedProcess> needed;
  private final Full full;
  private Period period;
  private long readyNs = -1;

  /**
   * @param point the name on the lines of the point whose visits count
   * @param visits how many are enough
   * @param needed the processes of which a window must have lines, as they are when it ends
   * @param full hears of each window; the next one begins before it is called
   */
  Gathering(String point, long visits, boolean isOfSeveral, long intervalNs, List<TunedProcess> needed, Full full) {
    this.point = point;
    this.visits = visits;
    this.isOfSeveral = isOfSeveral;
    this.intervalNs = intervalNs;
    this.needed = needed;
    this.full = full;
  }

  /** Begins anew: lines that tell of an earlier time do not count. */
  void restart(long notBeforeNs) {
    period = new Period(notBeforeNs);
    readyNs = -1;
  }

  /** Takes no lines until the next start. */
  void stop() {
    period = null;
    readyNs = -1;
  }

  boolean isStopped() {
    return period == null;
  }

  void measured(TunedProcess process, List<?> cells, long fromNs, long toNs) {
    if (readyNs >= 0 && toNs >= readyNs + intervalNs / 2) {
      close(toNs);
    }
    if (period == null) {
      return;
    }
    period.add(process, cells, fromNs, toNs);
    if (readyNs < 0 && period.visits(point) >= visits && period.has(needed)) {
      readyNs = toNs;
      if (!isOfSeveral) {
        close(toNs);
      }
    }
  }

  private void close(long nowNs) {
    Window window = period.window();
    period = period.next();
    readyNs = -1;
    full.full(window, nowNs);
  }
}
