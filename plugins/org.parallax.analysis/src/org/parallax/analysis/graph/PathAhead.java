package org.parallax.analysis.graph;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ThreadTrace;

/**
 * The call path to which the time of a thread outside of calls belongs while its events are read
 * forward: that of the next sample (Szebenyi et al. 2011, section II.B.2). Reads ahead of the replay
 * with a cursor of its own, each event once.
 */
public final class PathAhead {
  private final EventCursor cursor;
  private final OpenPaths calls = new OpenPaths();
  private long samplePosition = -1;
  private int path;

  /** From the first event of the thread on; reads nothing yet. */
  public PathAhead(ThreadTrace thread) {
    cursor = thread.cursor();
  }

  /** @return the path of the first sample outside of calls at the position or after it, else 0 */
  public int at(long position) {
    while (samplePosition < position) {
      if (!cursor.next()) {
        samplePosition = Long.MAX_VALUE;
        path = 0;
        break;
      }
      switch (cursor.kind()) {
        case Kind.ENTER -> calls.enter(cursor.operand());
        case Kind.LEAVE -> calls.leave(cursor.operand());
        case Kind.SAMPLE -> {
          if (calls.isEmpty()) {
            samplePosition = cursor.position();
            path = cursor.operand();
          }
        }
        default -> { }
      }
    }
    return path;
  }
}
