package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ThreadTrace;

/**
 * The samples of a thread that were taken outside of calls, in the order of time, each with the time
 * for which it speaks by the {@link SampleRule}.
 *
 * <p>Cost: each event of the thread once, and each of its call paths once.
 */
final class SampleScan {
  /** Speaks for all time since the sample before. */
  static final long SINCE_SAMPLE = SampleRule.SINCE_SAMPLE;

  private final EventCursor cursor;
  private final SampleRule rule;
  private final OpenPaths calls = new OpenPaths();

  SampleScan(ThreadTrace thread) {
    cursor = thread.cursor();
    rule = new SampleRule(thread);
  }

  /** Goes to the next sample; false if there is none. */
  boolean next() {
    EventCursor events = cursor;
    while (events.next()) {
      int kind = events.kind();
      boolean outside = calls.isEmpty();
      boolean sampled = rule.event(events, kind, events.timeNs(), outside, outside ? 0 : calls.innermost());
      if (kind == Kind.ENTER) {
        calls.enter(events.operand());
      } else if (kind == Kind.LEAVE) {
        calls.leave(events.operand());
      } else if (sampled) {
        return true;
      }
    }
    rule.end();
    return false;
  }

  /** @return the times without a processor up to the sample, or up to the end if there is none */
  OffCpuTimes losses() {
    return rule.losses();
  }

  /** @return the position of the sample's event */
  long position() {
    return cursor.position();
  }

  long timeNs() {
    return rule.timeNs();
  }

  /** @return the call path of the sample, as the event has it */
  int path() {
    return cursor.operand();
  }

  /**
   * @return the time from which on it speaks for time outside of calls; {@link #SINCE_SAMPLE} for all
   *     since the sample before, or since the thread's begin
   */
  long sinceNs() {
    return rule.sinceNs();
  }
}
