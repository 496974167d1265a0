package org.parallax.analysis.clocks;

import org.parallax.analysis.replay.ArcKind;

/** The shortest time that an interaction between two threads can take. */
interface Latencies {
  /**
   * @param from index of the thread of the cause
   * @param to of the effect
   */
  long leastNs(int from, int to, ArcKind kind);
}
