package org.parallax.tuning.session;

import java.util.HashMap;
import java.util.Map;

/**
 * Brings the times of other hosts to the clock of the first one, which is that of the session. Each host has a clock with a
 * beginning and a rate of its own. A line arrives later than it is written, by an unknown delay; the least difference
 * between arrival and time, over the last minute at most, is taken as the offset of the clock. Times of two hosts are
 * therefore apart by the difference of their least delays. Those of one host never go back, and none is after its arrival.
 */
final class HostClocks {
  /** Rates differ by up to 0.05 %, which is 15 ms in this time. */
  private static final long SPAN_NS = 30_000_000_000L;

  /** A clock, and its least difference to another one, in this span and in the one before. */
  private static final class Clock {
    private long leastNs = Long.MAX_VALUE;
    private long formerNs = Long.MAX_VALUE;
    private long sinceNs;
    private long lastNs = Long.MIN_VALUE;

    void add(long timeNs, long arrivalNs) {
      if (arrivalNs - sinceNs > SPAN_NS) {
        formerNs = leastNs;
        leastNs = Long.MAX_VALUE;
        sinceNs = arrivalNs;
      }
      leastNs = Math.min(leastNs, arrivalNs - timeNs);
    }

    long offsetNs() {
      return Math.min(leastNs, formerNs);
    }
  }

  private final Map<String, Clock> clocks = new HashMap<>();
  private String own;

  /** @return the time of the session, given that of this process since its beginning */
  long now(long hereNs) {
    Clock clock = clocks.get(own);
    return clock == null ? hereNs : hereNs - clock.offsetNs();
  }

  /**
   * The time of a line in the clock of the session. The first host that is heard of is the one whose clock it is.
   *
   * @param timeNs as the host has it
   * @param hereNs when the line came, by the clock of this process
   */
  long align(String host, long timeNs, long hereNs) {
    if (own == null) {
      own = host;
    }
    Clock clock = clocks.computeIfAbsent(host, made -> new Clock());
    if (host.equals(own)) {
      clock.add(timeNs, hereNs);
      return timeNs;
    }
    long arrivalNs = now(hereNs);
    clock.add(timeNs, arrivalNs);
    clock.lastNs = Math.max(clock.lastNs, timeNs + clock.offsetNs());
    return clock.lastNs;
  }

  /** Another monitor may tell of the host from now on, with a clock of its own. */
  void forget(String host) {
    if (!host.equals(own)) {
      clocks.remove(host);
    }
  }
}
