package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/** Tells a listener when a thread under replay does not execute. */
final class IdleTeller {
  private final IdleListener listener;
  private final int thread;
  private final boolean tellsLost;
  private long lastLeaveNs;

  /**
   * @param thread index in the replay
   * @param tellsLost true to tell of lost processors, too
   * @param beginNs when the thread begins
   */
  IdleTeller(IdleListener listener, int thread, boolean tellsLost, long beginNs) {
    this.listener = listener;
    this.thread = thread;
    this.tellsLost = tellsLost;
    lastLeaveNs = beginNs;
  }

  /** The thread comes from the event before to that at which the cursor stands. */
  void advance(EventCursor cursor, long beforeNs, long now) {
    if (cursor.kind() == Kind.LEAVE) {
      lastLeaveNs = now;
    } else if (cursor.kind() == Kind.CPU && tellsLost) {
      listener.idle(thread, now - Math.min(cursor.payload(1), now - beforeNs), now);
    }
  }

  /** The thread waited, or, where it begins what others made, has been idle since its last call. */
  void waited(boolean begins, long beginNs, long untilNs) {
    long from = begins ? lastLeaveNs : beginNs;
    if (untilNs > from) {
      listener.idle(thread, from, untilNs);
    }
  }
}
