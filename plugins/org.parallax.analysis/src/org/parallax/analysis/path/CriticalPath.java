package org.parallax.analysis.path;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;

/**
 * The longest time-weighted path through the program activity graph of one application, as sums
 * over its parts: the intra-application critical path of Irvin and Miller 1993, section 4.3.1.
 *
 * <p>The parts add up to {@link #lengthNs} exactly.
 */
public final class CriticalPath {
  /**
   * Arcs of one kind from one place to another.
   *
   * @param fromThread index in the replay
   * @param fromPath call path in that thread's process, in which the arcs begin
   * @param toPath call path, in its thread's process, of the call that waited
   */
  public record ArcKey(ArcKind kind, int fromThread, int fromPath, int toThread, int toPath) {}

  /** The weight of some arcs of the path in nanoseconds, and their number. */
  public static final class ArcSum {
    private long ns;
    private long count;

    public long ns() {
      return ns;
    }

    public long count() {
      return count;
    }
  }

  private final Replay replay;
  private final long[][] workNs;
  private final long[][] removedNs;
  private long sumNs;
  private final Map<ArcKey, ArcSum> arcs = new LinkedHashMap<>();

  private CriticalPath(Replay replay) {
    this.replay = replay;
    workNs = new long[replay.threads().size()][];
    removedNs = new long[workNs.length][];
  }

  /** Follows the longest path of a replay back from its end. Cost: the events under the path. */
  public static CriticalPath of(Replay replay) {
    CriticalPath path = new CriticalPath(replay);
    new PathWalker(replay, path.new Sums()).walk();
    return path;
  }

  private final class Sums implements PathVisitor {
    @Override
    public void work(int thread, int path, long ns) {
      if (workNs[thread] == null) {
        workNs[thread] =
            new long[replay.threads().get(thread).process().callPaths().count()];
        removedNs[thread] = new long[workNs[thread].length];
      }
      long[] sums = workNs[thread];
      int known = path >= 0 && path < sums.length ? path : 0;
      double[] shares = replay.setup().speedups().work().get(replay.threads().get(thread).process());
      long left = shares == null ? ns : Math.round(ns * shares[known]);
      sums[known] += left;
      removedNs[thread][known] += ns - left;
      sumNs += left;
    }

    @Override
    public void arc(
        ArcKind kind, int fromThread, int fromPath, int toThread, int toPath, long ns) {
      ArcSum sum = arcs.computeIfAbsent(
          new ArcKey(kind, fromThread, fromPath, toThread, toPath), k -> new ArcSum());
      sum.ns += ns;
      sumNs += ns;
      sum.count++;
    }
  }

  /** @return the replay whose longest path this is */
  public Replay replay() {
    return replay;
  }

  /** @return the length of the path in nanoseconds; 0 when there are no events */
  public long lengthNs() {
    ThreadRecord last = replay.last();
    return last == null ? 0 : isChanged() ? sumNs : last.length();
  }

  /** @return whether the replay was of a program in which work takes another time than it took */
  public boolean isChanged() {
    return !replay.setup().speedups().work().isEmpty();
  }

  /** @return what was taken from {@link #workNs}, by call path; null where that is */
  public long[] removedNs(int thread) {
    return removedNs[thread];
  }

  /**
   * @param thread index in the replay
   * @return nanoseconds of work on the path by call path of the thread's process, 0 for work of
   *     which no sample or call tells; null when the thread has no work on the path. Not to be
   *     changed.
   */
  public long[] workNs(int thread) {
    return workNs[thread];
  }

  /** @return the arcs of the path between threads, the last first */
  public Map<ArcKey, ArcSum> arcs() {
    return Collections.unmodifiableMap(arcs);
  }
}
