package org.parallax.record;

import java.util.ArrayList;
import java.util.List;

/**
 * How fast events and bytes arrive while a program runs, over all of its time. When there are many
 * intervals, two become one each: what is kept does not grow with the time. Safe for threads.
 */
public final class ArrivalRates {
  /** How many intervals are kept at most. */
  static final int CAPACITY = 600;
  private static final long RECENT_NS = 1_000_000_000;
  private static final double NS_PER_SECOND = 1e9;

  /** What arrived in a part of the time. */
  public record Interval(long fromNs, long toNs, long events, long bytes) {
    public double eventsPerSecond() {
      return perSecond(events);
    }

    public double bytesPerSecond() {
      return perSecond(bytes);
    }

    private double perSecond(long number) {
      return toNs == fromNs ? 0 : number * NS_PER_SECOND / (toNs - fromNs);
    }

    private Interval and(Interval next) {
      return new Interval(fromNs, next.toNs, events + next.events, bytes + next.bytes);
    }
  }

  private final List<Interval> intervals = new ArrayList<>();
  /** How many looks one interval is made of by now. */
  private int looks = 1;
  private int looksOfLast;
  private long lastNs;
  private TraceWatch.Counts last = TraceWatch.Counts.NONE;
  private Interval recent = new Interval(0, 0, 0, 0);

  /**
   * Adds a look.
   *
   * @param ns since the begin; a look that is not later than the last one is passed over
   * @param counts of all that has arrived by then
   */
  public synchronized void add(long ns, TraceWatch.Counts counts) {
    if (ns <= lastNs) {
      return;
    }
    Interval interval = new Interval(lastNs, ns, Math.max(0, counts.events() - last.events()),
        Math.max(0, counts.bytes() - last.bytes()));
    lastNs = ns;
    last = counts;
    recent = recent.toNs() - recent.fromNs() >= RECENT_NS ? interval : recent.and(interval);
    if (looksOfLast > 0 && looksOfLast < looks) {
      intervals.set(intervals.size() - 1, intervals.get(intervals.size() - 1).and(interval));
      looksOfLast++;
      return;
    }
    if (intervals.size() == CAPACITY) {
      halve();
    }
    intervals.add(interval);
    looksOfLast = 1;
  }

  private void halve() {
    for (int i = 0; i < CAPACITY / 2; i++) {
      intervals.set(i, intervals.get(2 * i).and(intervals.get(2 * i + 1)));
    }
    intervals.subList(CAPACITY / 2, CAPACITY).clear();
    looks *= 2;
  }

  /** @return all of the time in its order, without gaps; empty before the first look */
  public synchronized List<Interval> intervals() {
    return List.copyOf(intervals);
  }

  /** @return what arrived last, in the last second or so */
  public synchronized Interval recent() {
    return recent;
  }
}
