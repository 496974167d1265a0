package org.parallax.analysis.clocks;

import java.util.Arrays;
import org.parallax.trace.TimeMap;

/**
 * The logical clock of one thread: its times, put forward where an event would precede its cause. After
 * a jump it goes slower than the thread's clock by 1/{@value #RATE} until both agree again: the
 * forward amortization of the controlled logical clock (Rabenseifner, "The Controlled Logical Clock",
 * EuroMicro PDP 1997), with a control variable of 1 - 1/{@value #RATE}.
 *
 * <p>Every call takes constant amortized time. Memory: 48 bytes for each jump.
 */
final class LogicalClock {
  private static final int RATE_SHIFT = 7;
  /** The clock never loses or gains more than one part in so many. */
  static final int RATE = 1 << RATE_SHIFT;
  /** Of larger jumps, 208 days, only so much is amortized: the time it takes must be a long. */
  private static final long MOST_AMORTIZED_NS = 1L << 54;

  private long[] fromNs = new long[8];
  private long[] toNs = new long[8];
  private int knots;
  private long[] beforeNs = new long[4];
  private long[] afterNs = new long[4];
  private int jumps;
  private long lastJumpNs;

  private long nowNs;
  private long sinceNs;
  private long aheadNs;

  /** The thread is at this time of its own clock. @return the logical time */
  long at(long ns) {
    nowNs = ns;
    return corrected(ns);
  }

  private long corrected(long ns) {
    return ns + Math.max(0, aheadNs - (ns - sinceNs >> RATE_SHIFT));
  }

  /** @return whether the clock was ever put forward */
  boolean hasJumped() {
    return jumps > 0;
  }

  /** Puts the clock forward to a later logical time, now. */
  void jumpTo(long wantedNs) {
    if (jumps > 0 && lastJumpNs == nowNs) {
      toNs[knots - 1] = wantedNs;
      afterNs[jumps - 1] = wantedNs;
    } else {
      endPiece(nowNs - 1);
      if (jumps == beforeNs.length) {
        beforeNs = Arrays.copyOf(beforeNs, 2 * jumps);
        afterNs = Arrays.copyOf(afterNs, 2 * jumps);
      }
      beforeNs[jumps] = corrected(nowNs - 1);
      afterNs[jumps++] = wantedNs;
      add(nowNs, wantedNs);
      lastJumpNs = nowNs;
    }
    sinceNs = nowNs;
    aheadNs = wantedNs - nowNs;
  }

  /** @return the time in which a jump of this length is amortized */
  static long amortizedNs(long jumpNs) {
    return Math.min(jumpNs, MOST_AMORTIZED_NS) << RATE_SHIFT;
  }

  private void endPiece(long lastNs) {
    long agreeNs = sinceNs + amortizedNs(aheadNs);
    if (knots > 0 && agreeNs < lastNs) {
      add(agreeNs, corrected(agreeNs));
    }
    add(lastNs, corrected(lastNs));
  }

  private void add(long from, long to) {
    if (knots > 0 && fromNs[knots - 1] >= from) {
      return;
    }
    if (knots == fromNs.length) {
      fromNs = Arrays.copyOf(fromNs, 2 * knots);
      toNs = Arrays.copyOf(toNs, 2 * knots);
    }
    fromNs[knots] = from;
    toNs[knots++] = to;
  }

  /** @return the logical time by that of the thread's clock; only after a jump. Nothing may follow. */
  TimeMap map() {
    long agreeNs = sinceNs + amortizedNs(aheadNs);
    add(agreeNs, corrected(agreeNs));
    return TimeMap.of(Arrays.copyOf(fromNs, knots), Arrays.copyOf(toNs, knots));
  }

  int jumps() {
    return jumps;
  }

  /** @return the logical time right before a jump */
  long beforeNs(int jump) {
    return beforeNs[jump];
  }

  /** @return the logical time right after a jump */
  long afterNs(int jump) {
    return afterNs[jump];
  }
}
