package org.parallax.analysis.replay;

import org.parallax.trace.ThreadTrace;

/** What the work of a thread weighs if parts of the program were faster, as its events are read. */
final class FasterWork {
  /** The remaining share of the time of each call path. */
  private final double[] shares;
  private final PathAhead ahead;

  FasterWork(double[] shares, ThreadTrace thread) {
    this.shares = shares;
    ahead = new PathAhead(thread);
  }

  private double share(int path) {
    return shares[path >= 0 && path < shares.length ? path : 0];
  }

  /**
   * The new weight of work in a call.
   *
   * @param position of the event to which the work leads, if time without a processor is apart from that of
   *     the call: in an instrumented function; else -1
   */
  long inCall(long weight, int path, long position, Window window, long fromNs, long toNs) {
    if (position >= 0) {
      ahead.at(position);
      long offNs = Math.max(fromNs, Math.min(toNs, ahead.offCpuSinceNs(position)));
      if (offNs < toNs) {
        long lost = window.overlapNs(offNs, toNs);
        return withoutProcessor(position, window, offNs, toNs) + Math.round((weight - lost) * share(path));
      }
    }
    return Math.round(weight * share(path));
  }

  /**
   * The new weight of work outside of calls, of which a sample may tell a part only.
   *
   * @param position of the event to which the work leads
   * @param lostNs the time lost in the work
   * @param isCpuWeight false where time without a processor weighs, too
   */
  long outside(long weight, long position, Window window, long fromNs, long toNs, long lostNs,
      boolean isCpuWeight) {
    ahead.at(position);
    long offNs = isCpuWeight ? toNs : Math.max(fromNs, Math.min(toNs, ahead.offCpuSinceNs(position)));
    if (offNs < toNs) {
      long lost = window.overlapNs(offNs, toNs);
      return withoutProcessor(position, window, offNs, toNs)
          + sampled(weight - lost, position, window, fromNs, offNs, 0);
    }
    return sampled(weight, position, window, fromNs, toNs, isCpuWeight ? lostNs : 0);
  }

  private long withoutProcessor(long position, Window window, long offNs, long toNs) {
    long preemptedNs = Math.max(offNs, Math.min(toNs, ahead.preemptedSinceNs(position)));
    return Math.round(window.overlapNs(offNs, preemptedNs) * share(ahead.offCpuPath(position)))
        + Math.round(window.overlapNs(preemptedNs, toNs) * share(ahead.preemptedPath(position)));
  }

  private long sampled(long weight, long position, Window window, long fromNs, long toNs, long lostNs) {
    double share = share(ahead.at(position));
    long split = Math.min(ahead.sinceNs(), toNs);
    if (split <= fromNs) {
      return Math.round(weight * share);
    }
    long sampled = window.cpuNsFrom(split, fromNs, toNs, lostNs);
    return Math.round(sampled * share + (weight - sampled) * share(0));
  }
}
