package org.parallax.analysis.time;

import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;

/**
 * Attributes the time in which one thread executes, and its share of it, to call paths as {@link
 * PathReader} tells.
 */
final class NormalizedWalk {
  private final PathReader reader;
  private final IdleTimes idle;
  private final long endNs;
  private final long[] executingNs;
  private final long[] shares;
  private boolean more;

  /** The time up to which the thread was followed, what the clock showed then, and its next change. */
  private long nowNs;
  private long shownAtNow;
  private long change;
  private long changeNs;
  /** Of the time since the call path was another one. */
  private int path;
  private long passedNs;
  private long passedShare;
  private int found;

  /** Of a thread between two times. */
  NormalizedWalk(ThreadRecord record, IdleTimes idle, long beginNs, long endNs,
      Progress progress) {
    this.idle = idle;
    this.endNs = endNs;
    int paths = record.process().callPaths().count();
    executingNs = new long[paths];
    shares = new long[paths];
    nowNs = beginNs;
    change = idle.firstAfter(beginNs);
    findChange();
    reader = new PathReader(record.thread(), progress);
    more = reader.next();
  }

  /** @return time in which the thread executed, by call path */
  long[] executingNs() {
    return executingNs;
  }

  /** @return its shares of that time in the clock's units, by call path */
  long[] shares() {
    return shares;
  }

  /** Follows the thread through the part of the run that the clock is in. */
  void follow(ShareClock clock) {
    found = 0;
    shownAtNow = shown(clock, nowNs);
    while (more && reader.timeNs() <= clock.endNs()) {
      event(clock);
      more = reader.next();
    }
    advanceTo(clock, more ? clock.endNs() : reader.timeNs());
    if (!more) {
      attribute();
    }
  }

  private long shown(ShareClock clock, long timeNs) {
    found = clock.find(found, timeNs);
    return clock.share(found, timeNs);
  }

  /** Goes on in the time that leads to the event at hand. */
  private void advanceTo(ShareClock clock, long toNs) {
    long until = Math.min(Math.min(toNs, endNs), reader.offCpuNs());
    if (reader.sinceNs() > nowNs) {
      take(0);
      advance(clock, Math.min(until, reader.sinceNs()));
    }
    take(reader.path());
    advance(clock, until);
    if (toNs > reader.offCpuNs()) {
      take(reader.offCpuPath());
      advance(clock, Math.min(Math.min(toNs, endNs), reader.preemptedNs()));
    }
    if (toNs > reader.preemptedNs()) {
      take(reader.preemptedPath());
      advance(clock, Math.min(toNs, endNs));
    }
  }

  private void take(int newPath) {
    if (path != newPath) {
      attribute();
      path = newPath;
    }
  }

  private void advance(ShareClock clock, long toNs) {
    while (nowNs < toNs) {
      long until = Math.min(toNs, changeNs);
      if ((change & 1) == 0) {
        long shown = shown(clock, until);
        passedNs += until - nowNs;
        passedShare += shown - shownAtNow;
        shownAtNow = shown;
      } else if (until == changeNs) {
        shownAtNow = shown(clock, until);
      }
      nowNs = until;
      if (until == changeNs) {
        change++;
        findChange();
      }
    }
  }

  private void findChange() {
    changeNs = change < idle.changeCount() ? idle.changeNs(change) : Long.MAX_VALUE;
  }

  /** Between events that end or begin a call, or tell of the time outside, nothing changes. */
  private void event(ShareClock clock) {
    int kind = reader.cursor().kind();
    if (kind == Kind.ENTER || kind == Kind.LEAVE || reader.offCpuNs() < reader.timeNs() || kind == Kind.SAMPLE && !reader.isInCall()) {
      advanceTo(clock, reader.timeNs());
    }
  }

  /** The time since the last one. */
  private void attribute() {
    executingNs[path] += passedNs;
    shares[path] += passedShare;
    passedNs = 0;
    passedShare = 0;
  }
}
