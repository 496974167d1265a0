package org.parallax.analysis.replay;

import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
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
 *
 * <p>Times and CPU times are those of the events, which must not decrease; CPU times count from any moment.
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
  /** A bit for each call path in which, or below which, the thread was seen. */
  private final long[] seen;
  /** When the thread was first seen at a call site, by its address. */
  private final Map<Long, Long> sites = new HashMap<>();

  private boolean first = true;
  private boolean inCall;
  /** The begin of the time outside: a call's end, a sample or the thread's begin; and the CPU time then. */
  private long stretchNs;
  private long stretchCpuNs;
  private long callNs;
  /** The last call since the last sample that was longer than the reach; none if it has no length. */
  private long longCallNs;
  private long longCallEndNs;
  /** For the next sample, and of the last one. */
  private long nextSinceNs = SINCE_SAMPLE;
  private long sinceNs = SINCE_SAMPLE;

  SampleRule(ThreadTrace thread) {
    paths = thread.process().callPaths();
    losses = new OffCpuTimes(paths);
    seen = new long[(paths.count() >> 6) + 1];
    int hz = thread.process().sampleHz();
    reachNs = hz <= 0 ? Long.MAX_VALUE : NS_PER_SECOND * 3 / 2 / hz + TICK_NS;
  }

  /** The thread has begun. */
  void begin(long nowNs) {
    stretchNs = nowNs;
  }

  /**
   * The thread enters a call.
   *
   * @param outside whether no other call is open
   */
  void entered(int path, boolean outside, long nowNs, long cpuNs) {
    losses.entered(path);
    if (outside) {
      inCall = true;
      callNs = nowNs;
      if (cpuNs - stretchCpuNs > reachNs) {
        nextSinceNs = nowNs;
      }
    }
    see(path, nowNs);
  }

  /**
   * The thread leaves a call.
   *
   * @param outside whether no call is open any more
   */
  void left(int path, boolean outside, long nowNs, long cpuNs) {
    losses.left(path);
    if (outside && inCall) {
      inCall = false;
      if (nowNs - callNs > reachNs) {
        longCallNs = callNs;
        longCallEndNs = nowNs;
      }
      stretchNs = nowNs;
      stretchCpuNs = cpuNs;
    }
  }

  /** The thread is sampled within a call. */
  void sampledInCall(int path, long nowNs) {
    losses.sampled(path);
    see(path, nowNs);
  }

  /** The thread is sampled outside of calls. */
  void sampled(int path, long nowNs, long cpuNs) {
    losses.sampled(path);
    long cpuOutsideNs = cpuNs - stretchCpuNs;
    sinceNs = nextSinceNs;
    if (cpuOutsideNs > reachNs) {
      double share = (double) reachNs / cpuOutsideNs;
      sinceNs = nowNs - Math.round(share * (nowNs - stretchNs));
    } else if (longCallEndNs > longCallNs && (first || isNewSince(path, longCallNs))) {
      sinceNs = Math.max(sinceNs, longCallEndNs);
    }
    first = false;
    nextSinceNs = SINCE_SAMPLE;
    longCallEndNs = longCallNs;
    stretchNs = nowNs;
    stretchCpuNs = cpuNs;
    see(path, nowNs);
  }

  /**
   * The thread is at an event of the CPU time.
   *
   * @param fromNs the time of the event before
   * @param innermost the call path of the innermost open call; ignored if the thread is outside
   */
  void lost(EventCursor cursor, long fromNs, long nowNs, boolean outside, int innermost) {
    if (outside || paths.isFunction(innermost)) {
      losses.lost(cursor.position(), fromNs, nowNs, cursor.payload(1));
    }
    losses.count(cursor.payload(1));
    if (cursor.payloadCount() > 2) {
      losses.told(cursor.payload(2));
    }
  }

  private boolean isNewSince(int path, long timeNs) {
    int caller = path > 0 && path < paths.count() ? paths.parent(path) : 0;
    return caller != 0 && sites.getOrDefault(paths.value(caller), Long.MAX_VALUE) > timeNs;
  }

  private void see(int path, long nowNs) {
    int word = path >> 6;
    if (word >= 0 && word < seen.length && (seen[word] & 1L << path) == 0 && path < paths.count()) {
      seeFirst(path, nowNs);
    }
  }

  private void seeFirst(int path, long nowNs) {
    for (int at = path; at != 0 && (seen[at >> 6] & 1L << at) == 0; at = paths.parent(at)) {
      seen[at >> 6] |= 1L << at;
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

  /**
   * @return the time from which on the last sample speaks for time outside of calls; {@link #SINCE_SAMPLE} for all
   *     since the sample before, or since the thread's begin
   */
  long sinceNs() {
    return sinceNs;
  }
}
