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
  private boolean begun;
  private long nowNs;
  private long cpuNs;

  SampleScan(ThreadTrace thread) {
    cursor = thread.cursor();
    rule = new SampleRule(thread);
  }

  /** Goes to the next sample; false if there is none. */
  boolean next() {
    EventCursor events = cursor;
    while (events.next()) {
      long time = events.timeNs();
      if (!begun) {
        begun = true;
        nowNs = time;
        rule.begin(time);
      }
      long fromNs = nowNs;
      long passed = Math.max(0, time - fromNs);
      nowNs = fromNs + passed;
      cpuNs += Math.max(0, passed - events.lostNs());
      int kind = events.kind();
      if (kind == Kind.ENTER) {
        rule.entered(events.operand(), calls.isEmpty(), nowNs, cpuNs);
        calls.enter(events.operand());
      } else if (kind == Kind.LEAVE) {
        calls.leave(events.operand());
        rule.left(events.operand(), calls.isEmpty(), nowNs, cpuNs);
      } else if (kind == Kind.CPU) {
        rule.lost(events, fromNs, nowNs, calls.isEmpty(), calls.isEmpty() ? 0 : calls.innermost());
      } else if (kind == Kind.SAMPLE && calls.isEmpty()) {
        rule.sampled(events.operand(), nowNs, cpuNs);
        return true;
      } else if (kind == Kind.SAMPLE) {
        rule.sampledInCall(events.operand(), nowNs);
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
    return nowNs;
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
