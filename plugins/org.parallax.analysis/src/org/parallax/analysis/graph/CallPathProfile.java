package org.parallax.analysis.graph;

import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Time, visits and samples of the call paths of one thread, each path without those below it. Time
 * inside a call is exact; time outside belongs to the sample whose effective interval it is in
 * (Szebenyi et al. 2011, section II.B.2), so that the paths' times add up to the thread's.
 *
 * <p>Index 0 holds what no sample tells of: the time after the last one.
 */
public final class CallPathProfile {
  private static final int PROGRESS_EVENTS = 1 << 20;

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
    CallPaths paths = process.callPaths();
    CallPathProfile profile = new CallPathProfile(paths);
    profile.read(thread.cursor(), window, progress);
    return profile;
  }

  private void read(EventCursor cursor, Window window, Progress progress) {
    OpenPaths calls = new OpenPaths();
    long outsideWall = 0;
    long outsideCpu = 0;
    long now = 0;
    boolean first = true;
    int untilProgress = PROGRESS_EVENTS;
    while (cursor.next()) {
      int kind = cursor.kind();
      long time = cursor.timeNs();
      long before = first ? time : now;
      first = false;
      now = Math.max(before, time);
      long wall = window.overlapNs(before, now);
      long cpu = window.cpuNs(before, now, cursor.lostNs());
      int counted = window.contains(now) ? 1 : 0;
      if (calls.isEmpty()) {
        outsideWall += wall;
        outsideCpu += cpu;
      } else {
        wallNs[calls.innermost()] += wall;
        cpuNs[calls.innermost()] += cpu;
      }
      switch (kind) {
        case Kind.ENTER -> {
          calls.enter(known(cursor.operand()));
          visits[known(cursor.operand())] += counted;
        }
        case Kind.VISITS -> visits[known(cursor.operand())] += counted * cursor.payload(0);
        case Kind.THROTTLED -> throttled[known(cursor.operand())] = true;
        case Kind.LEAVE -> calls.leave(known(cursor.operand()));
        case Kind.SAMPLE -> {
          int path = known(cursor.operand());
          samples[path] += counted;
          if (calls.isEmpty()) {
            wallNs[path] += outsideWall;
            cpuNs[path] += outsideCpu;
            outsideWall = 0;
            outsideCpu = 0;
          }
        }
        default -> { }
      }
      if (--untilProgress == 0) {
        untilProgress = PROGRESS_EVENTS;
        progress.worked(PROGRESS_EVENTS);
        progress.check();
      }
    }
    wallNs[0] += outsideWall;
    cpuNs[0] += outsideCpu;
  }

  private int known(int path) {
    return path >= 0 && path < wallNs.length ? path : 0;
  }
}
