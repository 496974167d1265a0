package org.parallax.analysis.timeline;

import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.waits.ThreadStops;

/**
 * Goes over the waits of a thread. Each takes its time from the procedure in which the thread waited.
 */
final class WaitReader {
  /** When it must go further than so many waits, it searches. */
  private static final int FAR = 16;

  private final ThreadStops stops;
  private final StateIndex states;
  /** The wait at which it stands, and its begin; {@link Long#MAX_VALUE} after the last one. */
  private long wait;
  private long beginNs;

  /** @param states tells the procedures of call paths */
  WaitReader(ThreadStops stops, StateIndex states) {
    this.stops = stops;
    this.states = states;
    enter(0);
  }

  private void enter(long newWait) {
    wait = newWait;
    beginNs = wait < stops.count() ? stops.beginNs(wait) : Long.MAX_VALUE;
  }

  /** Moves the time of the waits in a part of the time, not before the last one, to their states. */
  void move(long fromNs, long toNs, StateTimes sums) {
    skipTo(fromNs);
    while (beginNs < toNs) {
      long end = beginNs + stops.lengthNs(wait);
      long moved = Math.min(end, toNs) - Math.max(beginNs, fromNs);
      if (moved > 0) {
        sums.move(states.state(stops.path(wait)), states.state(stops.state(wait)), moved);
      }
      if (end > toNs) {
        return;
      }
      enter(wait + 1);
    }
  }

  private void skipTo(long timeNs) {
    if (wait + FAR < stops.count() && stops.beginNs(wait + FAR) <= timeNs) {
      enter(stops.at(timeNs));
    }
    while (beginNs < timeNs && beginNs + stops.lengthNs(wait) <= timeNs) {
      enter(wait + 1);
    }
  }

  /** @return when the wait at a moment ends, or the next one begins; the moment is not before the last one */
  long changesAtNs(long timeNs) {
    skipTo(timeNs);
    return beginNs > timeNs ? beginNs : endNs();
  }

  /** Stands at the wait at a moment, not before those of the last call; false if there is none. */
  boolean seek(long timeNs) {
    skipTo(timeNs);
    return beginNs <= timeNs;
  }

  long beginNs() {
    return beginNs;
  }

  long endNs() {
    return beginNs + stops.lengthNs(wait);
  }

  WaitState state() {
    return stops.state(wait);
  }
}
