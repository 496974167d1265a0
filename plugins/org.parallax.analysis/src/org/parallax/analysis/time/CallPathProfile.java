package org.parallax.analysis.time;

import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Time, visits and samples of the call paths of one thread, each path without those below it. Time
 * inside a call is exact; time outside belongs to samples ({@code SampleScan}), so that the paths'
 * times add up to the thread's.
 *
 * <p>Index 0 holds the time of which no sample tells.
 */
public final class CallPathProfile {
  private final long[] wallNs;
  private final long[] cpuNs;
  private final long[] visits;
  private final long[] samples;
  private final boolean[] throttled;
  private final byte[] kinds;

  private CallPathProfile(CallPaths callPaths) {
    int paths = callPaths.count();
    kinds = callPaths.kinds();
    throttled = new boolean[paths];
    wallNs = new long[paths];
    cpuNs = new long[paths];
    visits = new long[paths];
    samples = new long[paths];
  }

  private CallPathProfile(CallPathProfile other, double[] removedNs) {
    kinds = other.kinds;
    throttled = other.throttled;
    visits = other.visits;
    samples = other.samples;
    wallNs = less(other.wallNs, removedNs);
    cpuNs = less(other.cpuNs, removedNs);
  }

  private static long[] less(long[] times, double[] removedNs) {
    long[] left = times.clone();
    for (int path = 0; path < left.length; path++) {
      left[path] -= Math.min(Math.max(0, left[path]), Math.round(removedNs[path]));
    }
    return left;
  }

  /** @return the same without some time of each call path; no time becomes less than 0 */
  public CallPathProfile without(double[] removedNs) {
    return new CallPathProfile(this, removedNs);
  }

  /** @return wall time by call path in nanoseconds; not to be changed */
  public long[] wallNs() {
    return wallNs;
  }

  /** @return CPU time by call path in nanoseconds; not to be changed */
  public long[] cpuNs() {
    return cpuNs;
  }

  /**
   * @return visits by call path: exact where {@link #isExact}, else a lower bound; not to be changed
   */
  public long[] visits() {
    return visits;
  }

  /** @return true for intercepted routines and instrumented functions, whose visits are all known */
  public boolean isExact(int path) {
    return kinds[path] == CallPaths.REGION || kinds[path] == CallPaths.FUNCTION;
  }

  /** @return true if calls of the path were only counted from some time on, as they were so many */
  public boolean isThrottled(int path) {
    return throttled[path];
  }

  /** @return samples by call path; not to be changed */
  public long[] samples() {
    return samples;
  }

  /**
   * Reads the events of a thread once. Visits that began in the window count.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static CallPathProfile of(
      ProcessTrace process, ThreadTrace thread, Window window, Progress progress) {
    CallPathProfile profile = new CallPathProfile(process.callPaths());
    profile.read(new PathReader(thread, progress), window);
    return profile;
  }

  private void read(PathReader reader, Window window) {
    EventCursor cursor = reader.cursor();
    while (reader.next()) {
      long from = reader.fromNs();
      long split = reader.splitNs();
      long time = reader.timeNs();
      long lost = cursor.lostNs();
      long sampled = window.cpuNsFrom(split, from, time, lost);
      cpuNs[reader.path()] += sampled;
      if (split > from) {
        cpuNs[0] += window.cpuNs(from, time, lost) - sampled;
      }
      long wallSplit = reader.wallSplitNs();
      wallNs[0] += window.overlapNs(from, wallSplit);
      wallNs[reader.path()] += window.overlapNs(wallSplit, reader.offCpuNs());
      if (reader.offCpuNs() < time) {
        wallNs[reader.offCpuPath()] += window.overlapNs(reader.offCpuNs(), reader.preemptedNs());
        wallNs[reader.preemptedPath()] += window.overlapNs(reader.preemptedNs(), time);
      }
      int counted = window.contains(time) ? 1 : 0;
      switch (cursor.kind()) {
        case Kind.ENTER -> visits[reader.known(cursor.operand())] += counted;
        case Kind.VISITS ->
            visits[reader.known(cursor.operand())] += counted * cursor.payload(0);
        case Kind.THROTTLED -> throttled[reader.known(cursor.operand())] = true;
        case Kind.SAMPLE -> samples[reader.known(cursor.operand())] += counted;
        default -> { }
      }
    }
  }
}
