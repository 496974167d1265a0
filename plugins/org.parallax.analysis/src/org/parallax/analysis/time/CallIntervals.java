package org.parallax.analysis.time;

import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * What a thread does when, as {@link PathReader} tells. The wall times of {@link CallPathProfile} are
 * the sums of these intervals.
 */
public final class CallIntervals {
  /** Is told of intervals in the order of time; those of one path that touch are one. */
  public interface Visitor {
    /** @param path the call path, 0 for time of which no sample tells */
    void interval(long beginNs, long endNs, int path);
  }

  private CallIntervals() {}

  /**
   * Reads the events of a thread.
   *
   * @param window intervals are cut where it begins and ends, and at the gaps within it
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static void read(ThreadTrace thread, Window window,
      Visitor visitor, Progress progress) {
    PathReader reader = new PathReader(thread, progress);
    long begin = 0;
    int path = -1;
    long[] borders = new long[5];
    int[] paths = new int[4];
    while (reader.next()) {
      borders[0] = reader.fromNs();
      borders[1] = reader.wallSplitNs();
      borders[2] = reader.offCpuNs();
      borders[3] = reader.preemptedNs();
      borders[4] = reader.timeNs();
      paths[1] = reader.path();
      paths[2] = reader.offCpuPath();
      paths[3] = reader.preemptedPath();
      for (int i = 0; i < paths.length; i++) {
        long from = Math.max(borders[i], window.beginNs());
        long to = Math.min(borders[i + 1], window.endNs());
        int present = paths[i];
        if (to > from && present != path) {
          tell(visitor, window, begin, from, path);
          path = present;
          begin = from;
        }
      }
      if (reader.timeNs() > window.endNs()) {
        break;
      }
    }
    tell(visitor, window, begin, reader.timeNs(), path);
  }

  private static void tell(Visitor visitor, Window window, long begin, long end, int path) {
    if (path < 0) {
      return;
    }
    for (int i = window.intervalAt(begin); i < window.count() && window.beginNs(i) < end; i++) {
      long from = Math.max(begin, window.beginNs(i));
      long to = Math.min(end, window.endNs(i));
      if (to > from) {
        visitor.interval(from, to, path);
      }
    }
  }
}
