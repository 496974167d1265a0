package org.parallax.analysis.replay;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ThreadTrace;

/**
 * For which time outside of calls the samples of a thread speak, while it is told of the thread's events in the order
 * of time. This is the one rule by which time outside of calls gets its call path.
 *
 * <p>A sample speaks for the time outside of calls back to the sample before it (Szebenyi et al.
 * 2011, section II.B.2), but not for time of which it cannot know:
 *
 * <ul>
 *   <li>Not beyond its <em>reach</em>, one and a half sampling periods and a tick of the kernel, of
 *       CPU time without a call: there, the sampler would have taken a sample.
 *   <li>Not beyond a call that lasted longer than the reach, if the thread was not seen at the call
 *       site of the sample's function before that call, nor for the first sample of the thread: the
 *       function has begun after that call, as far as is known.
 * </ul>
 *
 * <p>No sample speaks for the time after the last one, nor for time without a processor: that is told
 * of by {@link #losses}.
 *
 * <p>Cost: constant for each event, and each call path of the thread once.
 */
final class SampleRule {
  private static final long NS_PER_SECOND = 1_000_000_000;
  /** A tick of the slowest kernels, by which a timer can be late. */
  private static final long TICK_NS = 10_000_000;
  /** Speaks for all time since the sample before. */
  static final long SINCE_SAMPLE = Long.MIN_VALUE;

  private final CallPaths paths;
  private final OffCpuTimes losses;
  private final long reachNs;
  private final BitSet seen = new BitSet();
  /** When the thread was first seen at a call site, by its address. */
  private final Map<Long, Long> sites = new HashMap<>();

  private boolean begun;
  private boolean first = true;
  private long nowNs;
  /** Whether the event before was in a call, or began one. */
  private boolean inCall;
  /** Of the time outside since a call, a sample or the thread's begin: its begin, and the CPU time. */
  private long stretchNs;
  private long stretchCpuNs;
  private long callNs;
  /** The last call since the last sample that was longer than the reach; none if it has no length. */
  private long longCallNs;
  private long longCallEndNs;
  private long sinceNs = SINCE_SAMPLE;
  private boolean atSample;

  SampleRule(ThreadTrace thread) {
    paths = thread.process().callPaths();
    losses = new OffCpuTimes(paths);
    int hz = thread.process().sampleHz();
    reachNs = hz <= 0 ? Long.MAX_VALUE : NS_PER_SECOND * 3 / 2 / hz + TICK_NS;
  }

  /**
   * The thread comes to an event.
   *
   * @param cursor at the event, of this kind and at this time
   * @param outside whether no call is open before it
   * @param innermost the call path of the innermost open call, if there is one
   * @return whether the event is a sample outside of calls
   */
  boolean event(EventCursor cursor, int kind, long timeNs, boolean outside, int innermost) {
    if (atSample) {
      endSample();
    }
    if (outside && inCall) {
      left();
    }
    if (!begun) {
      begun = true;
      nowNs = timeNs;
      stretchNs = timeNs;
    }
    long fromNs = nowNs;
    long passed = Math.max(0, timeNs - fromNs);
    nowNs = fromNs + passed;
    if (outside) {
      stretchCpuNs += Math.max(0, passed - cursor.lostNs());
    }
    switch (kind) {
      case Kind.ENTER -> {
        int path = cursor.operand();
        losses.entered(path);
        if (outside) {
          entered();
        }
        see(path);
      }
      case Kind.LEAVE -> losses.left(cursor.operand());
      case Kind.SAMPLE -> {
        int path = cursor.operand();
        losses.sampled(path);
        if (outside) {
          sampled(path);
        }
        see(path);
        return outside;
      }
      case Kind.CPU -> lost(cursor, fromNs, outside || paths.isFunction(innermost));
      default -> { }
    }
    return false;
  }

  private void lost(EventCursor cursor, long fromNs, boolean isOutsideOfRoutines) {
    if (isOutsideOfRoutines) {
      losses.lost(cursor.position(), fromNs, nowNs, cursor.payload(1));
    }
    losses.count(cursor.payload(1));
    if (cursor.payloadCount() > 2) {
      losses.told(cursor.payload(2));
    }
  }

  private void entered() {
    inCall = true;
    callNs = nowNs;
    if (stretchCpuNs > reachNs) {
      sinceNs = nowNs;
    }
  }

  /** The event before has ended the outermost call. */
  private void left() {
    inCall = false;
    if (nowNs - callNs > reachNs) {
      longCallNs = callNs;
      longCallEndNs = nowNs;
    }
    beginStretch();
  }

  private void beginStretch() {
    stretchNs = nowNs;
    stretchCpuNs = 0;
  }

  private void sampled(int path) {
    atSample = true;
    if (stretchCpuNs > reachNs) {
      double share = (double) reachNs / stretchCpuNs;
      sinceNs = nowNs - Math.round(share * (nowNs - stretchNs));
    } else if (longCallEndNs > longCallNs && (first || isNewSince(path, longCallNs))) {
      sinceNs = Math.max(sinceNs, longCallEndNs);
    }
  }

  private void endSample() {
    atSample = false;
    first = false;
    sinceNs = SINCE_SAMPLE;
    longCallEndNs = longCallNs;
    beginStretch();
  }

  private boolean isNewSince(int path, long timeNs) {
    int caller = path > 0 && path < paths.count() ? paths.parent(path) : 0;
    return caller != 0 && sites.getOrDefault(paths.value(caller), Long.MAX_VALUE) > timeNs;
  }

  private void see(int path) {
    int at = path >= 0 && path < paths.count() ? path : 0;
    for (; at != 0 && !seen.get(at); at = paths.parent(at)) {
      seen.set(at);
      if (paths.kind(at) != CallPaths.REGION) {
        sites.putIfAbsent(paths.value(at), nowNs);
      }
    }
  }

  /** All events were told. */
  void end() {
    losses.end();
  }

  /** @return the times without a processor up to the event, or all of them after the end */
  OffCpuTimes losses() {
    return losses;
  }

  /** @return the time of the event, not before that of an earlier one */
  long timeNs() {
    return nowNs;
  }

  /**
   * @return the time from which on the sample speaks for time outside of calls; {@link #SINCE_SAMPLE} for all since the
   *     sample before, or since the thread's begin
   */
  long sinceNs() {
    return sinceNs;
  }
}
