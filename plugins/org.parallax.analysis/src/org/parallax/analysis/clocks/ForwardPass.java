package org.parallax.analysis.clocks;

import java.util.List;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.TimeOrder;

/** Gives each thread a {@link LogicalClock}, and puts it forward where an effect would precede its cause. */
final class ForwardPass implements TimeOrder {
  /** Interpolation rounds down: where times are corrected, a cause is so much earlier. */
  static final long MARGIN_NS = 4;

  private final Latencies latencies;
  private LogicalClock[] clocks = {};

  ForwardPass(Latencies latencies) {
    this.latencies = latencies;
  }

  @Override
  public void begin(List<ThreadRecord> threads) {
    clocks = new LogicalClock[threads.size()];
    for (int i = 0; i < clocks.length; i++) {
      clocks[i] = new LogicalClock();
    }
  }

  @Override
  public long timeNs(int thread, long ns) {
    return clocks[thread].at(ns);
  }

  @Override
  public long met(int thread, ArcKind kind, long cause, long causeNs, long endNs) {
    int other = Reference.thread(cause);
    LogicalClock clock = clocks[thread];
    boolean moved = other != thread && (clock.hasJumped() || clocks[other].hasJumped());
    long leastNs = causeNs + latencies.leastNs(other, thread, kind) + (moved ? MARGIN_NS : 0);
    if (leastNs <= endNs) {
      return endNs;
    }
    clock.jumpTo(leastNs);
    return leastNs;
  }

  LogicalClock clock(int thread) {
    return clocks[thread];
  }
}
