package org.parallax.analysis.replay;

import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.trace.CallPaths;

/**
 * The times outside of routines in which a thread had no processor, in the order of time: it slept by
 * a system call that is not intercepted, waited for a page, or others used the processors.
 *
 * <p>Each lies directly before the event that tells of it. Its call path
 * ({@link CallPaths#offCpu}) is that of the innermost function that was open all the time, as far as call sites tell: the events
 * with call paths before and after it have the same calls above that function. If the thread
 * was in no function before, the path after it counts.
 *
 * <p>A later event can tell for how long the thread could have run in all losses since the one that
 * told so before. Each of these losses then has its share, and is taken to end with the time in which
 * the thread could have run: a thread that is woken waits for a processor afterwards. Samples follow such
 * an event, so what is not known at a sample stays unknown.
 *
 * <p>Memory: 36 bytes for each, in a list that its reader can take from at its begin.
 */
final class OffCpuTimes {
  /** What an event has for the time in which the thread could have run if nothing is known of it. */
  private static final long RUNNABLE_UNKNOWN = 1L << 62;
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final CallPaths paths;
  private LongList positions = new LongList();
  private LongList begins = new LongList();
  private LongList ends = new LongList();
  private IntList offPaths = new IntList();
  /** From when on the thread could have run, or {@link #UNKNOWN}; of the last ones not determined yet. */
  private LongList preemptions = new LongList();
  /** All losses since the event that told for how much of them the thread could have run. */
  private long untoldNs;
  /** From here on, the path after them is not known yet. */
  private long unresolved;
  private boolean isUnresolved;
  /** The call path of the last event that has one, and whether it ends a call. */
  private int lastPath;
  private boolean lastLeft;

  OffCpuTimes(CallPaths paths) {
    this.paths = paths;
  }

  void lost(long position, long fromNs, long toNs, long lostNs) {
    long ns = Math.min(lostNs, toNs - fromNs);
    if (ns > 0) {
      positions.add(position);
      begins.add(toNs - ns);
      ends.add(toNs);
      isUnresolved = true;
    }
  }

  /**
   * After the losses of an event of the CPU time: what it tells of them and of those before.
   *
   * @param runnableNs time in which the thread could have run, or another value if it is not known
   */
  void told(long runnableNs) {
    double share = runnableNs == RUNNABLE_UNKNOWN || untoldNs <= 0 ? -1 : (double) runnableNs / untoldNs;
    untoldNs = 0;
    for (long i = preemptions.size(); i < positions.size(); i++) {
      long ns = ends.get(i) - begins.get(i);
      preemptions.add(share < 0 ? UNKNOWN : ends.get(i) - Math.min(ns, Math.round(share * ns)));
    }
  }

  /** A loss of any event, also of one in a routine. */
  void count(long lostNs) {
    untoldNs += lostNs;
  }

  private void leaveUnknown() {
    while (preemptions.size() < positions.size()) {
      preemptions.add(UNKNOWN);
    }
  }

  void entered(int path) {
    if (isUnresolved) {
      resolveAt(callSite(path));
    }
    lastPath = path;
    lastLeft = false;
  }

  void left(int path) {
    if (isUnresolved) {
      resolveAt(paths.isFunction(known(path)) ? known(path) : callSite(path));
    }
    lastPath = path;
    lastLeft = true;
  }

  void sampled(int path) {
    leaveUnknown();
    if (isUnresolved) {
      resolveAt(known(path));
    }
    lastPath = path;
    lastLeft = false;
  }

  void end() {
    leaveUnknown();
    resolve(before());
  }

  /** Forgets all, as none of them is asked for any more. */
  void clear() {
    if (positions.size() > 0) {
      positions = new LongList();
      begins = new LongList();
      ends = new LongList();
      offPaths = new IntList();
      preemptions = new LongList();
      unresolved = 0;
      isUnresolved = false;
    }
  }

  private int known(int path) {
    return paths.isDefined(path) ? path : 0;
  }

  /** @return the path without the routine or function at its end */
  private int callSite(int path) {
    return paths.parent(known(path));
  }

  /** @return the innermost call site, or the sample, that was seen last; 0 if the thread was in no function */
  private int before() {
    int path = lastLeft ? callSite(lastPath) : known(lastPath);
    return paths.isRoutine(path) ? paths.parent(path) : path;
  }

  private void resolveAt(int path) {
    int before = before();
    resolve(before == 0 ? path : common(before, path));
  }

  private void resolve(int path) {
    for (; unresolved < positions.size(); unresolved++) {
      offPaths.add(path);
    }
    isUnresolved = false;
  }

  /**
   * @return the last path on both if {@code first} is it; else below it the next one on that of
   *     {@code after}, which is in the same function as the one on that of {@code first}
   */
  private int common(int first, int after) {
    int one = first;
    int other = after;
    int below = after;
    while (one != other) {
      // A path's number is above those of the paths that it extends.
      if (one > other) {
        one = paths.parent(one);
      } else {
        below = other;
        other = paths.parent(other);
      }
    }
    return one == first ? one : below;
  }

  /** @return how many there are; they are numbered from 0 */
  long count() {
    return positions.size();
  }

  /** @return the first one that is told of at a position or after it */
  long firstAt(long position) {
    return positions.firstAtLeast(position);
  }

  /** @return the first one that ends at a time or later */
  long firstEndingAt(long timeNs) {
    return ends.firstAtLeast(timeNs);
  }

  long position(long index) {
    return positions.get(index);
  }

  long beginNs(long index) {
    return begins.get(index);
  }

  long endNs(long index) {
    return ends.get(index);
  }

  /** @return from when on the thread could have run: the end if it could not, or if it is not known */
  long preemptedNs(long index) {
    return preemptions.get(index) == UNKNOWN ? ends.get(index) : preemptions.get(index);
  }

  /** @return the call path of the time up to {@link #preemptedNs} */
  int path(long index) {
    int path = offPaths.get(index);
    return preemptions.get(index) == UNKNOWN ? paths.offCpu(path) : paths.blocked(path);
  }

  /** @return the call path of the time from {@link #preemptedNs} on */
  int preemptedPath(long index) {
    return paths.preempted(offPaths.get(index));
  }
}
