package org.parallax.analysis.graph;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;

/**
 * Attributes the time in which one thread executes, and its share of it, to call paths: as in {@link
 * CallPathProfile} time in a call belongs to the call, time outside to the next sample.
 */
final class NormalizedWalk {
  private static final int PROGRESS_EVENTS = 1 << 20;

  private final EventCursor cursor;
  private final IdleTimes idle;
  private final long endNs;
  private final Progress progress;
  private final long[] executingNs;
  private final long[] shares;
  private final OpenPaths open = new OpenPaths();
  private boolean more;
  private long eventNs;
  private int untilProgress = PROGRESS_EVENTS;

  /** The time up to which the thread was followed, what the clock showed then, and its next change. */
  private long nowNs;
  private long shownAtNow;
  private long change;
  private long changeNs;
  // Since the event before; and outside of calls since the last sample.
  private long passedNs;
  private long passedShare;
  private long outsideNs;
  private long outsideShare;
  private int found;

  /** Of a thread between two times. */
  NormalizedWalk(ThreadRecord record, IdleTimes idle, long beginNs, long endNs,
      Progress progress) {
    this.idle = idle;
    this.endNs = endNs;
    this.progress = progress;
    int paths = record.process().callPaths().count();
    executingNs = new long[paths];
    shares = new long[paths];
    nowNs = beginNs;
    change = idle.firstAfter(beginNs);
    findChange();
    cursor = record.thread().cursor();
    move();
  }

  private void move() {
    more = cursor.next();
    if (more) {
      eventNs = Math.max(eventNs, cursor.timeNs());
    }
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
    while (more && eventNs <= clock.endNs()) {
      event(clock);
      move();
    }
    advance(clock, Math.min(more ? clock.endNs() : eventNs, endNs));
    if (!more) {
      attribute();
      outside();
    }
  }

  private long shown(ShareClock clock, long timeNs) {
    found = clock.find(found, timeNs);
    return clock.share(found, timeNs);
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
    int kind = cursor.kind();
    if (kind == Kind.ENTER || kind == Kind.LEAVE || kind == Kind.SAMPLE && open.isEmpty()) {
      advance(clock, Math.min(eventNs, endNs));
      attribute();
      int path = known(cursor.operand());
      switch (kind) {
        case Kind.ENTER -> open.enter(path);
        case Kind.LEAVE -> open.leave(path);
        default -> add(path);
      }
    }
    if (--untilProgress == 0) {
      untilProgress = PROGRESS_EVENTS;
      progress.worked(PROGRESS_EVENTS);
      progress.check();
    }
  }

  /** The time since the last one. */
  private void attribute() {
    if (open.isEmpty()) {
      outsideNs += passedNs;
      outsideShare += passedShare;
    } else {
      executingNs[open.innermost()] += passedNs;
      shares[open.innermost()] += passedShare;
    }
    passedNs = 0;
    passedShare = 0;
  }

  private void add(int path) {
    executingNs[path] += outsideNs;
    shares[path] += outsideShare;
    outsideNs = 0;
    outsideShare = 0;
  }

  /** Of the time after the last sample nothing tells. */
  private void outside() {
    add(0);
  }

  private int known(int path) {
    return path >= 0 && path < shares.length ? path : 0;
  }
}
