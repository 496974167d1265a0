package org.parallax.tuning.analyzer;

import java.util.List;

/**
 * Gathers lines of metrics until they have enough visits. With lines of several processes, a window ends when all of them
 * have told of the same time, or else between two rounds of lines: a process without visits sends none.
 */
final class Gathering {
  /** Takes what was gathered. */
  interface Full {
    void full(Window window, long nowNs);
  }

  /** Lines are of the same time if they are closer than this part of an interval. */
  private static final long SAME_TIME = 10;
  /** So many times as long as for a visit it waits for lines of all processes. */
  private static final long FOR_ALL = 10;

  private final String point;
  private final long visits;
  private final boolean isOfSeveral;
  private final long intervalNs;
  private final List<TunedProcess> processes;
  private final boolean needsAll;
  private final Full full;
  private Period period;
  private long readyNs = -1;
  /** When it began, or had a visit of its point last. */
  private long visitedNs;
  /** Since when it has enough visits, or -1. */
  private long enoughNs = -1;

  /**
   * @param point the name on the lines of the point whose visits count
   * @param visits how many are enough
   * @param processes those of which lines come, as they are at any time
   * @param needsAll whether a window must have lines of all of them
   * @param full hears of each window; the next one begins before it is called
   */
  Gathering(String point, long visits, boolean isOfSeveral, long intervalNs, List<TunedProcess> processes,
      boolean needsAll, Full full) {
    this.point = point;
    this.visits = visits;
    this.isOfSeveral = isOfSeveral;
    this.intervalNs = intervalNs;
    this.processes = processes;
    this.needsAll = needsAll;
    this.full = full;
  }

  /** Begins anew: lines that tell of an earlier time do not count. */
  void restart(long notBeforeNs) {
    period = new Period(notBeforeNs, intervalNs);
    readyNs = -1;
    visitedNs = notBeforeNs;
    enoughNs = -1;
  }

  /** Takes no lines until the next start. */
  void stop() {
    period = null;
    readyNs = -1;
  }

  /** @return whether it has seen a visit of its point since it began anew */
  boolean hasVisits() {
    return period != null && period.visits(point) > 0;
  }

  /**
   * Why it will not be full soon.
   *
   * @param patienceNs how long it waits for a visit; ten times as long for lines of all processes
   * @return what is missing, or null
   */
  String idle(long nowNs, long patienceNs) {
    if (period == null) {
      return null;
    }
    if (nowNs - visitedNs >= patienceNs) {
      return "no visit of its measure point in " + Math.round((nowNs - visitedNs) / 1e9) + " s";
    }
    return enoughNs >= 0 && nowNs - enoughNs >= FOR_ALL * patienceNs
        ? "not all processes have made calls in " + Math.round((nowNs - enoughNs) / 1e9) + " s" : null;
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
    double before = period.visits(point);
    period.add(process, cells, fromNs, toNs);
    // Fewer if the period has begun anew.
    if (period.visits(point) != before) {
      visitedNs = toNs;
    }
    if (period.visits(point) < visits) {
      // The period has begun anew, with the line of a process that came late.
      readyNs = -1;
      enoughNs = -1;
    } else if (enoughNs < 0) {
      enoughNs = toNs;
    }
    if (readyNs < 0 && period.visits(point) >= visits && (!needsAll || period.has(processes))) {
      readyNs = toNs;
    }
    if (readyNs >= 0 && (!isOfSeveral || period.reaches(processes, readyNs - intervalNs / SAME_TIME))) {
      close(toNs);
    }
  }

  private void close(long nowNs) {
    Window window = period.window();
    period = period.next();
    readyNs = -1;
    enoughNs = -1;
    full.full(window, nowNs);
  }
}
