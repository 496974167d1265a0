package org.parallax.analysis.graph;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ThreadTrace;

/**
 * The samples of a thread that were taken outside of calls, in the order of time, each with the time
 * for which it speaks. This is the one rule by which time outside of calls gets its call path: it
 * belongs to the next sample (Szebenyi et al. 2011, section II.B.2); after the last one, to none.
 *
 * <p>Cost: each event of the thread once.
 */
final class SampleScan {
  private final EventCursor cursor;
  private final OpenPaths calls = new OpenPaths();

  SampleScan(ThreadTrace thread) {
    cursor = thread.cursor();
  }

  /** Goes to the next sample; false if there is none. */
  boolean next() {
    while (cursor.next()) {
      switch (cursor.kind()) {
        case Kind.ENTER -> calls.enter(cursor.operand());
        case Kind.LEAVE -> calls.leave(cursor.operand());
        case Kind.SAMPLE -> {
          if (calls.isEmpty()) {
            return true;
          }
        }
        default -> { }
      }
    }
    return false;
  }

  /** @return the position of the sample's event */
  long position() {
    return cursor.position();
  }

  long timeNs() {
    return cursor.timeNs();
  }

  /** @return the call path of the sample, as the event has it */
  int path() {
    return cursor.operand();
  }
}
