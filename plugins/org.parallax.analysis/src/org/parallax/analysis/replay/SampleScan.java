package org.parallax.analysis.replay;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ThreadTrace;

/**
 * The samples of a thread that were taken outside of calls, in the order of time, each with the time
 * for which it speaks. This is the one rule by which time outside of calls gets its call path.
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
 * <p>Cost: each event of the thread once, and each of its call paths once.
 */
final class SampleScan {
  private static final long NS_PER_SECOND = 1_000_000_000;
  /** A tick of the slowest kernels, by which a timer can be late. */
  private static final long TICK_NS = 10_000_000;
  /** Speaks for all time since the sample before. */
  static final long SINCE_SAMPLE = Long.MIN_VALUE;

  private final EventCursor cursor;
  private final CallPaths paths;
  private final OffCpuTimes losses;
  private final OpenPaths calls = new OpenPaths();
  private final long reachNs;
  private final BitSet seen = new BitSet();
  /** When the thread was first seen at a call site, by its address. */
  private final Map<Long, Long> sites = new HashMap<>();

  private boolean begun;
  private boolean first = true;
  private long nowNs;
  /** Of the time outside since a call, a sample or the thread's begin: its begin, and the CPU time. */
  private long stretchNs;
  private long stretchCpuNs;
  private long callNs;
  /** The last call since the last sample that was longer than the reach; none if it has no length. */
  private long longCallNs;
  private long longCallEndNs;
  private long sinceNs = SINCE_SAMPLE;
  private boolean atSample;

  SampleScan(ThreadTrace thread) {
    cursor = thread.cursor();
    paths = thread.process().callPaths();
    losses = new OffCpuTimes(paths);
    int hz = thread.process().sampleHz();
    reachNs = hz <= 0 ? Long.MAX_VALUE : NS_PER_SECOND * 3 / 2 / hz + TICK_NS;
  }

  /** Goes to the next sample; false if there is none. */
  boolean next() {
    if (atSample) {
      endSample();
    }
    while (cursor.next()) {
      long fromNs = begun ? nowNs : cursor.timeNs();
      advance();
      switch (cursor.kind()) {
        case Kind.CPU -> {
          if (calls.isEmpty() || paths.isFunction(calls.innermost())) {
            losses.lost(cursor.position(), fromNs, nowNs, cursor.payload(1));
          }
          losses.count(cursor.payload(1));
          if (cursor.payloadCount() > 2) {
            losses.told(cursor.payload(2));
          }
        }
        case Kind.ENTER -> {
          losses.entered(cursor.operand());
          enter(cursor.operand());
        }
        case Kind.LEAVE -> {
          losses.left(cursor.operand());
          leave(cursor.operand());
        }
        case Kind.SAMPLE -> {
          losses.sampled(cursor.operand());
          if (calls.isEmpty()) {
            sample(cursor.operand());
            return true;
          }
          see(cursor.operand());
        }
        default -> { }
      }
    }
    losses.end();
    return false;
  }

  /** @return the times without a processor up to the sample, or up to the end if there is none */
  OffCpuTimes losses() {
    return losses;
  }

  private void advance() {
    long time = cursor.timeNs();
    if (!begun) {
      begun = true;
      nowNs = time;
      stretchNs = time;
    }
    long passed = Math.max(0, time - nowNs);
    nowNs += passed;
    if (calls.isEmpty()) {
      stretchCpuNs += Math.max(0, passed - cursor.lostNs());
    }
  }

  private void enter(int path) {
    if (calls.isEmpty()) {
      callNs = nowNs;
      if (stretchCpuNs > reachNs) {
        sinceNs = nowNs;
      }
    }
    calls.enter(path);
    see(path);
  }

  private void leave(int path) {
    boolean inCall = !calls.isEmpty();
    calls.leave(path);
    if (inCall && calls.isEmpty()) {
      if (nowNs - callNs > reachNs) {
        longCallNs = callNs;
        longCallEndNs = nowNs;
      }
      beginStretch();
    }
  }

  private void beginStretch() {
    stretchNs = nowNs;
    stretchCpuNs = 0;
  }

  private void sample(int path) {
    atSample = true;
    if (stretchCpuNs > reachNs) {
      double share = (double) reachNs / stretchCpuNs;
      sinceNs = nowNs - Math.round(share * (nowNs - stretchNs));
    } else if (longCallEndNs > longCallNs && (first || isNewSince(path, longCallNs))) {
      sinceNs = Math.max(sinceNs, longCallEndNs);
    }
    see(path);
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
    return sinceNs;
  }
}
